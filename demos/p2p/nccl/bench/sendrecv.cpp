// The rank program of `p2plab bench nccl` (p2plab-bench-nccl [LARGEST]): what nccl-tests' sendrecv measures. Every rank sends to the next and receives
// from the one before, in one group, bare NCCL; bytes are then compared on the host. Rank 0 prints JSON.
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "demos/p2p/gpu/device.h"
#include "demos/p2p/host/mpi.h"
#include "demos/p2p/nccl/communicator.h"
#include "demos/p2p/waiting.h"

using namespace p2p;

namespace {

constexpr std::size_t kSmallest = 8, kLargest = std::size_t{128} << 20;  ///< bytes
constexpr int kWarmUp = 5, kIterations = 20;

template <class Ready>
void wait_for(Ready&& ready) {
  for (Backoff backoff; !ready(); backoff.pause()) {
  }
}

void complete(DeviceStream& stream) {
  const auto event = stream.record();
  wait_for([&] { return event->query(); });
}

void barrier() {
  MPI_Request request;
  host::check(PMPI_Ibarrier(MPI_COMM_WORLD, &request));
  host::wait(request);
}

std::string measure(const host::Member& member, std::size_t largest) {
  gpu::Gpu device(member.local_rank());
  int gpus = 0;
  gpu::check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
  if (member.local_rank() >= gpus) throw Error(fmt::format("NCCL takes one GPU per rank, and this machine has {}.", gpus), 2);
  ncclUniqueId id{};
  if (member.rank() == 0) nccl::check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  MPI_Request request;
  host::check(PMPI_Ibcast(id.internal, NCCL_UNIQUE_ID_BYTES, MPI_BYTE, 0, MPI_COMM_WORLD, &request));
  host::wait(request);
  nccl::Communicator communicator(id, member.size(), member.rank());
  wait_for([&] { return communicator.ready(); });

  const int next = (member.rank() + 1) % member.size(), prev = (member.rank() + member.size() - 1) % member.size();
  const auto stream = device.stream("bench");
  const cudaStream_t raw = static_cast<gpu::Stream&>(*stream).get();
  std::byte* out = device.blocks()->allocate(largest);
  std::byte* in = device.blocks()->allocate(largest);
  std::byte* seen = device.blocks()->allocate_pinned(largest);
  const auto exchange = [&](std::size_t bytes) {
    nccl::group(communicator, "ncclSend and ncclRecv", [&](ncclComm_t comm) {
      nccl::check(ncclSend(out, bytes, ncclUint8, next, comm, raw), "ncclSend", comm);
      nccl::check(ncclRecv(in, bytes, ncclUint8, prev, comm, raw), "ncclRecv", comm);
    });
    wait_for([&] { return communicator.ready(); });
  };
  std::string rows;
  for (std::size_t bytes = kSmallest; bytes <= largest; bytes *= 2) {
    stream->launch({kernels::Fill{reinterpret_cast<unsigned char*>(out), 1, member.rank()}, bytes});
    stream->set(in, 0, bytes);
    for (int i = 0; i < kWarmUp; ++i) exchange(bytes);
    complete(*stream);
    barrier();
    const std::int64_t begin = p2plab::trace::monotonic_ns();
    for (int i = 0; i < kIterations; ++i) exchange(bytes);
    complete(*stream);
    const double own_us = static_cast<double>(p2plab::trace::monotonic_ns() - begin) / kIterations / 1e3;
    stream->copy(seen, in, bytes);
    complete(*stream);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < bytes; ++i) wrong += std::to_integer<unsigned char>(seen[i]) == kernels::byte_of(1, prev, i) ? 0 : 1;
    double us = 0;  // the slowest rank's, as nccl-tests -a 3 would take
    std::int64_t all_wrong = 0;
    host::check(PMPI_Ireduce(&own_us, &us, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD, &request));
    host::wait(request);
    host::check(PMPI_Ireduce(&wrong, &all_wrong, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD, &request));
    host::wait(request);
    const double gb_per_s = us > 0 ? static_cast<double>(bytes) / us / 1e3 : 0;
    rows += fmt::format(R"({}{{"bytes":{},"count":{},"time_us":{:.2f},"algbw_gb_per_s":{:.3f},"busbw_gb_per_s":{:.3f},"wrong":{}}})",
                        rows.empty() ? "" : ",", bytes, bytes, us, gb_per_s, gb_per_s, all_wrong);  // the bus factor of sendrecv is 1
  }
  const std::string name = device.description();
  device.blocks()->release(out);
  device.blocks()->release(in);
  device.blocks()->release_pinned(seen);
  return fmt::format(R"({{"gpu":"{}","ranks":{},"rows":[{}]}})", name, member.size(), rows);
}

}  // namespace

int main(int argc, char** argv) {
  const host::Member member;
  try {
    const std::string json = measure(member, argc > 1 ? static_cast<std::size_t>(parse_amount("LARGEST", argv[1])) : kLargest);
    if (member.rank() == 0) fmt::print("{}\n", json);
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank {}: {}.\n", member.rank(), error.what());
    std::fflush(nullptr);
    std::_Exit(1);  // the others may wait for this one
  }
}
