// One process, no cluster: load the next batch while computing on this one. The same picture of two streams as
// nonblocking P2P, and the same rule: a buffer belongs to the loader until its event.
#include <array>
#include <atomic>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/p2p/world.h"
#include "demos/prefetch/batches.h"

using namespace p2p;

namespace {

struct Epoch {
  World& world;
  const Batches& batches;
  const int count;
  const std::chrono::microseconds load_time, compute_time;
  std::vector<Tensor> buffers;
  std::atomic<int> wrong{0};  ///< batches used that were not the ones to be used

  Tensor& buffer(int batch) { return buffers[static_cast<std::size_t>(batch) % buffers.size()]; }
  /// A real read of the file; the lane is held for the stated time in all, as by a slower disk and decoding.
  void load(int batch, const Stream& on) {
    world.compute({Kind::copy, "load", batch}, load_time, [this, batch] { batches.read(batch, buffer(batch).bytes()); }, &on);
  }
  void train(int batch, const Stream& on) {
    const auto forward = compute_time / 3;
    world.compute({Kind::compute, "forward", batch}, forward, {}, &on);
    // Looked at in mid-step, when no load begins: on a virtual clock two lanes at one instant would race in real time.
    world.compute({Kind::compute, "backward", batch}, compute_time - forward, [this, batch] {
      if (!Batches::is(batch, buffer(batch).bytes())) ++wrong;
    }, &on);
  }
};

// [serial]
void serial(Epoch& epoch) {
  Stream compute = epoch.world.stream("compute");
  for (int batch = 0; batch < epoch.count; ++batch) {
    epoch.load(batch, compute);  // the same lane: one after the other
    epoch.train(batch, compute);
  }
  compute.synchronize();
}
// [end]

// [prefetch]
void prefetch(Epoch& epoch) {
  Stream io = epoch.world.stream("io"), compute = epoch.world.stream("compute");
  std::vector<Event> used(epoch.buffers.size());
  for (int batch = 0; batch < epoch.count; ++batch) {
    Event& last_use = used[static_cast<std::size_t>(batch) % used.size()];
    if (batch >= static_cast<int>(used.size())) io.wait(last_use);  // this buffer is free again
    epoch.load(batch, io);
    compute.wait(io.record());  // this batch is there
    epoch.train(batch, compute);
    last_use = compute.record();
  }
  compute.synchronize();
}
// [end]

// [too-early]
void too_early(Epoch& epoch) {
  Stream io = epoch.world.stream("io"), compute = epoch.world.stream("compute");
  for (int batch = 0; batch < epoch.count; ++batch) {
    epoch.load(batch, io);  // nobody asks whether the last batch in this buffer has been used,
    epoch.train(batch, compute);  // nor whether this one has come
  }
  io.synchronize();
  compute.synchronize();
}
// [end]

double time_of(Epoch& epoch, void (*variant)(Epoch&)) {
  const std::int64_t begin = epoch.world.now_ns();
  variant(epoch);
  return static_cast<double>(epoch.world.now_ns() - begin);
}

void train(World& world) {
  const auto variant = world.knob("variant", "prefetch");
  const auto count = static_cast<int>(world.knob("batches", 12));
  const auto bytes = static_cast<std::size_t>(world.knob("bytes", 1 << 20));
  const Batches batches(count, bytes);
  Epoch epoch{world, batches, count, std::chrono::microseconds(world.knob("load_us", 6000)), std::chrono::microseconds(world.knob("compute_us", 8000)), {}};
  for (std::int64_t i = 0; i < world.knob("buffers", 2); ++i) epoch.buffers.push_back(Tensor::bytes_of(bytes));
  for (const char* name : {"io", "compute"}) world.stream(name).synchronize();  // their threads have begun

  struct Variant {
    std::string_view name;
    void (*run)(Epoch&);
  };
  constexpr std::array variants{Variant{"serial", serial}, Variant{"prefetch", prefetch}, Variant{"too-early", too_early}};
  double serial_ns = 0, chosen_ns = -1;
  for (const auto& [name, run_epoch] : variants) {
    if (name != "serial" && name != variant) continue;  // what is compared with is measured in the same run
    const auto span = world.span(name);
    const double time = time_of(epoch, run_epoch);
    row(world, "epochs", {{"variant", name}, {"epoch_ns", time}});
    if (name == "serial") serial_ns = time;
    if (name == variant) chosen_ns = time;
  }
  if (chosen_ns < 0) throw std::runtime_error("The demo prefetch has no variant '" + variant + "'; see p2plab demos.");
  const auto load = static_cast<double>(epoch.load_time.count()) * 1e3, compute = static_cast<double>(epoch.compute_time.count()) * 1e3;
  // The first load has nothing to hide behind: T = Tl + (n-1) max(Tl, Tc) + Tc.
  // With a single buffer each load has to wait for the last use, and nothing overlaps.
  // Too early nothing waits for anything, and the longer of the two lanes is all of it.
  const bool early = variant == "too-early", overlaps = early || (variant != "serial" && epoch.buffers.size() > 1);
  const double ideal = early ? count * std::max(load, compute) : overlaps ? load + (count - 1) * std::max(load, compute) + compute : count * (load + compute);
  world.metric("gain_times", serial_ns / chosen_ns);
  world.metric("bound_times", overlaps && std::max(load, compute) > 0 ? (load + compute) / std::max(load, compute) : 1);
  world.metric("epoch_ns", chosen_ns);
  world.metric("ideal_ns", ideal);
  world.metric("serial_ns", serial_ns);
  world.metric("corrupt_bytes", static_cast<double>(epoch.wrong.load()) * static_cast<double>(bytes));
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, train); }
