// The rank program of `p2plab bench gpu`: steps of computation of a stated time on a stream, by bare CUDA and through the
// runtime, which records each (two timing events, a thread that looks at them, two records). Both in one run, turn by turn,
// so that what else the machine does falls on both. Prints JSON.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "demos/p2p/gpu/device.h"
#include "demos/p2p/options.h"
#include "demos/p2p/results.h"
#include "demos/p2p/waiting.h"

using namespace p2p;

namespace {

constexpr int kSteps = 50;
constexpr std::chrono::nanoseconds kStep{1'000'000};

void complete(DeviceStream& stream) {
  const auto event = stream.record();
  for (Backoff backoff; !event->query(); backoff.pause()) {
  }
}

/// ns per step.
double bare(DeviceStream& stream, std::byte* word) {
  auto* mark = reinterpret_cast<long long*>(word);
  const std::int64_t begin = p2plab::trace::monotonic_ns();
  for (int i = 0; i < kSteps; ++i) {
    stream.launch({kernels::Mark{mark}});
    stream.launch({kernels::Hold{mark, kStep.count()}});
  }
  complete(stream);
  return static_cast<double>(p2plab::trace::monotonic_ns() - begin) / kSteps;
}
double recorded(World& world) {
  const std::int64_t begin = p2plab::trace::monotonic_ns();
  for (int i = 0; i < kSteps; ++i) world.launch({Kind::compute, "step", i}, kStep, {});
  world.stream("compute").synchronize();
  return static_cast<double>(p2plab::trace::monotonic_ns() - begin) / kSteps;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [](World& world) {
    gpu::Gpu device(0);
    const auto stream = device.stream("bare");
    std::byte* word = device.blocks()->allocate(sizeof(long long));
    const std::int64_t until = p2plab::trace::monotonic_ns() + world.knob("milliseconds", 3000) * 1'000'000;
    std::vector<double> bare_ns, recorded_ns, ratios;
    for (int round = -1; round < 5 || p2plab::trace::monotonic_ns() < until; ++round) {  // the first one warms up
      double one = 0, other = 0;
      if (round % 2 == 0) one = bare(*stream, word);  // each is first every other time
      other = recorded(world);
      if (round % 2 != 0) one = bare(*stream, word);
      if (round < 0) continue;
      bare_ns.push_back(one);
      recorded_ns.push_back(other);
      ratios.push_back(other / one);
    }
    device.blocks()->release(word);
    fmt::print(R"({{"gpu":"{}","step_ns":{},"rounds":{},"bare_ns":{:.0f},"recorded_ns":{:.0f},"ratio":{:.5f}}})"
               "\n",
               device.description(), kStep.count(), ratios.size(), median(bare_ns), median(recorded_ns), median(ratios));
  });
}
