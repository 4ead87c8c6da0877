// What a benchmark's job records, and where its numbers go.
#include "app/cli/bench.h"

#include <cstdio>
#include <thread>

#include "app/trace/atomic_file.h"
#include "app/trace/control.h"
#include "app/trace/feed_reader.h"

namespace p2plab::cli {

trace::Trace recording_of(launch::Job& job) {
  const auto control = trace::Control::open(job.directory());
  trace::FeedReader reader(job.directory(), control.page().ranks, control.page().clock);
  trace::Trace trace;
  while (job.poll()) {
    reader.poll(trace);
    std::this_thread::sleep_for(reader.rest());
  }
  reader.poll(trace);
  return trace;
}

void print_bench(const BenchOptions& options, const std::string& table, const std::string& json) {
  std::FILE* people = options.json == "-" ? stderr : stdout;
  std::fputs(table.c_str(), people);
  if (options.json.empty()) return;
  if (options.json == "-") {
    std::fputs((json + "\n").c_str(), stdout);
  } else {
    trace::write_file(options.json, json + "\n");
  }
}

}  // namespace p2plab::cli
