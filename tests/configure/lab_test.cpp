// ./lab itself, where the build has left something out.
#include <fstream>

#include "tests/probe/command.h"
#include "tests/support/catch.h"

using namespace probe_test;

TEST_CASE("where the window was not built, ./lab gui says so, and what works without it") {
  const Scratch scratch;
  fs::create_directories(scratch / "cmake");
  fs::create_directories(scratch / "bin");
  fs::copy_file(fs::path(P2PLAB_SOURCE_DIR) / "lab", scratch / "lab");
  std::ofstream(scratch / "cmake/packages.txt") << "[build]\n[run]\n[window]\n";
  std::ofstream(scratch / "bin/cmake") << "#!/bin/sh\necho '-- P2P Lab: skipped the window: no GLFW'\n";  // builds nothing
  fs::permissions(scratch / "bin/cmake", fs::perms::owner_all);
  for (const auto& [locale, sentence] : {std::pair{"C.UTF-8", "lab: the window was not built"}, std::pair{"zh_CN.UTF-8", "lab：窗口没有构建"}}) {
    const Ended ended = run("env -u LC_ALL -u LC_MESSAGES LANG=" + std::string(locale) + " PATH=" + quoted(scratch / "bin") + ":\"$PATH\" " + quoted(scratch / "lab") + " gui");
    INFO(ended.out << ended.err);
    CHECK(ended.status == 2);
    CHECK(ended.err.find("P2P Lab: skipped the window") < ended.err.find(sentence));
    CHECK(ended.err.find(sentence) != std::string::npos);
    CHECK(ended.err.find("./lab run pipeline") != std::string::npos);
  }
}
