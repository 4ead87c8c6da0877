// Runs `p2plab verify` on a program of the corpus and compares what it says with what was expected.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tests/verify/program.h"

namespace p2plab::corpus {

/// What the checker said about one program.
struct Outcome {
  bool verdict_right = false;  ///< pass for the correct, fail (or build-error) for the wrong
  bool kind_right = false;     ///< the proven kinds are those expected and no others
  bool places_right = false;   ///< every place that was stated is a site of such a finding
  std::string said;            ///< verdict and findings in a line
  double seconds = 0;          ///< of the whole command

  bool right() const { return verdict_right && kind_right && places_right; }
};

/// Judges a result of schema p2plab.verify/1 and the command's exit status (CONTRACTS.md).
Outcome judge(const Expectation& expected, const nlohmann::json& result, int exit_status);

/// Runs the command and judges what it wrote.
Outcome verify(const Program& program);

}  // namespace p2plab::corpus
