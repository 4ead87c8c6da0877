// A demo folder on disk and hand-made traces, for the tests of app/check.
#pragma once
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/check/judge.h"

namespace check_fixture {

namespace fs = std::filesystem;
using namespace p2plab;

/// DIR/toy with a demo.toml and its source; removed at the end.
class DemoFolder {
 public:
  explicit DemoFolder(const std::string& toml) {
    static std::atomic<int> count{0};
    root_ = fs::temp_directory_path() / ("p2plab-check-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    fs::create_directories(folder());
    std::ofstream(folder() / "demo.toml") << toml;
    std::ofstream(folder() / "toy.cpp") << "// toy\n";
  }
  ~DemoFolder() { fs::remove_all(root_); }
  fs::path folder() const { return root_ / "toy"; }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

inline std::string head() {
  return R"(
id = "toy"
ranks = 2
min_ranks = 2
max_ranks = 4
semantics = ["mpi", "nccl"]
source = "toy.cpp"
metrics = ["eager_limit_bytes", "detect_ns"]
title = { en = "Toy", zh = "玩具" }
claim = { en = "It works.", zh = "它能用。" }
)";
}

inline std::string knobs() {
  return R"(
[[knob]]
id = "variant"
default = "broken"
choices = ["broken", "fixed"]
title = { en = "Variant", zh = "写法" }
help = { en = "Which.", zh = "哪一种。" }
[[knob]]
id = "bytes"
type = "bytes"
default = "1M"
min = 1
max = "16M"
title = { en = "Size", zh = "大小" }
help = { en = "How many.", zh = "多少。" }
[[knob]]
id = "rounds"
default = 3
min = 0
max = 10
title = { en = "Rounds", zh = "轮数" }
help = { en = "How often.", zh = "次数。" }
)";
}

inline std::string promises() {
  return R"(
[[promise]]
when = { variant = "broken", strict = true }
verdict = "deadlock"
says = { en = "strict hangs", zh = "严格模式会卡住" }
[[promise]]
when = { variant = "broken", above_eager = true }
verdict = "deadlock"
says = { en = "large hangs", zh = "大消息会卡住" }
[[promise]]
when = { variant = "broken", above_eager = false }
verdict = "unsafe"
says = { en = "small passes", zh = "小消息能通过" }
[[promise]]
when = { variant = "fixed" }
verdict = "pass"
says = { en = "always passes", zh = "总能通过" }
[regions]
broken = "broken"
[fixes]
broken = "fixed"
)";
}

inline check::DemoManifest toy() { return check::load_demo(DemoFolder(head() + knobs() + promises()).folder()); }

inline check::RunRequest toy_request(std::map<std::string, std::string> knobs = {}) {
  check::RunRequest request;
  request.demo = "toy";
  request.knobs = std::move(knobs);
  return check::complete(toy(), request);
}

/// Two ranks; rank 0 sends `bytes` to rank 1.
struct Traced {
  trace::Trace trace;
  trace::SpanId send = 0, receive = 0;
  Traced() {
    trace.run.ranks = 2;
    trace.run.semantics = "mpi";
    send = add(0, trace::Kind::send, "isend", 1);
    receive = add(1, trace::Kind::receive, "irecv", 0);
    trace.messages().push_back({send, receive, 20, 20, 30});
  }
  trace::SpanId add(int rank, trace::Kind kind, const char* name, int peer) {
    trace::Span span;
    span.begin = 10;
    span.track = trace.track(rank, trace.in_flight_lane());
    span.kind = kind;
    span.flags = trace::kInFlight;
    span.name = trace.intern(name);
    span.site = trace.intern("demos/toy/toy.cpp:12");
    span.peer = peer;
    span.tag = 0;
    span.request = 1;
    span.bytes = 64;
    const trace::SpanId id = trace.begin(span);
    trace.end(id, 30);
    return id;
  }
  void metric(int rank, const char* name, double value) { trace.add(trace::Metric{rank, trace.intern(name), value}); }
};

/// A job that ended well.
inline launch::JobStatus well() {
  launch::JobStatus job;
  job.end = launch::JobEnd::finished;
  job.exit_status = 0;
  for (int rank = 0; rank < 2; ++rank) job.ranks.push_back({rank, 0, {}});
  return job;
}

}  // namespace check_fixture
