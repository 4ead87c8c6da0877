// A trace of ours, the same in an older format, and a file of another tool.
#pragma once
#include <iterator>

#include "app/trace/save_run.h"
#include "tests/gui/temporary.h"
#include "tests/support/catch.h"

/// The three files, in a folder that goes with the test.
struct TraceFiles {
  explicit TraceFiles(const p2plab::trace::Trace& trace) {
    p2plab::trace::save_run(trace, good);
    std::ifstream in(good, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = bytes.find("p2plab.trace/1");
    REQUIRE(at != std::string::npos);
    bytes[at + 13] = '0';
    folder.write("old.pftrace", bytes);
    folder.write("foreign.json", R"({"traceEvents":[]})");
  }
  Temporary folder;
  std::filesystem::path good = folder.path / "good.pftrace", old = folder.path / "old.pftrace", foreign = folder.path / "foreign.json", none = folder.path / "none.pftrace";
};
