// What makes the stand-in worth having: under ThreadSanitizer a missing cudaStreamWaitEvent is a data race.
#include <sys/wait.h>

#include <cstdio>

#include "tests/support/catch.h"

namespace {

struct Ended {
  int status;
  std::string output;
};

Ended race(const std::string& argument) {
  const std::string command = std::string("TSAN_OPTIONS=exitcode=66:halt_on_error=1:symbolize=0 ") + P2PLAB_STANDIN_LIB + "/standin-race " + argument + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  return {WEXITSTATUS(::pclose(pipe)), output};
}

}  // namespace

TEST_CASE("a stream that waits for the event has no data race, one that does not has one") {
  const Ended with = race("event");
  INFO(with.output);
  CHECK(with.status == 0);
  const Ended without = race("nothing");
  INFO(without.output);
  CHECK(without.status == 66);
  CHECK(without.output.find("data race") != std::string::npos);
}
