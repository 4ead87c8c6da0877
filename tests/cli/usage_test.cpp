// Help, lists, and every kind of wrong input: one clear sentence, exit status 2, nothing half-written.
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

/// Refused with one sentence that holds all the parts, and not a word on stdout.
void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts, std::map<std::string, std::string> environment = {}) {
  const Ended ended = p2plab(arguments, std::move(environment));
  INFO(ended.err);
  CHECK(ended.status == 2);
  CHECK(ended.out.empty());
  CHECK(lines(ended.err) == 1);
  CHECK(ended.err.find('[') == std::string::npos);  // a missing text shows as [id]
  for (const std::string& part : parts) {
    INFO("expected: " << part);
    CHECK(ended.err.find(part) != std::string::npos);
  }
}

}  // namespace

namespace {

/// The commands that a help lists.
std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> out;
  std::istringstream in(help);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "Commands:") inside = true;
    else if (line.empty() || line[0] != ' ') inside = false;
    else if (inside && line.size() > 2 && line[2] != ' ') out.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return out;
}

/// Help of a command and of all its own: each has examples of that very command, in both languages.
int each_help(const std::vector<std::string>& command) {
  std::string typed = "p2plab";
  for (const std::string& word : command) typed += " " + word;
  INFO(typed << " --help");
  std::string help;
  for (const char* lang : {"zh", "en"}) {
    std::vector<std::string> words = command;
    words.push_back("--help");
    const Ended ended = p2plab(words, {{"LANG", lang == std::string("zh") ? "zh_CN.UTF-8" : "C.UTF-8"}});
    CHECK(ended.status == 0);
    CHECK(ended.err.empty());
    help = ended.out;
    for (const char* inner : {"FLOAT", "UINT", " x 2", ":INT"}) CHECK(help.find(inner) == std::string::npos);  // the parser's own words
    const std::size_t examples = help.find(lang == std::string("zh") ? "示例：" : "Examples:");
    REQUIRE(examples != std::string::npos);
    CHECK((help.find("  " + typed + " ", examples) != std::string::npos || help.find("  " + typed + "\n", examples) != std::string::npos || help.find("='" + typed + "'", examples) != std::string::npos));
  }
  int count = 1;
  for (const std::string& each : commands_in(help)) {
    std::vector<std::string> inner = command;
    inner.push_back(each);
    count += each_help(inner);
  }
  return count;
}

}  // namespace

TEST_CASE("every command, and every command of a group, has help with examples of its own, in both languages") {
  CHECK(each_help({}) >= 35);
  CHECK(p2plab({"--help"}).out.find("p2plab run deadlock") != std::string::npos);
  CHECK(p2plab({"--help"}, {{"LANG", "zh_CN.UTF-8"}}).out.find("示例：") != std::string::npos);
}

TEST_CASE("a benchmark takes --seconds where it measures for that long, and refuses it elsewhere") {
  for (const char* name : {"feed", "sim", "gpu"}) CHECK(p2plab({"bench", name, "--help"}).out.find("--seconds") != std::string::npos);
  for (const char* name : {"record", "launch", "frame", "pingpong", "probe", "nccl"}) {
    const Ended ended = p2plab({"bench", name, "--seconds", "1"});
    INFO(name << ended.err);
    CHECK(ended.status == 2);
    CHECK(ended.err.find("--seconds") != std::string::npos);
  }
}

TEST_CASE("the list of demos and the help of one say each knob's default and range with its unit") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"demos"}, {"run", "corruption", "--help"}}) {
    const Ended ended = p2plab(arguments);
    CHECK(ended.status == 0);
    CHECK(ended.out.find("default 1 MiB: 16 B to 256 MiB") != std::string::npos);
    CHECK(ended.out.find("default 20 ms: 0 ms to 5000 ms") != std::string::npos);
    CHECK(ended.out.find("unsafe, wait-first, clone") != std::string::npos);
  }
  CHECK(p2plab({"run", "corruption", "--help", "--lang", "zh"}).out.find("默认 20 ms：0 ms 到 5000 ms") != std::string::npos);
  CHECK(p2plab({"run", "--help"}).out.find("receiver_delay_ms") == std::string::npos);
  const std::string help = p2plab({"run", "corruption", "--help"}).out;
  CHECK(help.find("--set eager_limit=65536") != std::string::npos);
  CHECK(help.find("default 1000 ns: 1 ns to 1000000000 ns") != std::string::npos);
  refused({"run", "nothing", "--help"}, {"nothing"});
}

TEST_CASE("the version is printed") {
  const Ended ended = p2plab({"--version"});
  CHECK(ended.status == 0);
  CHECK(ended.out.starts_with("p2plab "));
}

TEST_CASE("without a command the help goes to stderr and the status is 2") {
  const Ended ended = p2plab({});
  CHECK(ended.status == 2);
  CHECK(ended.out.empty());
  CHECK(ended.err.find("run") != std::string::npos);
}

TEST_CASE("an unknown word is refused with the nearest known one") {
  refused({"runn"}, {"runn", "“run”"});
  refused({"run", "deadlok"}, {"deadlok", "“deadlock”"});
  refused({"run", "deadlock", "--set", "byts=1"}, {"byts", "“bytes”"});
  refused({"run", "deadlock", "--set", "variant=orderd"}, {"orderd", "“ordered”"});
  refused({"run", "deadlock", "--backend", "hos"}, {"hos", "“host”"});
  refused({"run", "deadlock", "--link", "nvlnk"}, {"nvlnk", "“nvlink”"});
  refused({"run", "deadlock", "--strickt"}, {"--strickt", "--strict"});
  refused({"run", "deadlock", "--lang", "fr"}, {"fr", "zh"});
  refused({"run"}, {"p2plab run DEMO", "deadlock"});
}

TEST_CASE("where nothing known is near, nothing is guessed") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"xyzzy"}, {"run", "xyzzy"}, {"run", "deadlock", "--set", "xyzzy=1"},
                                                    {"run", "deadlock", "--link", "xyzzy"}, {"run", "deadlock", "--xyzzy"}}) {
    refused(arguments, {"xyzzy"});
    CHECK(p2plab(arguments).err.find("did you mean") == std::string::npos);
  }
}

TEST_CASE("a GPU backend that is not here, or has no GPU, is refused before anything runs") {
  if (p2plab({"doctor"}).out.find("no GPU") == std::string::npos) return;  // a machine with one, or a lab built without CUDA
  for (const char* backend : {"cuda", "nccl"}) refused({"run", "deadlock", "--backend", backend}, {"no GPU: ", "--backend host"});
  refused({"bench", "nccl"}, {"no GPU: ", "--backend host"});
}

TEST_CASE("help of a command that does not exist is refused") {
  refused({"list", "--help"}, {"list"});
  refused({"bench", "nothing", "--help"}, {"nothing"});
}

TEST_CASE("what standard output did not take is an error") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"links", "--json", "-"}, {"demos"}, {"run", "deadlock", "--json", "-"}}) {
    const Ended ended = Running(arguments, {}, "/dev/full").wait();
    CHECK(ended.status == 2);
    CHECK(ended.err.find("standard output") != std::string::npos);
  }
}

TEST_CASE("a value that cannot be is refused before anything runs") {
  refused({"run", "deadlock", "--ranks", "1"}, {"at least 2"});
  refused({"run", "deadlock", "--ranks", "1000"}, {"at most 64"});
  refused({"run", "deadlock", "--ranks", "two"}, {"two"});
  refused({"run", "deadlock", "--ranks", "0"}, {"--ranks"});
  refused({"run", "deadlock", "--seed", "-1"}, {"--seed", "-1"});
  refused({"run", "deadlock", "--seed", "1x"}, {"--seed", "1x"});
  for (const char* option : {"--json", "--svg", "--png", "--trace", "--again"}) refused({"run", "deadlock", option, ""}, {option, "empty"});
  refused({"doctor", "--json", ""}, {"--json", "empty"});
  refused({"run", "deadlock", "--set", "bytes=lots"}, {"lots", "64K"});
  refused({"run", "deadlock", "--set", "bytes=0"}, {"out of range"});
  refused({"run", "deadlock", "--set", "bytes"}, {"KNOB=VALUE"});
  refused({"run", "deadlock", "--repeat", "0"}, {"--repeat"});
  refused({"run", "deadlock", "--timeout", "-1"}, {"--timeout"});
  refused({"run", "deadlock", "--timeout", "1e300"}, {"--timeout", "86400"});
  refused({"run", "deadlock", "more"}, {"more"});
}

TEST_CASE("what the list of demos says of their ranks holds on every backend") {
  const json demos = json::parse(p2plab({"demos", "--json", "-"}).out);
  const std::string words = p2plab({"demos"}).out;
  for (const json& demo : demos["demos"]) {
    const auto id = demo["id"].get<std::string>();
    for (const json& backend : demo["backends"]) {
      const bool sim = backend == "sim";
      const int most = demo[sim ? "max_ranks_on_sim" : "max_ranks"];
      INFO(id << " on " << backend);
      CHECK(words.find(std::to_string(most)) != std::string::npos);
      for (const int ranks : {-1, 0}) refused({"run", id, "--backend", backend, "--ranks", std::to_string(ranks)}, {"--ranks"});
      refused({"run", id, "--backend", backend, "--ranks", std::to_string(most + 1)}, {"at most " + std::to_string(most)});
      if (demo["min_ranks"] > 1) refused({"run", id, "--backend", backend, "--ranks", std::to_string(demo["min_ranks"].get<int>() - 1)}, {"at least"});
    }
  }
}

TEST_CASE("a command that needs a name and is given none says what to write, and what there is") {
  refused({"run"}, {"p2plab run DEMO", "deadlock"});
  refused({"lesson"}, {"p2plab lesson ID", "deadlock"});
  refused({"lesson", ""}, {"p2plab lesson ID"});
  refused({"claim", "run"}, {"p2plab claim run ID"});
  refused({"check"}, {"LAB", "its number"});
  refused({"verify"}, {"PROGRAM"});
  refused({"lab", "lint"}, {"DIR", "Folder of a lab"});
}

TEST_CASE("an input that is not there is named, and the advice fits the command") {
  refused({"cards", "--import", "progress", "/nonexistent/file"}, {"There is no file /nonexistent/file"});
  refused({"lab", "lint", "/nonexistent"}, {"/nonexistent", "lab.toml"});
  CHECK(p2plab({"lab", "lint", "/nonexistent"}).err.find("--labs") == std::string::npos);  // which it does not have
}

TEST_CASE("an output that cannot be written is refused before anything runs") {
  const Scratch scratch;
  const std::string missing = (scratch / "no such folder/out.json").string();
  refused({"run", "deadlock", "--json", missing}, {missing});
  refused({"run", "deadlock", "--svg", missing}, {missing});
  CHECK(scratch.empty());
}

TEST_CASE("without MPI the sentence says what to install") { refused({"run", "deadlock"}, {"mpich"}, {{"P2PLAB_MPIEXEC", "/nonexistent"}}); }

TEST_CASE("a file that holds no saved run is refused") {
  const Scratch scratch;
  const fs::path file = scratch / "again.json";
  refused({"run", "--again", file.string()}, {file.string()});
  std::ofstream(file) << "{\"schema\":\"p2plab.sim/1\"}";
  refused({"run", "--again", file.string()}, {"p2plab.run/1", file.string()});
  std::ofstream(file) << "{\"schema\":\"p2plab.run/1\"}";
  refused({"run", "--again", file.string()}, {"“demo”", file.string()});
  std::ofstream(file) << "no run at all";
  refused({"run", "--again", file.string()}, {"p2plab.run/1", file.string()});
}

TEST_CASE("the demos and the links are listed, for people and as JSON") {
  CHECK(p2plab({"demos"}).out.find("deadlock") != std::string::npos);
  const json demos = json::parse(p2plab({"demos", "--json", "-"}).out);
  CHECK(demos["demos"][0]["id"] == "deadlock");
  CHECK(demos["demos"][0]["knobs"][0]["default"] == "send-first");
  const json links = json::parse(p2plab({"links", "--json", "-"}).out);
  REQUIRE(!links["links"].empty());
  for (const json& link : links["links"]) CHECK(!link["source"].get<std::string>().empty());
  CHECK(p2plab({"links", "--lang", "zh"}).out.find("raw") != std::string::npos);
}

TEST_CASE("the doctor names MPI and the eager limit it has measured") {
  const Ended ended = p2plab({"doctor", "--json", "-"});
  CHECK(ended.status == 0);
  const json report = json::parse(ended.out);
  std::map<std::string, json> items;
  for (const json& item : report["items"]) items[item["id"]] = item;
  for (const char* id : {"mpi", "host", "eager_limit", "cuda", "nccl", "gpus", "display", "fonts", "cores", "shm", "clock"}) {
    INFO(id);
    CHECK(items.contains(id));
  }
  CHECK(items["mpi"]["found"].get<std::string>().find("MPICH") != std::string::npos);
  CHECK(items["eager_limit"]["value"].get<double>() > 0);
  CHECK(items["cores"]["value"].get<double>() >= 1);
}

TEST_CASE("without MPI the doctor still succeeds and gives the command that brings it") {
  const Ended ended = p2plab({"doctor"}, {{"P2PLAB_MPIEXEC", "/nonexistent"}});
  CHECK(ended.status == 0);
  CHECK(ended.out.find("sudo apt install mpich") != std::string::npos);
}

TEST_CASE("what the option parser refuses is said in the language asked for, and names the option as it was written") {
  const auto chinese = [](std::vector<std::string> arguments, const std::vector<std::string>& parts) {
    arguments.insert(arguments.begin(), {"--lang", "zh"});
    refused(arguments, parts);
    const std::string said = p2plab(arguments).err;
    for (const char* english : {"Could not", "required", "received", "not in range", "missing"}) CHECK(said.find(english) == std::string::npos);
  };
  chinese({"run", "deadlock", "--ranks", "abc"}, {"--ranks", "abc", "需要"});
  chinese({"bench", "feed", "--seconds", "0"}, {"--seconds", "0.1 到 600"});
  chinese({"run", "deadlock", "--json", "a", "--json", "b"}, {"--json", "只能给一次", "2"});
  chinese({"doctor", "--json", ""}, {"--json", "文件名为空"});
  chinese({"doctor", "--json"}, {"--json", "需要一个值"});
  chinese({"verify"}, {"PROGRAM", "缺少"});
  chinese({"bench"}, {"命令", "pingpong"});
  chinese({"run", "deadlock", "--strict=abc"}, {"--strict", "不带值"});
  chinese({"sim", "1f1b", "--iterations", "1.5"}, {"--iterations", "1.5", "整数"});
  chinese({"run", "deadlock", "--ranks", "99999999999"}, {"--ranks", "整数"});
  refused({"sim", "1f1b", "-p", "abc"}, {"p2plab: -p takes", "abc"});
  refused({"sim", "1f1b", "--stages", "abc"}, {"p2plab: --stages takes", "abc"});
  refused({"run", "deadlock", "--json", "a", "--json", "b"}, {"--json may be given once"});
}

TEST_CASE("a command of a later version is named as such, another one is not") {
  refused({"bench", "import"}, {"`p2plab bench import` is not in this version"});
  refused({"trace"}, {"`p2plab trace` is not in this version"});
  refused({"bench", "recrd"}, {"recrd", "“record”"});
  refused({"bench", "import", "--lang", "zh"}, {"这个版本"});
}

TEST_CASE("a benchmark that misses its limit says which") {
  const Ended ended = p2plab({"bench", "sim", "--seconds", "0.1"});
  INFO(ended.out);
  CHECK((ended.status == 0 || ended.status == 1));
  CHECK((ended.out.find("Too slow: ") != std::string::npos) == (ended.status == 1));
}

TEST_CASE("the virtual clock is judged by what it makes of a core's second, not by what others leave of it") {
  const Ended ended = p2plab({"bench", "sim", "--seconds", "0.1", "--json", "-"});
  const auto out = json::parse(ended.out);
  bool met = true;
  for (const auto& one : out["runs"]) {
    CHECK(one["actions_per_cpu_s"].get<double>() >= 0.99 * one["actions_per_s"].get<double>());
    met = met && one["actions_per_cpu_s"].get<double>() >= out[one["contention"].get<bool>() ? "target_contended_actions_per_cpu_s" : "target_actions_per_cpu_s"].get<double>();
  }
  CHECK(out["met"] == met);
  CHECK(ended.status == (met ? 0 : 1));
}

TEST_CASE("help has one heading for its options, in its language, and no gaps") {
  for (const std::vector<std::string>& command : {std::vector<std::string>{}, {"run"}, {"bench", "record"}})
    for (const char* language : {"en", "zh"}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--help", "--lang", language});
      const std::string out = p2plab(arguments).out;
      INFO(out);
      const std::string heading = std::string(language) == "en" ? "\nOptions:\n" : "\n选项：\n";
      CHECK(out.find(heading) != std::string::npos);
      CHECK(out.find(heading) == out.rfind(heading));
      CHECK(out.find("\n\n\n") == std::string::npos);
      if (std::string(language) == "zh") CHECK(out.find("Options") == std::string::npos);
    }
}

TEST_CASE("what the system refuses is said in Chinese, too") {
  const Scratch scratch;
  refused({"doctor", "--json", (scratch / "").string(), "--lang", "zh"}, {"目录"});
  refused({"doctor", "--json", (scratch / "no folder/a.json").string(), "--lang", "zh"}, {"没有这个文件或目录"});
}
