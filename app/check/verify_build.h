// From a source to the programs that `verify` runs: one with the user's flags, one whose memory accesses are told.
#pragma once
#include <functional>
#include <set>
#include <string>

#include "app/launch/job.h"
#include "app/check/verify.h"

namespace p2plab::check {

struct VerifyPrograms {
  std::filesystem::path plain, access;  ///< equal for an executable
  bool preload = false;                 ///< the profiling layer is not linked in
  bool instrumented = false;
  std::string not_mpi;                  ///< of an executable: "" linked with MPICH, "-" with no MPI, else the other library's name
  std::set<std::string> around;         ///< its own calls and functions that lead past the profiling layer: no trace would be whole
  bool failed = false;
  bool bad_flags = false;               ///< and it is the flags that the compiler refuses, not the source
  std::string compiler_text;            ///< of a compilation that failed
  std::string limit;                    ///< what ended it, if it did not end itself: "time" or "memory"
};

bool is_source(const std::filesystem::path& file);
bool is_cpp(const std::filesystem::path& file);

/// MPICH's compiler. Throws Error "verify.no_compiler".
std::filesystem::path mpi_compiler(bool cpp);
/// What links the profiling layer in.
std::vector<std::string> probe_flags(const launch::Installation& installation);

/// Flags behind the user's own for code whose memory accesses are told.
const std::vector<std::string>& access_flags();

/// Asked now and then while something is compiled; false ends the compiler.
using GoOn = std::function<bool()>;

/// How a compilation ended, where it did not end itself: "time", "memory", else "".
std::string limit_of(const launch::JobStatus& status);

/// Compiles into `directory`, both programs at the same time. Throws Error "verify.no_compiler", "verify.no_program", ….
VerifyPrograms build_programs(const launch::Installation& installation, const VerifyRequest& request, const std::filesystem::path& directory, const GoOn& go_on = {});

}  // namespace p2plab::check
