// Runs demos on the backends cuda and nccl with the stand-in in the place of NVIDIA's libraries.
#pragma once
#include <cstdlib>
#include <set>
#include <string>

#include "tests/demos/run_demo.h"

namespace p2plab::test {

/// A run's limit in seconds, of one on the host that it is compared with as well.
#if defined(__SANITIZE_THREAD__)
inline constexpr double kLongest = 300;
#else
inline constexpr double kLongest = 60;
#endif

/// Variables of the environment for as long as it lives.
class Environment {
 public:
  explicit Environment(std::map<std::string, std::string> values) {
    for (const auto& [name, value] : values) {
      const char* before = std::getenv(name.c_str());
      before_[name] = before == nullptr ? std::optional<std::string>() : std::string(before);
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : before_) value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

/// Whether the run promises a race: under ThreadSanitizer that must not be a bad exit as well.
inline bool promises_race(const std::string& demo, const std::map<std::string, std::string>& knobs) {
  static const std::set<std::string> kWrong{"unsafe", "freed", "early-read", "early-reuse"};
  const auto variant = knobs.find("variant");
  return demo == "corruption" && (variant == knobs.end() || kWrong.count(variant->second) != 0);
}

inline std::unique_ptr<check::DemoRun> on_stand_in(const std::string& demo, const std::string& backend, std::map<std::string, std::string> knobs,
                                                   const std::string& semantics = "mpi", bool strict = false, int ranks = 0,
                                                   std::map<std::string, std::string> environment = {}, const std::string& compute = "paced") {
  environment["LD_LIBRARY_PATH"] = P2PLAB_STANDIN_LIB;
  environment["UCX_MEM_EVENTS"] = "n";  // UCX's hooks on mmap do not live with ThreadSanitizer's
  if (promises_race(demo, knobs)) {
    const char* options = std::getenv("TSAN_OPTIONS");
    environment["TSAN_OPTIONS"] = (options != nullptr ? std::string(options) + ":" : "") + "exitcode=0";
  }
  const Environment here(std::move(environment));
  check::RunRequest request;
  request.demo = demo;
  request.backend = backend;
  request.semantics = backend == "nccl" ? "nccl" : semantics;
  request.knobs = std::move(knobs);
  request.strict = strict;
  request.ranks = ranks;
  request.compute = compute;
  request.timeout_s = kLongest;
  return run_demo(std::move(request));
}

}  // namespace p2plab::test
