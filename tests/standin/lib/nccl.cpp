// The functions of NCCL that the backend uses, on streams of whatever CUDA runtime is there: a group becomes one host
// function of its stream. As the real ones do: the first use of a pair makes both hosts wait, the first collective all; messages of a pair are first
// in, first out; a send is done when it fits into the pair's buffer; without a group every call stands alone; a
// communicator that does not block answers ncclInProgress and must be asked before anything else.
#include <nccl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "nccl_operations.h"
#include "state.h"

using standin::Message;
using standin::Round;

struct ncclComm {
  std::unique_ptr<standin::Segment> segment;
  int rank = 0, ranks = 0;
  bool blocking = true;
  std::atomic<int> state{ncclSuccess};
  std::mutex mutex;
  std::set<std::pair<int, int>> connected;  ///< (from, to)
  bool collectives_connected = false;
  std::uint64_t rounds = 0;
  std::atomic<const char*> freed_by{nullptr};  ///< the call that has; memory stays, so that a use is seen
  cudaEvent_t last = nullptr;  ///< operations of one communicator run one after the other, whatever their streams
};

namespace {

constexpr std::size_t kBuffer = 256 * 1024;  ///< of each ordered pair; P2PLAB_STANDIN_NCCL_BUFFER

/// What was called inside a group.
struct Call {
  ncclComm_t comm;
  cudaStream_t stream;
  bool is_message;
  Message message;
  Round round;
};
/// Groups that this thread has open. A thread that ends with one has posted what never goes anywhere: the process ends, too,
/// as after a report of ThreadSanitizer's.
struct Depth {
  int groups = 0;
  ~Depth() {
    if (groups == 0) return;
    std::fprintf(stderr, "stand-in: ncclGroupStart: a thread ends, and its group was never closed by ncclGroupEnd\n");
    std::_Exit(66);
  }
};
thread_local Depth t_depth;
thread_local std::vector<Call> t_calls;

std::atomic<bool> g_said{false};

ncclResult_t refuse(ncclResult_t code, const char* call, const char* why) {
  std::fprintf(stderr, "stand-in: %s: %s\n", call, why);
  g_said = true;
  return code;
}

/// What every call on a communicator needs.
ncclResult_t enter(const char* call, ncclComm_t comm) {
  if (p2plab_standin_injected(call) != 0) return ncclSystemError;
  if (comm == nullptr) return refuse(ncclInvalidArgument, call, "the communicator is NULL");
  if (comm->freed_by != nullptr) return refuse(ncclInvalidArgument, call, (std::string("the communicator is gone, freed by ") + comm->freed_by.load()).c_str());
  if (comm->state == ncclInProgress) return refuse(ncclInvalidUsage, call, "the call before is still in progress; poll ncclCommGetAsyncError first");
  return static_cast<ncclResult_t>(comm->state.load());
}

std::uint64_t host_id() {
  std::ifstream file("/etc/hostname");
  std::string name;
  file >> name;
  return std::hash<std::string>()(name) | 1;
}

void join(ncclComm* comm, const std::string& name, std::size_t buffer, int device) {
  comm->segment = standin::Segment::open(name, comm->ranks, buffer);
  if (comm->segment == nullptr) {
    comm->state = ncclSystemError;
    return;
  }
  auto& shared = comm->segment->shared();
  shared.place[comm->rank].host = host_id();
  shared.place[comm->rank].device = device;
  if (++shared.joined == comm->ranks) comm->segment->unlink();
  while (shared.joined < comm->ranks && shared.aborted == 0) ::usleep(200);
  for (int r = 0; r < comm->ranks && shared.aborted == 0; ++r) {
    if (r != comm->rank && shared.place[r].device == device && shared.place[r].host == shared.place[comm->rank].host) {
      std::fprintf(stderr, "stand-in: NCCL: Duplicate GPU detected: rank %d and rank %d both on device %d\n", comm->rank, r, device);
      comm->state = ncclInvalidUsage;
      return;
    }
  }
  comm->state = ncclSuccess;
}

/// The host's part of a first use: of a pair both sides have to come, of collectives all ranks.
void connect(ncclComm* comm, const std::vector<std::pair<int, int>>& pairs, bool collectives) {
  auto& shared = comm->segment->shared();
  if (collectives) ++shared.collectives_came;
  for (const auto& [from, to] : pairs) (from == comm->rank ? shared.pair[from][to].sender_came : shared.pair[from][to].receiver_came) = 1;
  for (const auto& [from, to] : pairs) {
    auto& pair = shared.pair[from][to];
    if (from == to) continue;
    while ((pair.sender_came == 0 || pair.receiver_came == 0) && shared.aborted == 0) ::usleep(200);
  }
  while (collectives && shared.collectives_came < comm->ranks && shared.aborted == 0) ::usleep(200);
}

/// Enqueues the calls of one communicator and stream.
ncclResult_t enqueue(ncclComm* comm, cudaStream_t stream, std::vector<Message> messages, std::vector<Round> rounds) {
  struct Work {
    ncclComm* comm;
    std::vector<Message> messages;
    std::vector<Round> rounds;
  };
  const std::lock_guard lock(comm->mutex);
  if (comm->last != nullptr) {
    if (cudaStreamWaitEvent(stream, comm->last, 0) != cudaSuccess) return ncclUnhandledCudaError;
  } else if (cudaEventCreateWithFlags(&comm->last, cudaEventDisableTiming) != cudaSuccess) {
    return ncclUnhandledCudaError;
  }
  auto* work = new Work{comm, std::move(messages), std::move(rounds)};
  const auto run = [](void* data) {
    const std::unique_ptr<Work> work(static_cast<Work*>(data));
    ncclComm* comm = work->comm;
    bool right = standin::carry_out(*comm->segment, comm->rank, work->messages);
    for (const Round& round : work->rounds) right = right && standin::carry_out(*comm->segment, comm->rank, comm->ranks, comm->rounds, round);
    if (!right) comm->state = ncclInvalidUsage;
  };
  if (cudaLaunchHostFunc(stream, run, work) != cudaSuccess) {
    delete work;
    return ncclUnhandledCudaError;
  }
  return cudaEventRecord(comm->last, stream) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

/// The calls of a group on one communicator.
struct Part {
  ncclComm* comm;
  cudaStream_t stream;
  std::vector<Message> messages;
  std::vector<Round> rounds;
  std::vector<std::pair<int, int>> fresh = {};  ///< pairs of ranks that have not met before
  bool collectives = false;                     ///< the first of this communicator
  bool connects() const { return !fresh.empty() || collectives; }
};

void look_for_first_uses(Part& part) {
  for (const Message& message : part.messages) {
    const std::pair pair = message.is_send ? std::pair(part.comm->rank, message.peer) : std::pair(message.peer, part.comm->rank);
    if (part.comm->connected.insert(pair).second) part.fresh.push_back(pair);
  }
  part.collectives = !part.rounds.empty() && !part.comm->collectives_connected;
  if (part.collectives) part.comm->collectives_connected = true;
}

/// The parts of a group, in their order; where two ranks meet for the first time, all of it is in progress until they have.
ncclResult_t submit(std::vector<Part> parts) {
  const bool waits = std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.connects() && !part.comm->blocking; });
  const auto connect_all = [](const std::vector<Part>& all) {
    for (const Part& part : all) {
      if (part.connects()) connect(part.comm, part.fresh, part.collectives);
    }
  };
  if (!waits) {
    connect_all(parts);
    ncclResult_t result = ncclSuccess;
    for (Part& part : parts) {
      if (const ncclResult_t code = enqueue(part.comm, part.stream, std::move(part.messages), std::move(part.rounds)); code != ncclSuccess) result = code;
    }
    return result;
  }
  for (const Part& part : parts) {
    part.comm->state = ncclInProgress;
    p2plab_standin_hold(part.stream, 1);
  }
  std::thread([parts = std::move(parts), connect_all] {
    connect_all(parts);
    p2plab_standin_use_held();
    std::vector<ncclResult_t> codes;
    for (const Part& part : parts) {
      codes.push_back(part.comm->segment->shared().aborted == 0 ? enqueue(part.comm, part.stream, part.messages, part.rounds) : ncclSuccess);
    }
    for (const Part& part : parts) p2plab_standin_hold(part.stream, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].comm->state = codes[i];
  }).detach();
  return ncclInProgress;
}

ncclResult_t end_of_group() {
  std::vector<Call> calls = std::move(t_calls);
  t_calls.clear();
  std::vector<Part> parts;
  while (!calls.empty()) {
    Part part{calls.front().comm, calls.front().stream, {}, {}};
    ncclComm_t comm = part.comm;
    std::vector<Call> rest;
    for (Call& call : calls) {
      if (call.comm != comm) {
        rest.push_back(std::move(call));
      } else if (call.stream != part.stream) {
        return refuse(ncclInvalidUsage, "ncclGroupEnd", "one group of one communicator on several streams is a hidden synchronization of them");
      } else if (call.is_message) {
        part.messages.push_back(call.message);
      } else {
        part.rounds.push_back(call.round);
      }
    }
    for (const Message& message : part.messages) {
      if (message.peer != comm->rank) continue;
      const auto same = [&](bool is_send) {
        return std::count_if(part.messages.begin(), part.messages.end(), [&](const Message& m) { return m.peer == comm->rank && m.is_send == is_send; });
      };
      if (same(true) != same(false)) {
        comm->state = ncclInvalidUsage;
        return refuse(ncclInvalidUsage, "ncclGroupEnd", "a rank that sends to itself needs the receive in the same group");
      }
    }
    look_for_first_uses(part);
    parts.push_back(std::move(part));
    calls = std::move(rest);
  }
  return submit(std::move(parts));
}

ncclResult_t add(const char* name, Call call) {
  if (const ncclResult_t code = enter(name, call.comm); code != ncclSuccess) return code;
  if (t_depth.groups > 0) {
    t_calls.push_back(std::move(call));
    return ncclSuccess;
  }
  if (!call.comm->blocking) return refuse(ncclInvalidUsage, name, "a lone call on a communicator that does not block may return too early (nccl#1495); put it into a group");
  t_calls.push_back(std::move(call));
  return end_of_group();
}

ncclResult_t message(const char* name, bool is_send, const void* data, size_t count, ncclDataType_t dtype, int peer, ncclComm_t comm, cudaStream_t stream) {
  if (comm != nullptr && (peer < 0 || peer >= comm->ranks)) return refuse(ncclInvalidArgument, name, "there is no such peer");
  const std::size_t bytes = count * standin::size_of(dtype);
  if (standin::size_of(dtype) == 0) return refuse(ncclInvalidArgument, name, "a type that the stand-in does not know");
  void* at = bytes == 0 ? nullptr : p2plab_standin_access(data, bytes);
  if (bytes != 0 && at == nullptr) return ncclInvalidArgument;
  Call call{comm, stream, true, {}, {}};
  call.message.is_send = is_send;
  call.message.data = static_cast<char*>(at);
  call.message.bytes = bytes;
  call.message.peer = peer;
  return add(name, std::move(call));
}

ncclResult_t collective(const char* name, Round round, std::size_t in_parts, std::size_t out_parts, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = round.count * standin::size_of(round.dtype);
  if (standin::size_of(round.dtype) == 0) return refuse(ncclInvalidArgument, name, "a type that the stand-in does not know");
  round.in = static_cast<const char*>(p2plab_standin_access(round.in, bytes * in_parts));
  round.out = static_cast<char*>(p2plab_standin_access(round.out, bytes * out_parts));
  if (round.in == nullptr || round.out == nullptr) return ncclInvalidArgument;
  return add(name, {comm, stream, false, {}, round});
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (p2plab_standin_injected("ncclGetVersion") != 0) return ncclSystemError;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (p2plab_standin_injected("ncclGetUniqueId") != 0) return ncclSystemError;
  // A file in memory; in the job's own directory, if there is one, so that nothing is left of a rank that is killed.
  const char* job = std::getenv("P2PLAB_JOB");
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) return ncclSystemError;
  std::snprintf(id->internal, sizeof id->internal, "%s/p2plab-standin-%016llx", job != nullptr ? job : "/dev/shm", static_cast<unsigned long long>(number));
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* out, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  if (p2plab_standin_injected("ncclCommInitRankConfig") != 0) return ncclSystemError;
  if (ranks < 1 || ranks > standin::kMaxRanks || rank < 0 || rank >= ranks) return refuse(ncclInvalidArgument, "ncclCommInitRankConfig", "there is no such rank");
  auto* comm = new ncclComm;
  comm->rank = rank;
  comm->ranks = ranks;
  comm->blocking = config == nullptr || config->blocking != 0;
  const char* buffer = std::getenv("P2PLAB_STANDIN_NCCL_BUFFER");
  const std::size_t bytes = buffer != nullptr ? std::strtoull(buffer, nullptr, 10) : kBuffer;
  *out = comm;
  comm->state = ncclInProgress;
  const int device = p2plab_standin_device();
  if (comm->blocking) {
    join(comm, id.internal, bytes, device);
    return static_cast<ncclResult_t>(comm->state.load());
  }
  std::thread([comm, name = std::string(id.internal), bytes, device] { join(comm, name, bytes, device); }).detach();
  return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state) {
  if (p2plab_standin_injected("ncclCommGetAsyncError") != 0) return ncclSystemError;
  if (comm != nullptr && comm->freed_by != nullptr) return enter("ncclCommGetAsyncError", comm);
  *state = static_cast<ncclResult_t>(comm->state.load());
  return ncclSuccess;
}
ncclResult_t ncclCommFinalize(ncclComm_t comm) { return enter("ncclCommFinalize", comm); }
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  const ncclResult_t code = enter("ncclCommDestroy", comm);
  if (code == ncclSuccess) comm->freed_by = "ncclCommDestroy";
  return code;
}
// While a call is in progress, too, and after an error.
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (p2plab_standin_injected("ncclCommAbort") != 0) return ncclSystemError;
  if (comm == nullptr || comm->freed_by != nullptr) return enter("ncclCommAbort", comm);
  if (comm->segment != nullptr) comm->segment->shared().aborted = 1;
  comm->freed_by = "ncclCommAbort";
  std::fprintf(stderr, "stand-in: ncclCommAbort on rank %d\n", comm->rank);
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t code) {
  switch (code) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "unhandled cuda error";
    case ncclSystemError: return "unhandled system error";
    case ncclInternalError: return "internal error";
    case ncclInvalidArgument: return "invalid argument";
    case ncclInvalidUsage: return "invalid usage";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
  }
}
const char* ncclGetLastError(ncclComm_t) { return g_said ? "see the stand-in's message" : ""; }

ncclResult_t ncclGroupStart() {
  if (p2plab_standin_injected("ncclGroupStart") != 0) return ncclSystemError;
  ++t_depth.groups;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (p2plab_standin_injected("ncclGroupEnd") != 0) {
    t_depth.groups = 0;
    t_calls.clear();
    return ncclSystemError;
  }
  if (t_depth.groups == 0) return refuse(ncclInvalidUsage, "ncclGroupEnd", "no group was begun");
  return --t_depth.groups == 0 ? end_of_group() : ncclSuccess;
}

ncclResult_t ncclSend(const void* data, size_t count, ncclDataType_t dtype, int peer, ncclComm_t comm, cudaStream_t stream) {
  return message("ncclSend", true, data, count, dtype, peer, comm, stream);
}
ncclResult_t ncclRecv(void* data, size_t count, ncclDataType_t dtype, int peer, ncclComm_t comm, cudaStream_t stream) {
  return message("ncclRecv", false, data, count, dtype, peer, comm, stream);
}
ncclResult_t ncclAllReduce(const void* in, void* out, size_t count, ncclDataType_t dtype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return collective("ncclAllReduce", {Round::Type::all_reduce, static_cast<const char*>(in), static_cast<char*>(out), count, dtype, op, 0}, 1, 1, comm, stream);
}
ncclResult_t ncclBroadcast(const void* in, void* out, size_t count, ncclDataType_t dtype, int root, ncclComm_t comm, cudaStream_t stream) {
  return collective("ncclBroadcast", {Round::Type::broadcast, static_cast<const char*>(in), static_cast<char*>(out), count, dtype, ncclSum, root}, 1, 1, comm, stream);
}
ncclResult_t ncclAllGather(const void* in, void* out, size_t count, ncclDataType_t dtype, ncclComm_t comm, cudaStream_t stream) {
  return collective("ncclAllGather", {Round::Type::all_gather, static_cast<const char*>(in), static_cast<char*>(out), count, dtype, ncclSum, 0}, 1,
                    static_cast<std::size_t>(comm == nullptr ? 0 : comm->ranks), comm, stream);
}
ncclResult_t ncclReduceScatter(const void* in, void* out, size_t count, ncclDataType_t dtype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return collective("ncclReduceScatter", {Round::Type::reduce_scatter, static_cast<const char*>(in), static_cast<char*>(out), count, dtype, op, 0},
                    static_cast<std::size_t>(comm == nullptr ? 0 : comm->ranks), 1, comm, stream);
}

}  // extern "C"
