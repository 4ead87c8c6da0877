// p2plab-gpu-measure: how far the times of events are from those of the host's clock, and what a pair of events costs, at
// operations of 1 ms. One line of JSON; used by tests/device/check.sh and the tests.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "demos/p2p/gpu/device.h"
#include "demos/p2p/waiting.h"

using namespace p2p;

namespace {

constexpr int kOperations = 200;
constexpr long long kOperationNs = 1'000'000;

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
    gpu::Gpu device(0);
    const auto clock = p2plab::trace::ClockScale::calibrate();
    device.start_clock(clock);
    const auto stream = device.stream("measure");
    std::byte* word = device.blocks()->allocate(sizeof(long long));
    run(device, *stream, word, true, clock);  // events and kernels are made now
    const Run bare = run(device, *stream, word, false, clock), stamped = run(device, *stream, word, true, clock);
    device.blocks()->release(word);
    const float wrong = product_error(device, *stream);
    fmt::print(R"({{"gpu":"{}","product_error":{},"operations":{},"operation_ns":{},"wall_ns":{:.0f},"events_ns":{:.0f},"events_over_wall":{:.5f},)"
               R"("longest_ns":{:.0f},"bare_wall_ns":{:.0f},"overhead":{:.5f},"clock_error_ns":{}}})"
               "\n",
               device.description(), wrong, kOperations, kOperationNs, stamped.wall_ns, stamped.events_ns, stamped.events_ns / stamped.wall_ns,
               stamped.worst_ns, bare.wall_ns, stamped.wall_ns / bare.wall_ns - 1, device.clock_error_ns());
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}.\n", error.what());
    return 1;
  }
}
