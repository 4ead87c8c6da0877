// --open FILE and --after, in the window itself.
#include <chrono>

#include "tests/gui/trace_files.h"
#include "tests/gui/window_fixture.h"

using namespace p2plab::window_test;
namespace report = p2plab::report;
namespace trace = p2plab::trace;

TEST_CASE("--open shows a good file, and refuses the others with one sentence and status 2, in either language") {
  if (skipped()) return;
  trace::Trace trace;
  trace.run.demo = "deadlock";
  trace.run.backend = "host";
  trace.run.ranks = 2;
  for (int rank = 0; rank < 2; ++rank) {
    trace::Span span;
    span.track = trace.track(rank, trace.intern("host"));
    span.kind = trace::Kind::send;
    span.name = trace.intern("send");
    span.peer = 1 - rank;
    trace.end(trace.begin(span), 1'000'000);
  }
  const TraceFiles files(trace);
  const auto png = files.folder.path / "shot.png";
  const auto good = gui({"--open", files.good.string(), "--lang", "en", "--screenshot", png.string(), "--exit"}, files.folder.path / "errors", display());
  INFO(good.errors);
  CHECK(good.status == 0);
  CHECK(pixels(look(png), report::Ink::send) > 1000);
  for (const auto& file : {files.old, files.foreign, files.none})
    for (const char* language : {"en", "zh"}) {
      const auto outcome = gui({"--open", file.string(), "--lang", language, "--exit"}, files.folder.path / "errors", display());
      INFO(file << " " << outcome.errors);
      CHECK(outcome.status == 2);
      CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
      CHECK(outcome.errors.find(file.filename().string()) != std::string::npos);
    }
}

TEST_CASE("--after waits its seconds before the picture and the end") {
  if (skipped()) return;
  Temporary folder;
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = gui({"--after", "2.5", "--exit"}, folder.path / "errors", display());
  INFO(outcome.errors);
  CHECK(outcome.status == 0);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(2500));  // no upper bound: the machine may be busy
}
