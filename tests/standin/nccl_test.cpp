// The stand-in for NCCL: two ranks as two threads. Order, groups, the bounded buffer, the first use, and wrong use.
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

namespace {

// Catch's own checks belong to one thread: the ranks say what they saw.
struct Rank {
  Rank(const ncclUniqueId& id, int rank, int ranks) {
    cudaSetDevice(rank);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclCommInitRankConfig(&comm, ranks, id, rank, &config);
    wait();
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&memory, kBytes);
    cudaMallocHost(&pinned, kBytes);
  }
  ~Rank() { cudaStreamDestroy(stream); }
  ncclResult_t wait() const {
    ncclResult_t state = ncclInProgress;
    while (state == ncclInProgress) ncclCommGetAsyncError(comm, &state);
    return state;
  }
  void put(int value) const {
    cudaMemsetAsync(memory, value, kBytes, stream);
    cudaStreamSynchronize(stream);
  }
  int get() const {
    cudaMemcpyAsync(pinned, memory, kBytes, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    return static_cast<unsigned char*>(pinned)[kBytes - 1];
  }
  /// Whether what was enqueued so far ends within `limit`: short where it never may, long against hangs where it must.
  bool done(std::chrono::milliseconds limit) const {
    cudaEvent_t event = nullptr;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(event, stream);
    const auto end = std::chrono::steady_clock::now() + limit;
    while (cudaEventQuery(event) != cudaSuccess && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const bool out = cudaEventQuery(event) == cudaSuccess;
    cudaEventDestroy(event);
    return out;
  }
  static constexpr std::chrono::milliseconds kNever{100}, kSurely{60'000};
  static constexpr std::size_t kBytes = 1 << 20;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  void* memory = nullptr;
  void* pinned = nullptr;
};

template <class Body>
void two_ranks(Body&& body) {
  ncclUniqueId id;
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  std::thread other([&] {
    Rank rank(id, 1, 2);
    body(rank, 1);
  });
  {
    Rank rank(id, 0, 2);
    body(rank, 0);
  }
  other.join();
}

}  // namespace

TEST_CASE("messages of a pair meet in order, and those of one group whichever of sends and receives comes first") {
  std::vector<int> seen(2);
  two_ranks([&](Rank& rank, int r) {
    auto* bytes = static_cast<char*>(rank.memory);
    rank.put(0);
    if (r == 0) {
      for (int i = 0; i < 4; ++i) cudaMemsetAsync(bytes + i, 1 + i, 1, rank.stream);
    }
    for (int i = 0; i < 4; i += 2) {
      ncclGroupStart();
      for (int k = i; k < i + 2; ++k) {
        if (r == 0) ncclSend(bytes + k, 1, ncclUint8, 1, rank.comm, rank.stream);
        if (r == 1) ncclRecv(bytes + Rank::kBytes - 1 - k, 1, ncclUint8, 0, rank.comm, rank.stream);  // the other way round
        if (k == i) (r == 0 ? ncclRecv(bytes + 100 + i, 1, ncclUint8, 1, rank.comm, rank.stream) : ncclSend(bytes, 1, ncclUint8, 0, rank.comm, rank.stream));
      }
      ncclGroupEnd();
      rank.wait();
    }
    const int last = rank.get();
    if (r == 1) seen = {last, static_cast<unsigned char*>(rank.pinned)[Rank::kBytes - 4]};
  });
  CHECK(seen == std::vector<int>{1, 4});
}

TEST_CASE("a pair's buffer is as large as the test asks") {
  const p2plab::test::Environment here(std::map<std::string, std::string>{{"P2PLAB_STANDIN_NCCL_BUFFER", "108"}});
  bool within = false, beyond = true;
  two_ranks([&](Rank& rank, int r) {
    const auto send = [&](std::size_t bytes) {
      ncclGroupStart();
      if (r == 0) ncclSend(rank.memory, bytes, ncclUint8, 1, rank.comm, rank.stream);
      if (r == 1) ncclRecv(rank.memory, bytes, ncclUint8, 0, rank.comm, rank.stream);
      ncclGroupEnd();
      rank.wait();
    };
    send(4);  // connects
    if (r != 0) return;
    rank.done(Rank::kSurely);
    send(100);
    within = rank.done(Rank::kSurely);
    send(101);
    beyond = rank.done(Rank::kNever);
    ncclCommAbort(rank.comm);
    rank.done(Rank::kSurely);
  });
  CHECK(within);
  CHECK_FALSE(beyond);
}

TEST_CASE("a group that was never begun cannot be closed") { CHECK(ncclGroupEnd() == ncclInvalidUsage); }

#if !defined(__SANITIZE_THREAD__)  // which allows no threads after a fork
TEST_CASE("a thread that ends and leaves a group open ends the process") {
  const pid_t child = ::fork();
  if (child == 0) {
    std::thread([] { ncclGroupStart(); }).join();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 66);
}
#endif

TEST_CASE("a group exchanges both ways") {
  int seen[2] = {};
  two_ranks([&](Rank& rank, int r) {
    rank.put(10 + r);
    ncclGroupStart();
    ncclSend(rank.memory, 1000, ncclUint8, 1 - r, rank.comm, rank.stream);
    ncclRecv(static_cast<char*>(rank.memory) + Rank::kBytes - 1000, 1000, ncclUint8, 1 - r, rank.comm, rank.stream);
    ncclGroupEnd();
    rank.wait();
    seen[r] = rank.get();
  });
  CHECK(seen[0] == 11);
  CHECK(seen[1] == 10);
}

TEST_CASE("a send that fits into the buffer is done without a receive, a longer one is not until it is received or aborted") {
  bool small = false, large = true, aborted = false;
  two_ranks([&](Rank& rank, int r) {
    const auto message = [&](std::size_t bytes) {
      ncclGroupStart();
      if (r == 0) ncclSend(rank.memory, bytes, ncclUint8, 1, rank.comm, rank.stream);
      if (r == 1) ncclRecv(rank.memory, bytes, ncclUint8, 0, rank.comm, rank.stream);
      ncclGroupEnd();
      rank.wait();
    };
    message(4);  // connects
    if (r != 0) return;
    message(1000);
    small = rank.done(Rank::kSurely);
    message(Rank::kBytes);
    large = rank.done(Rank::kNever);
    ncclCommAbort(rank.comm);
    aborted = rank.done(Rank::kSurely);
  });
  CHECK(small);
  CHECK_FALSE(large);
  CHECK(aborted);
}

TEST_CASE("a communicator that was aborted is gone, and its use is an error") {
  std::vector<ncclResult_t> after;
  two_ranks([&](Rank& rank, int r) {
    if (r == 1) return;
    ncclResult_t state = ncclSuccess;
    ncclCommAbort(rank.comm);
    after.push_back(ncclCommGetAsyncError(rank.comm, &state));
    ncclGroupStart();
    after.push_back(ncclSend(rank.memory, 4, ncclUint8, 1, rank.comm, rank.stream));
    ncclGroupEnd();
    after.push_back(ncclCommFinalize(rank.comm));
    after.push_back(ncclCommDestroy(rank.comm));
    after.push_back(ncclCommAbort(rank.comm));
  });
  CHECK(after == std::vector<ncclResult_t>(5, ncclInvalidArgument));
}

TEST_CASE("the first use of a pair is in progress until the other rank uses it too") {
  ncclResult_t before = ncclSuccess, after = ncclInProgress;
  std::atomic<bool> looked{false};
  two_ranks([&](Rank& rank, int r) {
    while (r == 1 && !looked) std::this_thread::yield();
    ncclGroupStart();
    if (r == 0) ncclSend(rank.memory, 4, ncclUint8, 1, rank.comm, rank.stream);
    if (r == 1) ncclRecv(rank.memory, 4, ncclUint8, 0, rank.comm, rank.stream);
    ncclGroupEnd();
    if (r == 0) {
      ncclCommGetAsyncError(rank.comm, &before);
      looked = true;
      after = rank.wait();
    }
    rank.wait();
  });
  CHECK(before == ncclInProgress);
  CHECK(after == ncclSuccess);
}

TEST_CASE("a communicator's first collective is in progress until all its ranks have come, and later ones are not") {
  ncclResult_t before = ncclSuccess, after = ncclInProgress, second = ncclInProgress;
  std::atomic<bool> looked{false};
  int seen = 0;
  two_ranks([&](Rank& rank, int r) {
    const auto broadcast = [&] {
      ncclGroupStart();
      ncclBroadcast(rank.memory, rank.memory, Rank::kBytes, ncclUint8, 0, rank.comm, rank.stream);
      return ncclGroupEnd();
    };
    rank.put(20 + r);
    while (r == 1 && !looked) std::this_thread::yield();
    broadcast();
    if (r == 0) {
      ncclCommGetAsyncError(rank.comm, &before);
      looked = true;
      after = rank.wait();
    }
    rank.wait();
    const ncclResult_t at_once = broadcast();
    if (r == 0) second = at_once;
    const int value = rank.get();
    if (r == 1) seen = value;
  });
  CHECK(before == ncclInProgress);
  CHECK(after == ncclSuccess);
  CHECK(second == ncclSuccess);
  CHECK(seen == 20);
}

TEST_CASE("what is wrong with NCCL is an error") {
  ncclResult_t lone = ncclSuccess, peer = ncclSuccess, size = ncclSuccess, host = ncclSuccess;
  cudaError_t on_stream = cudaSuccess;
  std::atomic<bool> looked{false};
  two_ranks([&](Rank& rank, int r) {
    if (r == 0) {
      lone = ncclSend(rank.memory, 4, ncclUint8, 1, rank.comm, rank.stream);
      ncclGroupStart();
      peer = ncclSend(rank.memory, 4, ncclUint8, 7, rank.comm, rank.stream);
      int on_host = 0;
      host = ncclSend(&on_host, 4, ncclUint8, 1, rank.comm, rank.stream);
      ncclGroupEnd();
    }
    while (r == 1 && !looked) std::this_thread::yield();
    ncclGroupStart();
    if (r == 0) ncclSend(rank.memory, 8, ncclUint8, 1, rank.comm, rank.stream);
    if (r == 1) ncclRecv(rank.memory, 4, ncclUint8, 0, rank.comm, rank.stream);
    ncclGroupEnd();
    if (r == 0) {
      on_stream = cudaMemsetAsync(rank.memory, 0, 4, rank.stream);  // still in progress
      looked = true;
    }
    rank.wait();
    rank.done(Rank::kSurely);
    if (r == 1) size = rank.wait();
  });
  CHECK(lone == ncclInvalidUsage);
  CHECK(peer == ncclInvalidArgument);
  CHECK(host == ncclInvalidArgument);
  CHECK(on_stream == cudaErrorNotPermitted);
  CHECK(size == ncclInvalidUsage);
}
