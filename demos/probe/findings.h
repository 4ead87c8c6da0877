// What a rank itself sees to be wrong: recorded for the lab, or told on stderr where there is none.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demos/probe/communicators.h"

namespace p2plab::probe {

struct Defect {
  const char* kind = "invalid-argument";  ///< of CONTRACTS.md
  const char* detail = "";                ///< id of its text in assets/text/verify.toml, without "verify-detail."
  std::vector<std::pair<const char*, std::string>> parameters;
  StringHandle comm = 0;
  int peer = trace::kNone, tag = trace::kNone;
  std::uint64_t bytes = 0;
  std::int32_t request = trace::kNone;
  std::string other;                      ///< "MPI_Isend|@module+0x12": a second call that is involved; "|peer|tag|bytes" may follow
  bool certain = true;
  std::string site;                       ///< instead of the call's own: "@module+0x12|@module+0x34"
};

/// Records it.
void report(const CallSite& where, const Defect& defect, bool ends = false);

/// Records it, and does what the program wants on an error of this communicator: the error class for MPI_ERRORS_RETURN
/// or its own handler, otherwise the rank goes no further. A null communicator stands for MPI_COMM_WORLD.
int fail(const CallSite& where, const CommunicatorPtr& comm, int error_class, const Defect& defect);

/// An error that MPI itself found: MPI_SUCCESS passes.
int mpi_failed(int code, const CallSite& where, const CommunicatorPtr& comm, Defect defect);
inline int check(int code, const CallSite& where, const CommunicatorPtr& comm) {
  return code == MPI_SUCCESS ? code : mpi_failed(code, where, comm, {});
}

/// Whether a call comes from MPI's own library, whose parts (ROMIO) call each other by MPI_ names: what it makes is its own matter.
bool called_by_mpi(const CallSite& where);

/// What MPI itself calls on an error: nothing for our own calls, whose codes are checked; a finding for calls of the program
/// that we do not stand in front of.
MPI_Errhandler errors_of_mpi();

/// The function behind an error handler of the program's own.
void remember_errhandler(MPI_Errhandler handler, MPI_Comm_errhandler_function* function);
/// Whether it is one of the program's own, which it must free.
bool is_own_errhandler(MPI_Errhandler handler);
/// One more reference to the handler, as MPI counts them: who gets it, or a communicator that has it, can rely on it although the
/// program frees its own. Gives an error code of MPI.
int refer_to(MPI_Errhandler handler);

}  // namespace p2plab::probe
