// Runs in the window's model: what ends them, and that nothing that a learner does waits for a verdict.
#include "app/gui/model/session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/gui/temporary.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

/// A run on the virtual clock whose judge gets no further than a pipe, until somebody lets it.
class SlowJudge {
 public:
  explicit SlowJudge(const std::filesystem::path& job) : pipe_(job / "other-build") { REQUIRE(::mkfifo(pipe_.c_str(), 0600) == 0); }  // read first of all
  ~SlowJudge() { let_go(); }
  void let_go() {
    if (released_.exchange(true)) return;
    for (int i = 0; i < 10'000; ++i) {  // until the judge has come to read
      const int end = ::open(pipe_.c_str(), O_WRONLY | O_NONBLOCK);
      if (end >= 0) return static_cast<void>(::close(end));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  bool released() const { return released_; }

 private:
  std::filesystem::path pipe_;
  std::atomic<bool> released_ = false;
};

/// So that a test fails instead of standing still.
class Patience {
 public:
  explicit Patience(SlowJudge& judge) : thread_([this, &judge] {
    for (int i = 0; i < 3000 && !over_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    judge.let_go();
  }) {}
  ~Patience() {
    over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

struct Lab {
  Session session{launch::Installation::find()};
  check::DemoManifest demo = check::load_demo(session.installation().demos() / "corruption");

  void start() {
    check::RunRequest request;
    request.demo = demo.id;
    request.backend = "sim";
    session.start(demo, request);
    REQUIRE_FALSE(session.error());
  }
  void poll_until(const std::function<bool()>& reached) {
    for (int i = 0; i < 60'000 && !reached(); ++i) {
      session.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    REQUIRE(reached());
  }
};

}  // namespace

TEST_CASE("while a verdict is thought about, neither stopping nor the next run nor a saved trace waits for it") {
  Lab lab;
  lab.start();
  SlowJudge judge(lab.session.run()->directory());
  Patience patience(judge);
  lab.poll_until([&] { return lab.session.run()->judging(); });
  lab.session.cancel();
  CHECK(lab.session.running());
  CHECK_FALSE(judge.released());
  lab.start();
  CHECK_FALSE(judge.released());
  lab.poll_until([&] { return lab.session.finished(); });
  CHECK(lab.session.result()->as_promised);
  CHECK_FALSE(judge.released());
}

TEST_CASE("a run that is stopped has no verdict, keeps its trace, and ends by itself from then on") {
  Lab lab;
  lab.start();
  lab.session.cancel();
  lab.poll_until([&] { return lab.session.finished(); });
  CHECK(lab.session.result()->verdict == analysis::Verdict::not_run);
  CHECK(lab.session.trace()->run.demo == "corruption");
}
