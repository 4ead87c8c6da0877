// p2plab bench record: what one recorded span costs, in units of reading the system clock twice.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "app/cli/bench.h"
#include "app/cli/scratch.h"
#include "app/trace/recorder.h"

namespace p2plab::cli {
namespace {

using namespace trace;

constexpr int kRounds = 2001;
constexpr int kBatch = 1000;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Time of one of kBatch repetitions of `what`, ns.
template <class What>
double cost_ns(What&& what) {
  const Ns start = monotonic_ns();
  for (int i = 0; i < kBatch; ++i) what(i);
  return static_cast<double>(monotonic_ns() - start) / kBatch;
}

}  // namespace

int bench_record(const content::Text& text, const BenchOptions& options) {
  const Scratch scratch("p2plab-bench");
  const ClockScale clock = ClockScale::calibrate();
  Recorder recorder(scratch.path(), 0, clock);
  RingHeader& header = recorder.ring()->header();
  const StringHandle lane = recorder.intern("host"), name = recorder.intern("send");

  Ns sink = 0;
  const auto read_clock_twice = [&](int) { sink ^= monotonic_ns() ^ monotonic_ns(); };
  // As the runtime does it: the thread's ring, the call site, all arguments of a send.
  const auto record_span = [&](int i) {
    RingWriter* ring = recorder.ring();
    Record begin;
    begin.id = ring->next_id();
    begin.type = RecordType::begin;
    begin.kind = Kind::send;
    begin.flags = kBlocking;
    begin.lane = lane;
    begin.name = name;
    begin.site = recorder.site(std::source_location::current());
    begin.peer = 1;
    begin.tag = i;
    begin.bytes = 65536;
    begin.request = i;
    ring->push(begin);
    ring->end(begin.id);
  };

  std::vector<double> clock_ns, span_ns, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double two_reads = cost_ns(read_clock_twice);
    const double span = cost_ns(record_span);
    header.tail.store(header.head.load(std::memory_order_acquire), std::memory_order_release);
    clock_ns.push_back(two_reads);
    span_ns.push_back(span);
    ratios.push_back(span / two_reads);
  }
  if (sink == 1) clock_ns.push_back(0);  // the clock has to be read

  const double ratio = median(ratios);
  const bool met = ratio <= 1.0 && header.dropped.load() == 0;
  const std::string source = clock.uses_tsc != 0 ? "tsc" : "clock_gettime";
  const auto two = [](double v) { return fmt::format("{:.1f}", v); };
  const std::string table = text("bench-record.table", {{"span_ns", two(median(span_ns))},
                                                        {"clock_ns", two(median(clock_ns))},
                                                        {"ratio", fmt::format("{:.2f}", ratio)},
                                                        {"source", source},
                                                        {"spans", std::to_string(kRounds * kBatch)}}) +
                            "\n";
  const nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"},
                                       {"bench", "record"},
                                       {"clock_source", source},
                                       {"spans", kRounds * kBatch},
                                       {"dropped", header.dropped.load()},
                                       {"span_ns", median(span_ns)},
                                       {"clock_pair_ns", median(clock_ns)},
                                       {"ratio", ratio},
                                       {"target_ratio", 1.0},
                                       {"met", met},
                                       {"machine", {{"cores", std::thread::hardware_concurrency()}}}};
  print_bench(options, table, json.dump());
  return met ? 0 : 1;
}

}  // namespace p2plab::cli
