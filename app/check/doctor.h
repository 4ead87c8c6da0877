// What this machine has for the lab, what it lacks, and the command that brings it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/launch/installation.h"
#include "app/trace/error.h"

namespace p2plab::check {

struct Diagnosis {
  enum class Status {
    ok,
    missing,  ///< something does not work without it
    absent,   ///< not there, and not needed for what works
  };
  std::string id;                     ///< "mpi", "eager_limit", "cuda", …
  Status status = Status::ok;
  TextRef finding;                    ///< what was found
  std::optional<std::string> remedy;  ///< the command that brings it
  std::optional<double> value;        ///< where the finding is a number: cores, bytes
};

/// Looks at everything; measuring the eager limit runs two ranks for a moment.
std::vector<Diagnosis> diagnose(const launch::Installation& installation);

/// The largest standard send that completes without a receive, as a run of two ranks measures it. Nothing without MPI.
std::optional<double> measure_eager_limit(const launch::Installation& installation);

}  // namespace p2plab::check
