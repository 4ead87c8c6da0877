// Formulas and manifests of labs: what is read, and how clearly what is wrong is refused.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "app/check/lab_manifest.h"
#include "app/check/lab_program.h"
#include "app/check/lab_run.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::check;
namespace fs = std::filesystem;

namespace {

/// A lab on disk; removed at the end.
class LabFolder {
 public:
  explicit LabFolder(const std::string& toml) : root_(fs::temp_directory_path() / ("p2plab lab 实验 " + std::to_string(getpid()) + "-" + std::to_string(count_++))) {
    fs::create_directories(folder());
    for (const char* name : {"starter.cpp", "solution.cpp", "task.en.md", "task.zh.md", "bad.cpp", "given.h"}) std::ofstream(folder() / name) << "// " << name << "\n";
    std::ofstream(folder() / "lab.toml") << toml;
  }
  ~LabFolder() { fs::remove_all(root_); }
  fs::path folder() const { return root_ / "01-toy"; }
  const fs::path& root() const { return root_; }

 private:
  static inline int count_ = 0;
  fs::path root_;
};

std::string toml(const std::string& check = R"(with = { exactly = "2*rounds" })", const std::string& more = {}) {
  return R"(version = 1
id = "01-toy"
world = "mpi"
file = "toy.cpp"
given = ["given.h"]
title = { en = "Toy", zh = "玩具" }
summary = { en = "Toy", zh = "玩具" }
why = { en = "Why?", zh = "为什么？" }
)" + more + R"(
[values]
rounds = 3
[[run]]
id = "a"
ranks = [2, 4]
sizes = [8, "64K"]
args = ["{n}", "x{p}"]
[[check]]
id = "count"
title = { en = "count", zh = "数量" }
rule = "messages"
)" + check + R"(
[starter]
verdict = "fail"
fails = "count"
[[mutant]]
file = "bad.cpp"
verdict = "deadlock"
fails = "finish"
[[point]]
en = "So."
zh = "如此。"
[[hint]]
en = "1"
zh = "1"
[[hint]]
en = "2"
zh = "2"
[[hint]]
en = "3"
zh = "3"
[[hint]]
en = "4"
zh = "4"
)";
}

std::string complaint(const std::string& text) {
  const LabFolder folder(text);
  try {
    load_lab(folder.folder());
  } catch (const Error& error) {
    std::string out;
    for (const auto& [name, value] : error.text().params) out += name + "=" + value + " ";
    return error.text().id + " " + out;
  }
  return "";
}

}  // namespace

TEST_CASE("Formulas are arithmetic over names") {
  const LabValues values{{"p", 4}, {"n", 1536}};
  CHECK(evaluate("2*(p-1)*n/p", values) == 2304);
  CHECK(evaluate("-1 + max(p, 7) % 4", values) == 2);
  CHECK(evaluate("ceil(n/1000) + 64K + 1.5", values) == 2 + 65536 + 1.5);
  CHECK(evaluate("2*log2(p)", values) == 4);
  CHECK_THROWS_AS(evaluate("log2(0)", values), std::invalid_argument);
  CHECK_THROWS_AS(evaluate("2*q", values), std::invalid_argument);
  CHECK_THROWS_AS(evaluate("2*(p", values), std::invalid_argument);
  CHECK_THROWS_AS(evaluate("p p", values), std::invalid_argument);
  CHECK_THROWS_AS(evaluate("", values), std::invalid_argument);
  CHECK_THROWS_AS(evaluate(std::string(100'000, '('), values), std::invalid_argument);
}

TEST_CASE("A lab is read whole") {
  const LabFolder folder(toml());
  const LabManifest lab = load_lab(folder.folder());
  CHECK(lab.id == "01-toy");
  CHECK(lab.runs.at(0).sizes == std::vector<std::int64_t>{8, 65536});
  CHECK(lab.checks.at(0).with.at("exactly") == "2*rounds");
  CHECK(lab.mutants.at(0).verdict == analysis::Verdict::deadlock);
  CHECK(find_lab({lab}, "1").id == lab.id);
  CHECK(find_lab({lab}, "toy").id == lab.id);
  CHECK_THROWS_AS(find_lab({lab}, "tay"), Error);
}

TEST_CASE("What is wrong in a manifest is named with its file and line") {
  CHECK(complaint(toml()) == "");
  CHECK(complaint(toml("with = { exactly = \"2*round\" }")).find("nothing is called \"round\"") != std::string::npos);
  CHECK(complaint(toml("with = { exactly = \"2\", betwen = \"0 1\" }")).find("betwen") != std::string::npos);
  CHECK(complaint(toml("with = { exactly = \"2*(\" }")).find("formula") != std::string::npos);
  CHECK(complaint(toml("with = { exactly = \"2\" }", "colour = \"red\"")).find("unknown key \"colour\"") != std::string::npos);
  CHECK(complaint(toml("with = { exactly = \"2\" }\ndepends = [\"other\"]")).find("other") != std::string::npos);
  std::string newer = toml();
  newer.replace(newer.find("version = 1"), 11, "version = 2");
  CHECK(complaint(newer).find("version must be 1") != std::string::npos);
  std::string gate = toml();
  gate.replace(gate.find("id = \"count\""), 12, "id = \"leaks\"");
  CHECK(complaint(gate).find("gate") != std::string::npos);
  const std::string broken = complaint("version = \n");
  CHECK(broken.find("lab.toml") != std::string::npos);
  CHECK(broken.find("line=1") != std::string::npos);
}

TEST_CASE("What is wrong in a manifest is named with the line of its key, not with the first") {
  const auto line = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const std::size_t number = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::string said = complaint(text);
    INFO(to << ": " << said);
    CHECK(said.find("line=" + std::to_string(number) + " ") != std::string::npos);
  };
  line(toml(), "id = \"01-toy\"", "id = \"02-toy\"");
  line(toml(), "world = \"mpi\"", "world = \"gpu\"");
  line(toml(), "file = \"toy.cpp\"", "file = \"toy.c\"");
  line(toml(), "given = [\"given.h\"]", "given = [\"gone.h\"]");
  line(toml(), "ranks = [2, 4]", "ranks = [2, 400]");
  line(toml(), "ranks = [2, 4]", "ranks = []");
  line(toml(), "sizes = [8, \"64K\"]", "sizes = [8, \"many\"]");
  line(toml(), "rule = \"messages\"", "rule = \"letters\"");
  line(toml(), "with = { exactly = \"2*rounds\" }", "with = { exactly = \"2*round\" }");
  line(toml(), "with = { exactly = \"2*rounds\" }", "with = { exactly = \"2*(\" }");
  line(toml(), "with = { exactly = \"2*rounds\" }", "with = { exacty = \"2\" }");
  line(toml(), "verdict = \"fail\"", "verdict = \"failed\"");
  line(toml(), "fails = \"count\"", "fails = \"counts\"");
  line(toml(), "file = \"bad.cpp\"", "file = \"gone.cpp\"");
  line(toml("with = { exactly = \"2\" }", "advice = 0.1"), "advice = 0.1", "advice = 0.2");
  line(toml("with = { exactly = \"2\" }", "[limits]\nwall_s = 900"), "wall_s = 900", "wall_s = 901");
}

TEST_CASE("A lab that lies elsewhere takes what is not beside it from beside the labs of P2P Lab") {
  std::string text = toml();
  text.replace(text.find("\"given.h\""), 9, "\"../common/given.h\"");
  const LabFolder folder(text);
  CHECK_THROWS_AS(load_lab(folder.folder()), Error);
  const fs::path ours = folder.root() / "ours/labs";
  fs::create_directories(ours / "common");
  std::ofstream(ours / "common/given.h") << "// ours\n";
  CHECK(load_lab(folder.folder(), ours).given == std::vector<fs::path>{ours / "common/given.h"});
  fs::create_directories(folder.root() / "common");
  std::ofstream(folder.root() / "common/given.h") << "// theirs\n";
  CHECK(load_lab(folder.folder(), ours).given == std::vector<fs::path>{folder.root() / "common/given.h"});
}

TEST_CASE("Cases go from small to large, plain to strict to delayed, and are the same for the same seed") {
  const LabFolder folder(toml());
  const LabManifest lab = load_lab(folder.folder());
  const auto cases = cases_of(lab, lab.runs.at(0), 7);
  REQUIRE(cases.size() == 4 + 4 + 3);
  CHECK((cases[0].ranks == 2 && cases[0].bytes == 8 && !cases[0].strict));
  CHECK((cases[4].ranks == 2 && cases[4].bytes == 8 && cases[4].strict));
  CHECK((cases[8].delay == 1 && cases[8].seed == 8));
  CHECK(values_of(lab, cases[3]).at("n") == 65536);
  LabManifest two = lab;
  two.runs.push_back(two.runs.front());
  two.runs.back().id = "other";
  two.runs.back().delays = 1;
  const LabCase delayed = cases_of(two, two.runs.back(), 7).back();
  CHECK((delayed.delay == 4 && delayed.seed == 11 && delayed.bytes == 65536));  // not the first case again
}

TEST_CASE("A wrapping folder and litter are looked past, an edited read-only file is named, line ends are not an edit") {
  const LabFolder folder(toml());
  const LabManifest lab = load_lab(folder.folder());
  const fs::path inner = folder.root() / "handed in" / "作业";
  fs::create_directories(inner);
  fs::create_directories(folder.root() / "handed in" / "__MACOSX");
  std::ofstream(inner / "toy.cpp") << "int main() {}\n";
  std::ofstream(inner / "given.h", std::ios::binary) << "// given.h\r\n";
  const LabWork work = find_work(lab, folder.root() / "handed in");
  CHECK(work.file == inner / "toy.cpp");
  CHECK(work.ignored.size() == 2);
  CHECK(changed_files(lab, work).empty());
  std::ofstream(inner / "given.h") << "// other\n";
  CHECK(changed_files(lab, work) == std::vector<std::string>{"given.h"});
  // A link that shows somebody else's file is not followed; one within the folder is.
  fs::remove(inner / "toy.cpp");
  fs::create_symlink(folder.folder() / "solution.cpp", inner / "toy.cpp");
  CHECK(find_work(lab, inner).fault.id == "lab.leads_out");
  fs::remove(inner / "toy.cpp");
  std::ofstream(inner / "mine.cpp") << "int main() {}\n";
  fs::create_symlink("mine.cpp", inner / "toy.cpp");
  CHECK(find_work(lab, inner).file == inner / "toy.cpp");
  CHECK(find_work(lab, inner).fault.id.empty());
}

TEST_CASE("What is wrong with what was handed in is told, each kind as itself, and nothing is thrown") {
  const LabFolder folder(toml());
  const LabManifest lab = load_lab(folder.folder());
  const fs::path root = folder.root();
  const auto fault = [&](const fs::path& given) { return find_work(lab, given).fault.id; };
  const auto made = [&](const char* name) {
    fs::create_directories(root / name);
    return root / name;
  };
  CHECK(find_work(lab, root / "nowhere").missing);
  CHECK(fault(root / "nowhere") == "lab.no_work");
  CHECK(fault(made("empty")) == "lab.no_file");
  std::ofstream(made("misnamed") / "my toy.cpp") << "int main() {}\n";
  CHECK(fault(root / "misnamed") == "lab.other_name");
  for (const char* name : {"two/a", "two/b"}) std::ofstream(made(name) / "toy.cpp") << "int main() {}\n";
  CHECK(fault(root / "two") == "lab.several");
  made("folder/toy.cpp");
  CHECK(fault(root / "folder") == "lab.no_source");
  REQUIRE(mkfifo((made("pipe") / "toy.cpp").c_str(), 0600) == 0);
  CHECK(fault(root / "pipe") == "lab.no_source");
  fs::create_symlink(root / "nothing.cpp", made("dangling") / "toy.cpp");
  CHECK(fault(root / "dangling") == "lab.leads_nowhere");
  fs::create_symlink("toy.cpp", made("loop") / "toy.cpp");
  CHECK(fault(root / "loop") == "lab.unreadable");
  fs::create_directory_symlink(root / "two/a", made("wrapped") / "work");  // the link is the folder, not the file
  CHECK(fault(root / "wrapped") == "lab.leads_out");
  std::ofstream(made("large") / "toy.cpp") << std::string(5u << 20, ' ');
  CHECK(fault(root / "large") == "lab.too_large");
  CHECK(fault(root / std::string(300, 'x')) == "lab.unreadable");
  std::ofstream(made("closed") / "toy.cpp") << "int main() {}\n";
  fs::permissions(root / "closed/toy.cpp", fs::perms::none);
  if (access((root / "closed/toy.cpp").c_str(), R_OK) != 0) CHECK(fault(root / "closed") == "lab.unreadable");
}

TEST_CASE("A read-only file that is a pipe, a folder or a link that leads out is one that was changed") {
  const LabFolder folder(toml());
  const LabManifest lab = load_lab(folder.folder());
  const fs::path mine = folder.root() / "mine";
  fs::create_directories(mine);
  std::ofstream(mine / "toy.cpp") << "int main() {}\n";
  const auto changed = [&] { return changed_files(lab, find_work(lab, mine)); };
  const std::vector<std::string> given{"given.h"};
  REQUIRE(mkfifo((mine / "given.h").c_str(), 0600) == 0);
  CHECK(changed() == given);
  fs::remove(mine / "given.h");
  fs::create_directory(mine / "given.h");
  CHECK(changed() == given);
  fs::remove(mine / "given.h");
  fs::create_symlink(folder.folder() / "given.h", mine / "given.h");
  CHECK(changed() == given);
}
