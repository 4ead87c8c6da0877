// Where a benchmark's numbers go.
#include "app/cli/bench.h"

#include <cstdio>

#include "app/trace/atomic_file.h"

namespace p2plab::cli {

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
