// What the access run costs. The figures are printed by `test-probe "[cost]" -s`; a busy machine decides no test.
#include <fmt/format.h>

#include <map>

#include "tests/probe/command.h"
#include "tests/support/catch.h"

using namespace probe_test;

namespace {

std::map<std::string, double> measured(const std::string& flags) {
  const std::string folder = P2PLAB_SOURCE_DIR "/tests/probe/programs", shim = P2PLAB_BUILD_DIR "/tests/probe";
  const Scratch scratch;
  const fs::path object = scratch / "cost.o", program = scratch / "cost";
  const Ended compiled = run("gcc " + flags + " -I" + quoted(folder) + " -c " + quoted(folder + "/access/cost.c") +
                             " -o " + quoted(object) + " && gcc " + quoted(object) + " -o " + quoted(program) + " -L" +
                             quoted(shim) + " -laccess-shim -Wl,-rpath," + quoted(shim));
  INFO(compiled.err);
  REQUIRE(compiled.status == 0);
  const Ended ran = run("timeout -k 1 120 " + quoted(program));
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());  // no violation
  std::map<std::string, double> figures;
  std::istringstream in(ran.out);
  std::string name;
  double ns = 0;
  while (in >> name >> ns) figures[name] = ns;
  return figures;
}

}  // namespace

TEST_CASE("a compute-bound loop runs beside active operations, and its cost is told", "[cost]") {
  auto plain = measured("-O0 -g");
  auto watched = measured(access_flags("gcc"));
  REQUIRE(plain.size() == 6);
  REQUIRE(watched.size() == 6);
  std::string table = fmt::format("ns an iteration of 5 accesses; -O0 alone {:.2f}\n", plain["none"]);
  for (const char* name : {"none", "heap", "heap-and-stack", "hundred-more"})
    table +=
        fmt::format("{:<16}{:8.2f}{:8.2f} ns an access more\n", name, watched[name], (watched[name] - plain[name]) / 5);
  table += fmt::format("post and completion: 8 bytes {:.0f} ns, 1 MiB {:.0f} ns\n", watched["post-8"],
                       watched["post-1048576"]);
  INFO(table);
  CHECK(watched["none"] > 0);
}
