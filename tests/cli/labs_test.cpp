// The labs' subcommands as a learner and a grader use them: start, check, hints, solution, reset; exit statuses, JSON, files.
#include <pty.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "app/report/utf8.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string kLabs = P2PLAB_SOURCE_DIR "/labs";
const std::string kFirst = kLabs + "/01-hello-ping-pong";

/// A learner with a data directory of his own.
struct Learner {
  Scratch scratch;
  Ended say(std::vector<std::string> words, const std::string& language = "en") const {
    words.insert(words.end(), {"--lang", language, "--labs", kLabs});
    return cli_test::p2plab(words, {{"XDG_DATA_HOME", (scratch / "data").string()}});
  }
};

/// What p2plab writes to a terminal so wide.
std::string on_screen(int columns, const std::vector<std::string>& arguments, const fs::path& data) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 50;
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    setenv("NO_COLOR", "1", 1);
    setenv("XDG_DATA_HOME", data.c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(P2PLAB_BUILD_DIR "/bin/p2plab")};
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    alarm(120);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string out;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  waitpid(pid, nullptr, 0);
  close(terminal);
  const std::size_t cleared = out.rfind("\x1b[2K");  // the live timeline
  return cleared == std::string::npos ? out : out.substr(cleared + 4);
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r'; });
  return text;
}

}  // namespace

TEST_CASE("On a screen what the labs say is broken between words into lines that fit; a pipe gets each paragraph whole") {
  const Learner learner;
  fs::create_directories(learner.scratch / "empty");
  const std::string empty = (learner.scratch / "empty").string(), mine = (learner.scratch / "mine").string();
  for (const std::string language : {"en", "zh"}) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"labs"}, {"next"}, {"hint", "3", "--rung", "2"}, {"start", "3", mine}, {"check", "1", empty}, {"check", "1", kFirst + "/solution.cpp"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--lang", language, "--labs", kLabs});
      INFO(words[0] << " " << language);
      const std::string screen = on_screen(50, all, learner.scratch / "data");
      std::istringstream rows(screen);
      for (std::string row; std::getline(rows, row);) {
        if (!row.empty() && row.back() == '\r') row.pop_back();
        INFO(row);
        CHECK(p2plab::report::columns(row) <= 50);
      }
      if (words[0] == "check" && words[2] != empty) continue;  // holds times
      const Ended piped = learner.say(words, language);
      if (words[0] == "start") continue;                       // the second time says that it is started
      CHECK(without_spaces(screen) == without_spaces(piped.out));
    }
  }
}

TEST_CASE("A learner starts a lab, is told what is missing, and passes") {
  const Learner learner;
  const std::string mine = (learner.scratch / "我的 lab").string();
  CHECK(learner.say({"start", "1", mine}).status == 0);
  CHECK(fs::exists(mine + "/ping_pong.cpp"));

  const Ended first = learner.say({"check", "1", "--json", "-", "--seed", "7"});
  CHECK(first.status == 1);
  const json result = json::parse(first.out);
  CHECK(result["schema"] == "p2plab.check/1");
  CHECK(result["lab"] == "01-hello-ping-pong");
  CHECK(result["verdict"] == "fail");
  CHECK(result["seed"] == 7);
  CHECK(result["score"] == 0.0);
  CHECK(result["max_score"] == 1.0);
  std::string verdicts;
  for (const json& check : result["checks"])
    if (!check["gate"].get<bool>()) verdicts += check["verdict"].get<std::string>() + " ";
  CHECK(verdicts == "fail not-run not-run ");
  CHECK(first.err.find("Expected 20 matched messages, saw 0.") != std::string::npos);

  CHECK(learner.say({"solution", "1"}).status == 1);
  const Ended hint = learner.say({"hint", "1"}, "zh");
  CHECK(hint.out.find("提示 1/4") != std::string::npos);
  const Ended second_hint = learner.say({"hint", "1"});
  CHECK(second_hint.out.find("Hint 2 of 4") != std::string::npos);
  CHECK(second_hint.out.find("The next rung") != std::string::npos);
  const Ended last_hint = learner.say({"hint", "2", "--rung", "4"});
  CHECK(last_hint.out.find("The next rung") == std::string::npos);
  CHECK(last_hint.out.find("the last of the four") != std::string::npos);

  fs::copy_file(kFirst + "/solution.cpp", mine + "/ping_pong.cpp", fs::copy_options::overwrite_existing);
  const std::string junit = (learner.scratch / "result.xml").string(), grades = (learner.scratch / "results.json").string();
  const Ended second = learner.say({"check", "hello-ping-pong", "--junit", junit, "--gradescope", grades});
  CHECK(second.status == 0);
  CHECK(read_file(junit).find("failures=\"0\"") != std::string::npos);
  CHECK(json::parse(read_file(grades))["score"] == 100.0);
  CHECK(learner.say({"solution", "1"}).out.find("MPI_Send") != std::string::npos);

  const json list = json::parse(learner.say({"labs", "--json", "-"}).out);
  CHECK(list["labs"][0]["state"] == "passed");
  CHECK(list["labs"][0]["hints"] == 2);
  CHECK(learner.say({"next"}).out.find("Next: 02-") == 0);

  CHECK(learner.say({"reset", "1"}).status == 0);
  CHECK(read_file(mine + "/ping_pong.cpp") == read_file(kFirst + "/starter.cpp"));
  CHECK(read_file(mine + "/ping_pong.cpp.1.old") == read_file(kFirst + "/solution.cpp"));
}

TEST_CASE("What is said of a learner's file is said of it by its own name") {
  const Learner learner;
  const std::string broken = (learner.scratch / "mine.cpp").string(), hangs = (learner.scratch / "my-try.cpp").string();
  std::ofstream(broken) << "int main() { return nothing; }\n";
  fs::copy_file(kLabs + "/03-deadlock-clinic/starter.cpp", hangs);
  for (const std::string lab : {"1", "3", "9"}) {
    const Ended ended = learner.say({"check", lab, broken});
    INFO(ended.out << ended.err);
    CHECK(ended.status == 1);
    CHECK(ended.out.find("mine.cpp does not compile") != std::string::npos);
    CHECK(ended.out.find("mine.cpp:1:") != std::string::npos);
    CHECK(ended.out.find("/mine.cpp") == std::string::npos);  // where its copy lies is nobody's business
    for (const char* ours : {"ping_pong.cpp", "clinic.cpp", "gpipe.cpp"}) CHECK(ended.out.find(ours) == std::string::npos);
  }
  const Ended ended = learner.say({"check", "3", hangs});
  INFO(ended.out);
  CHECK(ended.out.find("my-try.cpp:13") != std::string::npos);
  CHECK(ended.out.find("clinic.cpp") == std::string::npos);
}

TEST_CASE("What is told is as much as is to be disclosed") {
  const Learner learner;
  const Ended none = learner.say({"check", "1", kFirst + "/starter.cpp", "--json", "-", "--disclosure", "none"});
  const json told = json::parse(none.out);
  for (const json& check : told["checks"]) {
    CHECK(check["seen"].empty());
    CHECK(check["wanted"].empty());
    CHECK(check["findings"].empty());
  }
  CHECK(none.err.find("Expected") == std::string::npos);
}

TEST_CASE("Reports of a program that does not compile say why, and stay small however much the compiler says") {
  const Learner learner;
  const std::string file = (learner.scratch / "many.cpp").string(), junit = (learner.scratch / "result.xml").string(), grades = (learner.scratch / "results.json").string();
  std::ofstream out(file);
  for (int i = 0; i < 3000; ++i) out << "int f" << i << "() { return missing_" << i << "; }\n";
  out.close();
  const Ended ended = learner.say({"check", "1", file, "--json", "-", "--junit", junit, "--gradescope", grades});
  CHECK(ended.status == 1);
  const json result = json::parse(ended.out);
  CHECK(result["verdict"] == "build-error");
  for (const std::string& report : {ended.out, ended.err, read_file(junit), read_file(grades)}) {
    CHECK(report.size() < 100'000);
    CHECK(report.find("missing_0") != std::string::npos);
    CHECK(report.find(" B …]") != std::string::npos);
  }
}

TEST_CASE("A broken lab.toml is named with its line, and the other labs are listed and can be done") {
  const Learner learner;
  const fs::path labs = learner.scratch / "labs";
  fs::create_directory(labs);
  fs::copy(kFirst, labs / "01-hello-ping-pong", fs::copy_options::recursive);
  fs::copy(kLabs + "/common", labs / "common", fs::copy_options::recursive);
  fs::create_directory(labs / "02-broken");
  std::ofstream(labs / "02-broken/lab.toml") << "version = 1\nid = \"02-broken\"\ntitel = { en = \"a\", zh = \"b\" }\n";
  const auto say = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--labs", labs.string(), "--lang", "en"});
    return cli_test::p2plab(words, {{"XDG_DATA_HOME", (learner.scratch / "data").string()}});
  };
  const Ended list = say({"labs", "--json", "-"});
  CHECK(list.status == 2);
  CHECK(list.err.find("02-broken/lab.toml, line 3") != std::string::npos);
  const json said = json::parse(list.out);
  CHECK(said["labs"].size() == 1);
  CHECK(said["broken"][0]["id"] == "02-broken");
  CHECK(say({"hint", "1"}).status == 0);
  CHECK(say({"next"}).out.find("01-hello-ping-pong") != std::string::npos);
  const Ended broken = say({"hint", "2"});
  CHECK(broken.status == 2);
  CHECK(broken.err.find("line 3") != std::string::npos);
}

TEST_CASE("Mistakes on the command line of the labs are one sentence and exit status 2") {
  const Learner learner;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", "1"}, {"check", "hello-pingpong"}, {"check", "1", "/no/such/file.cpp"}, {"check", "1", kFirst + "/starter.cpp", "--repeat", "0"},
           {"check", "1", kFirst + "/starter.cpp", "--disclosure", "some"}, {"hint", "1", "--rung", "5"}}) {
    const Ended ended = learner.say(words);
    INFO(words[1]);
    CHECK(ended.status == 2);
    CHECK(std::count(ended.err.begin(), ended.err.end(), '\n') == 1);
  }
  CHECK(learner.say({"check", "helo-ping-pong"}).err.find("01-hello-ping-pong") != std::string::npos);
}

TEST_CASE("A result file holds no earlier result once a check was accepted, and is let alone where the command line is refused") {
  const Learner learner;
  const fs::path empty = learner.scratch / "nothing";
  fs::create_directory(empty);
  const fs::path json = learner.scratch / "r.json", junit = learner.scratch / "r.xml", grades = learner.scratch / "g.json";
  const auto old_results = [&] {
    for (const fs::path& file : {json, junit, grades}) std::ofstream(file) << "an earlier pass";
  };
  const std::vector<std::string> files = {"--json", json.string(), "--junit", junit.string(), "--gradescope", grades.string()};
  const auto check = [&](std::vector<std::string> words) {
    words.insert(words.end(), files.begin(), files.end());
    return learner.say(words);
  };
  old_results();
  CHECK(check({"check", "1", empty.string()}).status != 0);
  for (const fs::path& file : {json, junit, grades}) CHECK(read_file(file).find("an earlier pass") == std::string::npos);
  old_results();
  CHECK(check({"check", "1", kFirst + "/starter.cpp", "--repeat", "0"}).status == 2);
  for (const fs::path& file : {json, junit, grades}) CHECK(read_file(file) == "an earlier pass");
}

TEST_CASE("Whatever a hand-in lacks, each result file says it: a fault of the work is a fail, a path that is not there a mistake of the command line") {
  const Learner learner;
  const fs::path json_file = learner.scratch / "r.json", junit = learner.scratch / "r.xml", grades = learner.scratch / "g.json";
  fs::create_directories(learner.scratch / "empty");
  fs::create_directories(learner.scratch / "misnamed");
  std::ofstream(learner.scratch / "misnamed/pingpong.cpp") << "int main() {}\n";
  fs::create_directories(learner.scratch / "linked");
  fs::create_symlink(kFirst + "/solution.cpp", learner.scratch / "linked/ping_pong.cpp");
  for (const auto& [work, says, status] : {std::tuple("empty", "holds no ping_pong.cpp", 1), std::tuple("misnamed", "only pingpong.cpp", 1), std::tuple("linked", "a link to a file outside", 1),
                                           std::tuple("nowhere.cpp", "There is no file", 2)}) {
    INFO(work);
    for (const fs::path& file : {json_file, junit, grades}) std::ofstream(file) << "an earlier pass";
    const Ended ended = learner.say({"check", "1", (learner.scratch / work).string(), "--json", json_file.string(), "--junit", junit.string(), "--gradescope", grades.string()});
    INFO(ended.out << ended.err);
    CHECK(ended.status == status);
    CHECK((ended.out + ended.err).find(says) != std::string::npos);
    const json result = json::parse(read_file(json_file));
    CHECK(result["verdict"] == "fail");
    CHECK(result["score"] == 0.0);
    CHECK(result["checks"][0]["id"] == "files");
    CHECK(result["checks"][0]["verdict"] == "fail");
    CHECK(result["checks"][1]["verdict"] == "not-run");
    CHECK(json::parse(read_file(grades))["score"] == 0.0);
    CHECK(read_file(junit).find("failures=\"1\"") != std::string::npos);
    for (const fs::path& file : {json_file, junit, grades}) CHECK(read_file(file).find(says) != std::string::npos);
  }
}

TEST_CASE("Without what was expected a report still has sentences, in the language asked for, and nothing of what was expected") {
  const Learner learner;
  for (const auto& [language, says, never] : {std::tuple("en", "Saw 0 matched messages.", "Expected"), std::tuple("zh", "实际匹配的消息数：0。", "期望")}) {
    const Ended ended = learner.say({"check", "1", kFirst + "/starter.cpp", "--json", "-", "--disclosure", "actual-only"}, language);
    INFO(ended.err);
    CHECK(ended.status == 1);
    CHECK(ended.err.find(says) != std::string::npos);
    CHECK(ended.err.find(never) == std::string::npos);
    CHECK(ended.err.find_first_of("{\"[") == std::string::npos);
    CHECK(ended.out.find(says) != std::string::npos);
    CHECK(ended.out.find(never) == std::string::npos);
    CHECK(ended.out.find("20") == std::string::npos);
  }
}

TEST_CASE("Only work in one's own folder counts in one's progress, and a pass elsewhere says so") {
  const Learner learner;
  const std::string mine = (learner.scratch / "mine").string();
  const auto state = [&] { return json::parse(learner.say({"labs", "--json", "-"}).out)["labs"][0]; };
  const Ended theirs = learner.say({"check", "1", kFirst + "/solution.cpp"});
  CHECK(theirs.status == 0);
  CHECK(theirs.out.find("Not counted in your progress") != std::string::npos);
  CHECK(state()["checks"] == 0);
  CHECK(state()["state"] == "new");
  REQUIRE(learner.say({"start", "1", mine}).status == 0);
  CHECK(learner.say({"check", "1", kFirst + "/starter.cpp"}).status == 1);
  CHECK(state()["checks"] == 0);
  fs::copy_file(kFirst + "/solution.cpp", mine + "/my try.cpp");
  const Ended own = learner.say({"check", "1", mine + "/my try.cpp"});
  CHECK(own.out.find("Not counted") == std::string::npos);
  CHECK(state()["state"] == "passed");
}

TEST_CASE("Where progress cannot be kept, one warning says so and the command goes on") {
  const Learner learner;
  std::ofstream(learner.scratch / "file") << "in the way";
  const std::map<std::string, std::string> homes[] = {{{"XDG_DATA_HOME", (learner.scratch / "file").string()}}, {{"XDG_DATA_HOME", ""}, {"HOME", ""}}};
  for (const auto& home : homes) {
    const std::string mine = (learner.scratch / "mine").string();
    fs::remove_all(mine);
    const auto say = [&](std::vector<std::string> words) {
      words.insert(words.end(), {"--lang", "en", "--labs", kLabs});
      return cli_test::p2plab(words, home);
    };
    for (const auto& [words, says] : {std::pair(std::vector<std::string>{"start", "1", mine}, "Started 01-hello-ping-pong"), std::pair(std::vector<std::string>{"hint", "1"}, "Hint 1 of 4"),
                                      std::pair(std::vector<std::string>{"solution", "1", "--force"}, "MPI_Send")}) {
      const Ended ended = say(words);
      INFO(words[0] << ": " << ended.err);
      CHECK(ended.status == 0);
      CHECK(ended.out.find(says) != std::string::npos);
      CHECK(ended.err.find("Not saved") != std::string::npos);
      CHECK(lines(ended.err) == 1);
    }
    const Ended list = say({"labs"}), next = say({"next"});
    CHECK((list.status == 0 && list.err.empty()));
    CHECK((next.status == 0 && next.err.empty()));
  }
}

TEST_CASE("A result file that cannot be written keeps no other from being written") {
  const Learner learner;
  fs::create_directories(learner.scratch / "empty");
  const fs::path grades = learner.scratch / "g.json";
  const Ended ended = learner.say({"check", "1", (learner.scratch / "empty").string(), "--junit", "/dev/full", "--gradescope", grades.string(), "--json", "-"});
  INFO(ended.err);
  CHECK(ended.status == 2);
  CHECK(ended.err.find("Cannot write /dev/full") != std::string::npos);
  CHECK(json::parse(read_file(grades))["score"] == 0.0);
  CHECK(json::parse(ended.out)["verdict"] == "fail");
}

TEST_CASE("An option of a command that stands before it is told where it belongs") {
  const Ended ended = cli_test::p2plab({"--labs", kLabs, "check", "1", "--lang", "en"});
  CHECK(ended.status == 2);
  CHECK(ended.err == "p2plab: --labs is an option of p2plab check and stands behind it: p2plab check --labs …\n");
}

TEST_CASE("A lab outside the tree needs no copy of common") {
  const Learner learner;
  const fs::path labs = learner.scratch / "mine";
  fs::create_directories(labs);
  fs::copy(kFirst, labs / "01-hello-ping-pong", fs::copy_options::recursive);
  const Ended ended = cli_test::p2plab({"check", "1", kFirst + "/solution.cpp", "--labs", labs.string(), "--lang", "en"}, {{"XDG_DATA_HOME", (learner.scratch / "data").string()}});
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
}

TEST_CASE("Step mode judges nothing, so it takes no file for a result") {
  const Learner learner;
  const Ended ended = learner.say({"check", "3", kLabs + "/03-deadlock-clinic/starter.cpp", "--step", "--json", "-"});
  CHECK(ended.status == 2);
  CHECK(ended.err.find("--json") != std::string::npos);
}
