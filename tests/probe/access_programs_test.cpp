// Small programs that say on each line what is wrong there, compiled as the access run does it: the checker must find
// these lines, these kinds and these operations, and nothing else.
#include <map>
#include <regex>
#include <set>

#include "tests/probe/command.h"
#include "tests/support/catch.h"

using namespace probe_test;

namespace {

const std::string kPrograms = P2PLAB_SOURCE_DIR "/tests/probe/programs";
const std::string kShim = P2PLAB_BUILD_DIR "/tests/probe";

/// "LINE KIND OPERATION"
using Lines = std::set<std::string>;

Lines marked(const std::string& source, bool clang) {
  Lines lines;
  std::istringstream in(read_file(kPrograms + "/access/" + source));
  const std::regex mark("!(gcc|clang|) ([a-z_]+) ([0-9]+)");
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    for (std::sregex_iterator found(line.begin(), line.end(), mark); found != std::sregex_iterator(); ++found) {
      const std::string who = (*found)[1];
      if (who.empty() || (who == "clang") == clang)
        lines.insert(std::to_string(number) + " " + (*found)[2].str() + " " + (*found)[3].str());
    }
  }
  return lines;
}

/// The shim's report with each violation's innermost line in the source itself.
Lines located(const std::string& report, const fs::path& program, const std::string& source) {
  struct Violation {
    std::string kind, operation;
    std::vector<std::string> frames;
  };
  std::vector<Violation> violations;
  std::istringstream in(report);
  std::string line, addresses;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string word, other, use, size;
    words >> word;
    if (word != "violation") continue;
    Violation& violation = violations.emplace_back();
    words >> violation.kind >> violation.operation >> other >> use >> size;
    while (words >> word) {
      violation.frames.push_back(word);
      addresses += " " + word;
    }
  }
  std::map<std::string, std::string> line_of;
  const Ended lookup = run("addr2line -a -e " + quoted(program) + addresses);  // address and place, a line each
  REQUIRE(lookup.status == 0);
  std::istringstream answers(lookup.out);
  std::smatch match;
  const std::regex place("/" + source + ":([0-9]+)");
  std::string address;
  while (std::getline(answers, address) && std::getline(answers, line)) {
    if (std::regex_search(line, match, place))
      line_of["0x" + address.substr(address.find_first_not_of("0x"))] = match[1];
  }
  Lines lines;
  for (const Violation& violation : violations) {
    std::string number = "?";
    for (auto frame = violation.frames.rbegin(); frame != violation.frames.rend(); ++frame) {
      if (line_of.contains(*frame)) number = line_of[*frame];
    }
    lines.insert(number + " " + violation.kind + " " + violation.operation);
  }
  return lines;
}

/// The lines, each marked where the other set lacks it.
std::string told(const Lines& these, const Lines& those) {
  std::string text;
  for (const std::string& line : these) text += "\n  " + line + (those.contains(line) ? "" : "   <- not in the other");
  return text;
}

void check(const std::string& compiler, const std::string& source, const std::string& flags = "") {
  const Scratch scratch;
  const fs::path object = scratch / "program.o", program = scratch / "program";
  INFO("program: " << source << ", compiled by " << compiler << " " << flags);
  const Ended compiled = run(compiler + " " + flags + " " + access_flags(compiler) + " -I" + quoted(kPrograms) +
                             " -c " + quoted(kPrograms + "/access/" + source) + " -o " + quoted(object));
  INFO(compiled.err);
  REQUIRE(compiled.status == 0);
  const Ended linked =
      run(compiler + " " + quoted(object) + " -o " + quoted(program) + " -L" + quoted(kShim) +
          " -laccess-shim -Wl,-rpath," + quoted(kShim) + " -Wl,--export-dynamic-symbol=access_test_main -lpthread -lm");
  INFO(linked.err);
  REQUIRE(linked.status == 0);
  const Ended ran = run("timeout -k 1 120 " + quoted(program));
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  const Lines wanted = marked(source, compiler.starts_with("clang")), found = located(ran.err, program, source);
  INFO("expected:" << told(wanted, found) << "\nseen:" << told(found, wanted));
  CHECK(!wanted.empty());
  CHECK(wanted == found);
}

void check_with_each_compiler(const std::string& source, const std::string& flags = "") {
  check("gcc", source, flags);
  if (is_installed("clang")) check("clang", source, flags);
}

}  // namespace

TEST_CASE("every load and store of an active buffer is found at its line, and no other") {
  check_with_each_compiler("memory.c");
}

TEST_CASE("functions of the C library that touch an active buffer are found at the line of their call") {
  check_with_each_compiler("libc.c");
}

TEST_CASE("a buffer that is freed or goes out of scope while it is active is found") {
  check_with_each_compiler("lifetime.c");
}

TEST_CASE("threads are told apart, and a child process does not count") { check_with_each_compiler("threads.c"); }

TEST_CASE("atomics of every size are atomic, and accesses") { check_with_each_compiler("atomics.c", "-mcx16"); }

TEST_CASE("behind the C++ library the program's own line is found") {
  check("g++", "library.cpp");
  if (is_installed("clang++")) check("clang++", "library.cpp");
}
