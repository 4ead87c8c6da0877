// The labs as the window knows them: begun, checked beside the window, stopped, watched, hinted at, opened in an editor.
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "app/gui/model/labs.h"
#include "tests/gui/temporary.h"
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace toy;
using gui::Labs;
using gui::LabText;
using analysis::Verdict;

namespace {

/// A learner with a toy lab, a data directory and a working directory of his own.
class Learner {
 public:
  explicit Learner(const std::string& limits = "wall_s = 20") : lab(limits), before_(fs::current_path()) {
    setenv("XDG_DATA_HOME", (place.path / "data").c_str(), 1);
    fs::create_directory(place.path / "desk");
    fs::current_path(place.path / "desk");
    std::ofstream(lab.folder() / "starter.cpp") << program("MPI_Barrier(MPI_COMM_WORLD);\n", "// starter\n");
    for (const char* task : {"task.en.md", "task.zh.md"}) std::ofstream(lab.folder() / task) << "# Toy\n\n## Goal\nSend `one` **message**.\n";
    labs.use(lab.root());
    labs.open("1");
  }
  ~Learner() {
    fs::current_path(before_);
    unsetenv("XDG_DATA_HOME");
  }
  fs::path file() const { return place.path / "desk/01-toy/toy.cpp"; }
  void writes(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }
  /// Polls until a result has come; a hang ends the test after two minutes.
  bool result(int before) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (labs.results() == before && std::chrono::steady_clock::now() < until) {
      const auto begin = std::chrono::steady_clock::now();
      labs.poll();
      slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return labs.results() != before;
  }

  Lab lab;
  Temporary place;
  double slowest = 0;  ///< seconds that one poll took
  Labs labs{installation()};

 private:
  fs::path before_;
};

}  // namespace

TEST_CASE("A lab is begun, checked beside the window, and each finding leads to a span of its own run") {
  Learner me;
  REQUIRE(me.labs.lab() != nullptr);
  CHECK(me.labs.folder().empty());
  me.labs.check();
  CHECK_FALSE(me.labs.checking());
  REQUIRE(me.labs.problem());
  CHECK(me.labs.problem()->id == "lab.not_started");
  me.labs.start(content::Language::en);
  CHECK_FALSE(me.labs.problem());
  CHECK(fs::exists(me.file()));
  CHECK(me.labs.state("01-toy").folder == me.file().parent_path());
  REQUIRE(me.labs.task(content::Language::zh) != nullptr);

  me.writes(program("MPI_Recv(&in, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  const int before = me.labs.results();
  me.labs.check();
  CHECK(me.labs.checking());
  REQUIRE(me.result(before));
  REQUIRE(me.labs.result());
  CHECK(me.labs.result()->verdict == Verdict::deadlock);
  const check::LabOutcome* failure = me.labs.result()->first_failure();
  REQUIRE(failure != nullptr);
  REQUIRE(failure->trace);
  CHECK(failure->trace == me.labs.result()->trace);
  REQUIRE(failure->findings.size() == 1);
  for (const auto& site : failure->findings[0].sites) {
    REQUIRE(site.span < failure->trace->spans().size());
    CHECK(failure->trace->name(failure->trace->span(site.span).name) == site.call);
  }
  CHECK(me.labs.state("01-toy").checks == 1);
  CHECK(me.slowest < 5);  // a check takes longer; a poll does not wait for it

  me.writes(program());
  me.labs.check();
  REQUIRE(me.result(before + 1));
  CHECK(me.labs.result()->verdict == Verdict::pass);
  CHECK(me.labs.state("01-toy").passed);
}

TEST_CASE("A check is stopped while it runs, and one of a lab that is left leaves nothing") {
  setenv("P2PLAB_TEST_MARK", std::to_string(getpid()).c_str(), 1);
  Learner me("wall_s = 100");
  me.labs.start(content::Language::en);
  me.writes(program("for (volatile int i = 0;; ++i) {}"));
  const int before = me.labs.results();
  me.labs.check();
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!me.labs.under_way()->now() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(me.labs.under_way()->now());
  me.labs.cancel();
  REQUIRE(me.result(before));
  CHECK(me.labs.result()->cancelled);
  CHECK(me.labs.state("01-toy").checks == 0);
  CHECK(left_processes() == 0);
  me.labs.check();
  me.labs.close();  // while it compiles
  CHECK_FALSE(me.labs.checking());
  CHECK(me.labs.lab() == nullptr);
}

TEST_CASE("Watching checks at once and again on every save") {
  Learner me;
  me.labs.start(content::Language::en);
  me.writes("int main( {\n");
  int before = me.labs.results();
  me.labs.watch(true);
  CHECK(me.labs.watches());
  REQUIRE(me.result(before));
  CHECK(me.labs.result()->verdict == Verdict::build_error);
  before = me.labs.results();
  me.writes(program());
  REQUIRE(me.result(before));
  CHECK(me.labs.result()->verdict == Verdict::pass);
  me.labs.watch(false);
  CHECK_FALSE(me.labs.watches());
}

TEST_CASE("Hints come one by one and are kept; the solution is shown after a pass, or when it is asked for twice") {
  Learner me;
  CHECK(me.labs.hints() == 0);
  for (int rung = 1; rung <= 6; ++rung) {
    me.labs.next_hint();
    CHECK(me.labs.hints() == std::min(rung, 4));
  }
  CHECK(me.labs.shown == LabText::hints);
  me.labs.open("01-toy");
  CHECK(me.labs.hints() == 4);
  std::ofstream(me.lab.folder() / "solution.cpp") << program();
  CHECK_FALSE(me.labs.may_see_solution());
  me.labs.show_solution();
  CHECK(me.labs.solution().empty());
  me.labs.show_solution();
  CHECK(me.labs.solution() == program());
  CHECK(me.labs.state("01-toy").solution);
}

TEST_CASE("What is there already is not overwritten, and putting the starter back keeps it") {
  Learner me;
  fs::create_directory(me.file().parent_path());
  me.writes("mine\n");
  me.labs.start(content::Language::zh);
  REQUIRE(me.labs.problem());
  CHECK(me.labs.problem()->id == "lab.would_overwrite");
  me.labs.reset(content::Language::zh);
  CHECK_FALSE(me.labs.problem());
  CHECK(fs::exists(me.file().string() + ".1.old"));
}

TEST_CASE("The file is opened in the learner's editor; without one, or with one that fails, that is one sentence") {
  Learner me;
  me.labs.start(content::Language::en);
  const auto seen = me.place.path / "seen";
  const auto script = me.place.write("my-editor", "#!/bin/sh\nprintf %s \"$2\" > '" + seen.string() + ".part' && mv '" + seen.string() + ".part' '" + seen.string() + "'\n");
  ::chmod(script.c_str(), 0700);
  setenv("VISUAL", (script.string() + " --wait").c_str(), 1);
  me.labs.edit();
  CHECK_FALSE(me.labs.problem());
  for (int i = 0; i < 6000 && !fs::exists(seen); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::ifstream in(seen);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == me.file().string());

  setenv("VISUAL", "false", 1);
  me.labs.edit();
  for (int i = 0; i < 6000 && !me.labs.problem(); ++i) {
    me.labs.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE(me.labs.problem());
  CHECK(me.labs.problem()->id == "labs.editor_ended");

  setenv("VISUAL", "no-such-editor-anywhere", 1);
  me.labs.edit();
  REQUIRE(me.labs.problem());
  CHECK(me.labs.problem()->id == "labs.no_editor");
  unsetenv("VISUAL");
}

TEST_CASE("A broken lab is named, the others are listed, and opening it says why it cannot be used") {
  Learner me;
  fs::create_directory(me.lab.root() / "02-broken");
  std::ofstream(me.lab.root() / "02-broken/lab.toml") << "version = 1\nid = \"02-broken\"\nnonsense = 3\n";
  Labs labs(installation());
  labs.use(me.lab.root());
  CHECK(labs.all().size() == 1);
  REQUIRE(labs.broken().size() == 1);
  CHECK(labs.broken()[0].id == "02-broken");
  labs.open("2");
  CHECK(labs.lab() == nullptr);
  REQUIRE(labs.error());
  CHECK(labs.error()->id == "manifest.broken");
  labs.open("1");
  CHECK(labs.lab() != nullptr);
}
