// Where this installation's parts are, found from the running program; the same layout in a build tree as installed.
#pragma once
#include <filesystem>
#include <string>

namespace p2plab::launch {

struct Installation {
  std::filesystem::path prefix;  ///< holds bin/, lib/p2plab/, share/p2plab/
  std::filesystem::path lib() const { return prefix / "lib/p2plab"; }
  std::filesystem::path share() const { return prefix / "share/p2plab"; }
  std::filesystem::path assets() const { return share() / "assets"; }
  std::filesystem::path demos() const { return share() / "demos"; }

  /// From /proc/self/exe; P2PLAB_PREFIX overrides. Throws Error "installation.incomplete" when a part is missing.
  static Installation find();
};

/// A program on PATH, or empty.
std::filesystem::path find_program(const std::string& name);

/// MPICH's mpiexec: P2PLAB_MPIEXEC if set, else the one the lab was built for, else the one on PATH.
/// Throws Error "job.no_mpi".
std::filesystem::path find_mpiexec();

}  // namespace p2plab::launch
