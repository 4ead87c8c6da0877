// From a learner's file to the programs that a check runs: copied into a fresh folder, with the lab's own read-only files.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/check/lab_manifest.h"
#include "app/check/verify_build.h"
#include "app/launch/installation.h"

namespace p2plab::check {

/// A fresh folder of one check, removed at the end.
class LabDesk {
 public:
  LabDesk();
  ~LabDesk();
  LabDesk(const LabDesk&) = delete;
  LabDesk& operator=(const LabDesk&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// A new empty folder in it, for one run.
  std::filesystem::path work_folder();

 private:
  std::filesystem::path path_;
  int runs_ = 0;
};

/// What neither a learner's program nor its compiler may read: labs with their solutions.
std::vector<std::filesystem::path> hidden_folders(const launch::Installation& installation, const LabManifest& lab);

/// What the learner handed in.
struct LabWork {
  std::filesystem::path file;                 ///< the file he wrote
  std::filesystem::path folder;               ///< with the read-only files; empty where only a file was given
  std::vector<std::string> ignored;           ///< wrapping folder, litter of other systems
  TextRef fault;                              ///< why there is nothing to look at: empty, misnamed, unreadable, a link that leads out; no id: there is
  bool missing = false;                       ///< of a fault: nothing bears the name that was given
};

/// From what stands on the command line: a file, a folder, a folder in a folder. What is wrong with it is told in `fault`, never thrown.
LabWork find_work(const LabManifest& lab, const std::filesystem::path& given);

/// The read-only files that differ from the lab's own (line ends aside), by name.
std::vector<std::string> changed_files(const LabManifest& lab, const LabWork& work);

struct LabProgram {
  bool built = false;
  std::string compiler_text;
  std::string limit;                          ///< what ended the compiler, if it did not end itself: "time" or "memory"
  std::filesystem::path plain, access;        ///< equal where accesses are not told
  std::filesystem::path source;               ///< the copy that was compiled
  std::optional<std::filesystem::path> reference;  ///< the serial program
  bool instrumented = false;
};

/// Copies and compiles. Once `go_on` says no the compiler is ended, and nothing is built. Throws Error when there is no compiler, or when the lab's own reference does not compile.
LabProgram build_lab(const launch::Installation& installation, const LabManifest& lab, const std::filesystem::path& file, LabDesk& desk, const GoOn& go_on = {});

/// Forbidden names in a program that ran under the profiling layer: calls around it ("PMPI_Send"), MPI calls of its own
/// making, dlsym, and the lab's forbidden calls. Nothing where the symbols cannot be read.
std::vector<std::string> forbidden_symbols(const LabManifest& lab, const std::filesystem::path& program);

}  // namespace p2plab::check
