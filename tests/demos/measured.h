// The numbers of a demo's run on the virtual clock.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

namespace p2plab::test {

struct Measured {
  std::unique_ptr<check::DemoRun> run;
  const nlohmann::ordered_json& operator[](const char* name) const { return run->result().metrics[name]; }
  double number(const char* name) const { return run->result().metrics[name].get<double>(); }
};

/// Runs it, and checks that it ended as promised.
inline Measured on_sim(const std::string& demo, std::map<std::string, std::string> knobs, int ranks = 0, const std::string& link = "raw", bool strict = false) {
  check::RunRequest request;
  request.demo = demo;
  request.backend = "sim";
  request.knobs = std::move(knobs);
  request.ranks = ranks;
  request.link = link;
  request.strict = strict;
  request.timeout_s = 120;
  Measured out{run_demo(std::move(request))};
  INFO(describe(*out.run));
  CHECK(out.run->result().as_promised);
  return out;
}

/// Runs on real MPI, where that was built, and checks that it ended as promised; only what does not depend on the machine's
/// speed is to be looked at.
inline std::optional<Measured> on_host(const std::string& demo, std::map<std::string, std::string> knobs, int ranks = 0, const std::string& semantics = "mpi") {
  if (!std::filesystem::exists(P2PLAB_BUILD_DIR "/lib/p2plab/libp2plab-host.so")) {
    WARN("skipped: the backend host was not built");
    return std::nullopt;
  }
  check::RunRequest request;
  request.demo = demo;
  request.backend = "host";
  request.semantics = semantics;
  request.knobs = std::move(knobs);
  request.ranks = ranks;
  request.timeout_s = 120;
  Measured out{run_demo(std::move(request))};
  INFO(describe(*out.run));
  CHECK(out.run->result().as_promised);
  return out;
}

}  // namespace p2plab::test
