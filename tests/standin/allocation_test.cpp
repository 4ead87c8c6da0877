// Nothing is allocated while a run goes on: the real calls may wait for kernels, and a kernel may wait for a peer whose message
// the waiting host has still to send.
#include <cuda_runtime_api.h>

#include <chrono>
#include <future>

#include "demos/p2p/kernels.h"
#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

extern "C" void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::Environment;
using p2plab::test::on_stand_in;

namespace {

using Knobs = std::map<std::string, std::string>;

const char wait_stub = 0;

/// The run ends as it promises, though an allocation does `what`: "refuse" once anything is on a stream, "wait" for kernels.
void runs(const std::string& what, const std::string& demo, const std::string& backend, const Knobs& knobs, int ranks = 0, const std::string& devices = "8",
          const std::string& semantics = "mpi") {
  const auto run = on_stand_in(demo, backend, knobs, semantics, false, ranks, {{"P2PLAB_STANDIN_ALLOCATE", what}, {"P2PLAB_STANDIN_DEVICES", devices}});
  INFO(demo << " on " << backend << ", " << devices << " devices\n" << describe(*run));
  CHECK(run->result().as_promised);
  for (int rank = 0; rank < run->request().ranks; ++rank) CHECK(run->output(rank, true).text().find("the run has begun") == std::string::npos);
}

}  // namespace

TEST_CASE("the stand-in lets an allocation wait for kernels, or be an error once the run has begun") {
  __cudaRegisterFunction(nullptr, &wait_stub, nullptr, "_ZN3p2p3gpu4eachINS_7kernels8WaitFlagEEEvT_m", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  void *flag = nullptr, *memory = nullptr;
  REQUIRE(cudaMallocHost(&flag, sizeof(unsigned)) == cudaSuccess);
  *static_cast<unsigned*>(flag) = 0;
  p2p::kernels::WaitFlag body{static_cast<unsigned*>(flag), 1};
  std::size_t count = 1;
  void* arguments[] = {&body, &count};
  REQUIRE(cudaLaunchKernel(&wait_stub, dim3(1), dim3(256), arguments, 0, stream) == cudaSuccess);
  {
    const Environment waiting(Knobs{{"P2PLAB_STANDIN_ALLOCATE", "wait"}});
    auto allocated = std::async(std::launch::async, [&] { return cudaMalloc(&memory, 64); });
    CHECK(allocated.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout);
    __atomic_store_n(static_cast<unsigned*>(flag), 1U, __ATOMIC_RELEASE);
    CHECK(allocated.get() == cudaSuccess);
  }
  const Environment refusing(Knobs{{"P2PLAB_STANDIN_ALLOCATE", "refuse"}});
  void* more = nullptr;
  CHECK(cudaMalloc(&more, 64) == cudaErrorNotPermitted);
  CHECK(cudaMallocHost(&more, 64) == cudaErrorNotPermitted);
  cudaGetLastError();
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFreeHost(flag) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

// Sizes and counts that make a demo long are cut; the largest message of a run is at most 4 MiB, the largest block of the stock.
TEST_CASE("cuda: a demo allocates nothing once anything is on a stream") {
  const std::string devices = GENERATE("8", "1"), semantics = GENERATE("mpi", "nccl");
  const auto check = [&](const std::string& demo, const Knobs& knobs, int ranks = 0) { runs("refuse", demo, "cuda", knobs, ranks, devices, semantics); };
  for (const std::string variant : {"unfused", "grouped"}) check("deadlock", {{"variant", variant}});
  for (const std::string variant : {"unsafe", "clone"}) check("corruption", {{"variant", variant}, {"receiver_delay_ms", "300"}});
  check("pipeline", {});
  check("straggler", {{"steps", "3"}});
  check("matching", {{"variant", "order"}});
  check("topology", {{"variant", "ring"}, {"iterations", "1"}}, 4);
  check("p2p-vs-collective", {{"max_bytes", "1M"}, {"iterations", "1"}});
  check("tensor-parallel", {{"max_tokens", "256"}, {"iterations", "1"}}, 2);
  check("moe", {{"iterations", "1"}}, 4);
  if (devices != "8" || semantics != "mpi") return;  // the rest takes the same ways
  check("overlap", {{"bytes", "4M"}, {"iterations", "1"}});
  check("latency-bandwidth", {{"max_bytes", "128K"}, {"iterations", "1"}});
  check("schedules", {{"variant", "zb-h1"}, {"forward_us", "500"}, {"backward_us", "1000"}});
  check("why-not-allreduce", {{"variant", "allreduce"}, {"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}});
}

TEST_CASE("nccl: a demo allocates nothing once anything is on a stream") {
  for (const std::string variant : {"unfused", "grouped"}) runs("refuse", "deadlock", "nccl", {{"variant", variant}});
  runs("refuse", "corruption", "nccl", {{"variant", "clone"}});
  runs("refuse", "pipeline", "nccl", {});
  runs("refuse", "pipeline", "nccl", {{"transport", "bcast2"}, {"microbatches", "4"}});
  runs("refuse", "straggler", "nccl", {{"steps", "3"}});
  runs("refuse", "tensor-parallel", "nccl", {{"max_tokens", "256"}, {"iterations", "1"}}, 2);
  runs("refuse", "p2p-vs-collective", "nccl", {{"max_bytes", "1M"}, {"iterations", "1"}});
  runs("refuse", "moe", "nccl", {{"iterations", "1"}}, 4);
  runs("refuse", "matching", "nccl", {{"variant", "order"}});
  runs("refuse", "topology", "nccl", {{"variant", "ring"}, {"iterations", "1"}}, 4);
  runs("refuse", "overlap", "nccl", {{"bytes", "4M"}, {"iterations", "1"}});
  runs("refuse", "latency-bandwidth", "nccl", {{"max_bytes", "128K"}, {"iterations", "1"}});
  runs("refuse", "schedules", "nccl", {{"variant", "zb-h1"}, {"forward_us", "500"}, {"backward_us", "1000"}});
  runs("refuse", "why-not-allreduce", "nccl", {{"variant", "allreduce"}, {"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}});
}

TEST_CASE("where a run asks for more than was laid in, an allocation that waits for kernels keeps nobody from ending") {
  for (const std::string devices : {"8", "1"}) {
    runs("wait", "deadlock", "cuda", {{"variant", "nonblocking"}, {"bytes", "8M"}}, 0, devices);
    runs("wait", "topology", "cuda", {{"variant", "moe"}, {"iterations", "1"}}, 4, devices);  // a buffer for each message
    runs("wait", "corruption", "cuda", {{"variant", "clone"}, {"bytes", "8M"}}, 0, devices);
    runs("wait", "latency-bandwidth", "cuda", {{"variant", "window"}, {"max_bytes", "8M"}, {"iterations", "1"}}, 0, devices);
  }
  runs("wait", "deadlock", "nccl", {{"variant", "grouped"}, {"bytes", "8M"}});
  runs("wait", "p2p-vs-collective", "nccl", {{"max_bytes", "8M"}, {"min_bytes", "2M"}, {"iterations", "1"}});
}
