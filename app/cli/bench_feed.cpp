// p2plab bench feed: four ranks record into the live reader; nothing may be lost at the stated rate, and beyond it
// every loss must be counted.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "app/cli/bench.h"
#include "app/cli/scratch.h"
#include "app/trace/feed_reader.h"
#include "app/trace/recorder.h"

namespace p2plab::cli {
namespace {

using namespace trace;

constexpr int kProducers = 4;
constexpr double kRate = 1e6;  ///< records a second of each producer

// Shared by the lab and its producers.
struct Board {
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  std::atomic<std::uint64_t> produced[kProducers]{};
  std::atomic<Ns> took_ns[kProducers]{};
};

// Records `rate` records a second, or as many as it can if that is 0, until the time is over. At the stated rate a full ring is
// waited for, as in every run; without a limit what finds no room is dropped, and counted.
[[noreturn]] void produce(Board& board, const std::filesystem::path& dir, int rank, const ClockScale& clock,
                          double rate, double seconds) {
  Recorder recorder(dir, rank, clock, kRingSlots, rate > 0 ? kPatienceNs : 0);
  RingWriter* ring = recorder.ring();
  Record begin;
  begin.type = RecordType::begin;
  begin.kind = Kind::compute;
  begin.lane = recorder.intern("host");
  begin.name = recorder.intern("work");
  std::uint64_t produced = 0;
  const auto record_span = [&] {
    begin.id = ring->next_id();
    ring->push(begin);
    ring->end(begin.id);
    produced += 2;
  };
  board.ready.fetch_add(1);
  while (!board.go.load()) ::usleep(100);
  const Ns start = monotonic_ns(), length = static_cast<Ns>(seconds * 1e9);
  for (Ns elapsed = 0; elapsed < length; elapsed = monotonic_ns() - start) {
    if (rate > 0) {
      const auto due = static_cast<std::uint64_t>(static_cast<double>(elapsed) * 1e-9 * rate);
      while (produced < due) record_span();
      ::usleep(200);
    } else {
      for (int i = 0; i < 1000; ++i) record_span();
    }
  }
  board.took_ns[rank] = monotonic_ns() - start;
  board.produced[rank] = produced;
  recorder.finished();
  ::_exit(0);
}

// CPU time of this thread: other programs on the machine do not count.
Ns cpu_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<Ns>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

struct Outcome {
  std::uint64_t produced = 0, read = 0, dropped = 0;
  double rate = 0;          ///< records a second, all producers together
  double reader_share = 0;  ///< CPU time of reading over the time of recording
  double read_ns() const { return read > 0 ? reader_cpu_ns / static_cast<double>(read) : 0; }
  double reader_cpu_ns = 0;
  bool producers_well = true;
  bool exact() const { return producers_well && read + dropped == produced; }
};

Outcome run(double rate, double seconds) {
  const Scratch scratch("p2plab-bench");
  const ClockScale clock = ClockScale::calibrate();
  void* memory = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("job.shm_full", {{"path", scratch.path().string()}}, 3);
  Board& board = *new (memory) Board;
  std::vector<pid_t> children;
  for (int rank = 0; rank < kProducers; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        produce(board, scratch.path(), rank, clock, rate, seconds);
      } catch (...) {
        ::_exit(1);
      }
    }
    if (child > 0) children.push_back(child);
  }

  Outcome outcome;
  outcome.producers_well = children.size() == kProducers;
  Trace trace;
  FeedReader reader(scratch.path(), kProducers, clock);
  Ns busy = 0;
  const auto poll = [&] {
    const Ns start = cpu_ns();
    const std::size_t moved = reader.poll(trace);
    busy += cpu_ns() - start;
    outcome.read += moved;
    return moved;
  };
  bool started = false;
  std::size_t running = children.size();
  while (running > 0) {
    if (!started && board.ready.load() == kProducers) {
      board.go = true;
      started = true;
    }
    for (pid_t& child : children) {
      int status = 0;
      if (child <= 0 || ::waitpid(child, &status, WNOHANG) != child) continue;
      outcome.producers_well = outcome.producers_well && status == 0;
      child = 0;
      --running;
      if (status != 0) board.go = true;  // the others must not wait for it
    }
    if (poll() < 8192) ::usleep(2000);
  }
  while (poll() != 0) {
  }
  double took = 0;
  for (int rank = 0; rank < kProducers; ++rank) {
    outcome.produced += board.produced[rank].load();
    took = std::max(took, static_cast<double>(board.took_ns[rank].load()) * 1e-9);
  }
  outcome.dropped = trace.dropped();
  outcome.rate = took > 0 ? static_cast<double>(outcome.produced) / took : 0;
  outcome.reader_cpu_ns = static_cast<double>(busy);
  outcome.reader_share = took > 0 ? static_cast<double>(busy) * 1e-9 / took : 0;
  ::munmap(memory, sizeof(Board));
  return outcome;
}

nlohmann::ordered_json as_json(const Outcome& o) {
  return {{"produced", o.produced},
          {"read", o.read},
          {"dropped", o.dropped},
          {"exact", o.exact()},
          {"records_per_s", o.rate},
          {"reader_core_share", o.reader_share},
          {"read_ns_per_record", o.read_ns()}};
}

}  // namespace

int bench_feed(const content::Text& text, const BenchOptions& options) {
  const Outcome paced = run(kRate, options.seconds);
  const Outcome flat_out = run(0, 1.0);
  const bool met = paced.exact() && paced.dropped == 0 && paced.rate >= 0.98 * kProducers * kRate && flat_out.exact();
  const auto row = [&](const char* id, const Outcome& o) {
    return text(id, {{"rate", fmt::format("{:.2f}", o.rate * 1e-6)},
                     {"produced", std::to_string(o.produced)},
                     {"read", std::to_string(o.read)},
                     {"dropped", std::to_string(o.dropped)},
                     {"share", fmt::format("{:.0f}", o.reader_share * 100)}}) +
           "\n";
  };
  const nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"},
                                       {"bench", "feed"},
                                       {"producers", kProducers},
                                       {"ring_slots", kRingSlots},
                                       {"paced", as_json(paced)},
                                       {"flat_out", as_json(flat_out)},
                                       {"met", met},
                                       {"machine", {{"cores", std::thread::hardware_concurrency()}}}};
  print_bench(options, row("bench-feed.paced", paced) + row("bench-feed.flat-out", flat_out), json.dump());
  return met ? 0 : 1;
}

}  // namespace p2plab::cli
