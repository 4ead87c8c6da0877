// p2plab-gpu-measure: how far the times of events are from those of the host's clock, what a pair of events costs at
// operations of 1 ms, in what steps the timer goes that paces them, and whether products of matrices are right. One line of
// JSON, and status 1 with a sentence for each of these that is not as it has to be; used by tests/device/check.sh and the tests.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "demos/p2p/gpu/device.h"
#include "demos/p2p/waiting.h"

using namespace p2p;

namespace {

constexpr int kOperations = 200;
constexpr long long kOperationNs = 1'000'000;
constexpr int kPairs = 3;  ///< of a bare run and a stamped one; the machine disturbs some, so the best counts
constexpr double kOverhead = 0.02;
constexpr double kRounding = 0.001;         ///< events tell floats of milliseconds
constexpr long long kTimerStepNs = 50'000;  ///< a paced operation may be so much too long

void complete(DeviceStream& stream) {
  const auto event = stream.record();
  for (Backoff backoff; !event->query(); backoff.pause()) {
  }
}

struct Run {
  double wall_ns = 0, events_ns = 0;  ///< of the host's clock around all; sum of the distances of the pairs
  double worst_ns = 0;                ///< longest operation by its events
};

Run run(gpu::Gpu& device, DeviceStream& stream, std::byte* word, bool stamped, const p2plab::trace::ClockScale& clock) {
  std::vector<std::unique_ptr<Stamp>> stamps;
  auto* mark = reinterpret_cast<long long*>(word);
  const std::int64_t begin = p2plab::trace::monotonic_ns();
  for (int i = 0; i < kOperations; ++i) {
    if (stamped) stamps.push_back(stream.stamp());
    stream.launch({kernels::Mark{mark}});
    stream.launch({kernels::Hold{mark, kOperationNs}});
    if (stamped) stamps.push_back(stream.stamp());
  }
  complete(stream);
  Run out;
  out.wall_ns = static_cast<double>(p2plab::trace::monotonic_ns() - begin);
  device.tend();
  for (std::size_t i = 0; i + 1 < stamps.size(); i += 2) {
    const double ns = static_cast<double>(clock.to_ns(stamps[i + 1]->when()) - clock.to_ns(stamps[i]->when()));
    out.events_ns += ns;
    out.worst_ns = std::max(out.worst_ns, ns);
  }
  return out;
}

long long timer_step_ns(gpu::Gpu& device, DeviceStream& stream) {
  std::byte* word = device.blocks()->allocate_pinned(sizeof(long long));
  auto* step = reinterpret_cast<long long*>(word);
  stream.launch({kernels::TimerStep{step, 100}});
  complete(stream);
  const long long out = *step;
  device.blocks()->release_pinned(word);
  return out;
}

/// Largest difference of products of small whole numbers, by whatever multiplies here, from the sums by hand: 0. Of every
/// way to take the factors, and of matrices that are not square.
float product_error(gpu::Gpu& device, DeviceStream& stream) {
  constexpr std::size_t rows = 40, columns = 24, inner = 32, bytes = rows * columns * inner;
  const auto floats = [](std::byte* memory) { return reinterpret_cast<float*>(memory); };
  std::byte *a = device.blocks()->allocate(bytes), *b = device.blocks()->allocate(bytes), *c = device.blocks()->allocate(bytes);
  std::byte *pa = device.blocks()->allocate_pinned(bytes), *pb = device.blocks()->allocate_pinned(bytes), *pc = device.blocks()->allocate_pinned(bytes);
  for (std::size_t i = 0; i < rows * inner; ++i) floats(pa)[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < inner * columns; ++i) floats(pb)[i] = static_cast<float>(i % 5) - 1;
  stream.copy(a, pa, rows * inner * sizeof(float));
  stream.copy(b, pb, inner * columns * sizeof(float));
  float worst = 0;
  for (const bool ta : {false, true})
    for (const bool tb : {false, true}) {
      stream.launch({kernels::Gemm{floats(a), floats(b), floats(c), rows, columns, inner, ta, tb}, rows * columns});
      stream.copy(pc, c, rows * columns * sizeof(float));
      complete(stream);
      for (std::size_t i = 0; i < rows * columns; ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < inner; ++k) {
          const std::size_t row = i / columns, column = i % columns;
          sum += floats(pa)[ta ? k * rows + row : row * inner + k] * floats(pb)[tb ? column * inner + k : k * columns + column];
        }
        worst = std::max(worst, std::abs(sum - floats(pc)[i]));
      }
    }
  for (std::byte* memory : {a, b, c}) device.blocks()->release(memory);
  for (std::byte* memory : {pa, pb, pc}) device.blocks()->release_pinned(memory);
  return worst;
}

}  // namespace

int main() {
  try {
    gpu::Gpu device(0, true);
    const auto clock = p2plab::trace::ClockScale::calibrate();
    device.start_clock(clock);
    const auto stream = device.stream("measure");
    std::byte* word = device.blocks()->allocate(sizeof(long long));
    run(device, *stream, word, true, clock);  // events and kernels are made now
    Run bare, stamped;
    double overhead = 0;
    for (int i = 0; i < kPairs; ++i) {
      const Run without = run(device, *stream, word, false, clock), with = run(device, *stream, word, true, clock);
      const double one = with.wall_ns / without.wall_ns - 1;
      if (i == 0 || one < overhead) bare = without, stamped = with, overhead = one;
    }
    device.blocks()->release(word);
    const float wrong = product_error(device, *stream);
    const long long step_ns = timer_step_ns(device, *stream);
    const double over_wall = stamped.events_ns / stamped.wall_ns;
    fmt::print(R"({{"gpu":"{}","product_error":{},"operations":{},"operation_ns":{},"wall_ns":{:.0f},"events_ns":{:.0f},"events_over_wall":{:.5f},)"
               R"("longest_ns":{:.0f},"bare_wall_ns":{:.0f},"overhead":{:.5f},"timer_step_ns":{},"clock_error_ns":{}}})"
               "\n",
               device.description(), wrong, kOperations, kOperationNs, stamped.wall_ns, stamped.events_ns, over_wall, stamped.worst_ns, bare.wall_ns,
               overhead, step_ns, device.clock_error_ns());
    int status = 0;
    const auto require = [&](bool holds, const std::string& sentence) {
      if (holds) return;
      fmt::print(stderr, "{}\n", sentence);
      status = 1;
    };
    require(wrong == 0, fmt::format("Products of small whole numbers are wrong by up to {}.", wrong));
    require(over_wall <= 1 + kRounding, fmt::format("The events tell {:.5f} times the time that passed on the host's clock around them.", over_wall));
    require(overhead <= kOverhead, fmt::format("Recording costs {:.1f} % of steps of 1 ms; {:.0f} % is the budget.", overhead * 100, kOverhead * 100));
    require(step_ns <= kTimerStepNs, fmt::format("The GPU's timer goes in steps of {} ns, too coarse to pace computation by it.", step_ns));
    return status;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}.\n", error.what());
    return 1;
  }
}
