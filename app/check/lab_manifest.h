// lab.toml: what a lab asks for, how it is run, what is judged. A teacher writes one without touching our C++.
// labs/README.md shows each key.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/analysis/finding.h"
#include "app/check/demo_results.h"
#include "app/check/lab_formula.h"
#include "app/trace/record.h"

namespace p2plab::check {

constexpr int kLabVersion = 1;

/// mpi: real ranks under the profiling layer. sim: the p2p runtime on the virtual clock, served by the lab.
enum class LabWorld { mpi, sim };

struct LabLimits {
  double wall_s = 20, cpu_s = 60;
  std::uint64_t memory_bytes = 1ull << 30;   ///< of all ranks together
  std::uint64_t output_bytes = 1 << 20;      ///< kept of each stream of a rank
  std::uint64_t file_bytes = 16ull << 20;
  std::uint64_t processes = 64;              ///< beyond those of the launcher
};

/// One way to start the program; makes a case for each rank count, size, and mode.
struct LabRun {
  std::string id;
  std::vector<int> ranks;
  std::vector<std::int64_t> sizes;           ///< n; empty: the run has no size
  std::vector<std::string> arguments;        ///< of an mpi program; {n} stands for the size
  std::map<std::string, std::string> knobs;  ///< of a sim program; {n} and {seed} stand for size and delay pattern
  std::map<trace::Kind, std::string> lasts;  ///< what a computation of a kind takes in ns, a formula (sim)
  std::string semantics = "mpi", link = "raw";
  bool strict = true;                        ///< once more with every send synchronous
  int delays = 3;                            ///< seeded delay patterns
  bool access = false;                       ///< one case is also run with every memory access watched
};

struct LabCheck {
  std::string id;
  content::Twin title;
  std::string rule;
  std::map<std::string, std::string> with;   ///< parameters of the rule
  double weight = 1;
  bool hidden = false;
  std::vector<std::string> depends, runs;    ///< checks that must have passed; runs that are judged (empty: all)
  content::Twin look;                            ///< where to look when it fails; may be empty
};

struct LabMutant {
  std::filesystem::path file;
  analysis::Verdict verdict = analysis::Verdict::fail;
  std::string fails;                         ///< the one check that it fails by
};

struct LabManifest {
  std::filesystem::path folder;
  std::string id;
  content::Twin title, summary;
  std::vector<std::string> requires_labs;
  LabWorld world = LabWorld::mpi;
  std::string file;                          ///< what the learner edits, as it is called in his folder
  std::vector<std::filesystem::path> given;  ///< read-only files that are copied beside it
  std::optional<std::filesystem::path> reference;  ///< a serial program whose numbers are the right ones
  std::vector<std::string> forbidden, required;    ///< calls
  LabLimits limits;
  LabValues values;                          ///< golden numbers, by name
  std::vector<LabRun> runs;
  std::vector<LabCheck> checks;
  std::vector<content::Twin> hints;              ///< four rungs
  analysis::Verdict starter = analysis::Verdict::fail;  ///< the declared verdict of the starter
  std::string starter_fails;
  std::vector<LabMutant> mutants;
  content::Twin why;                             ///< the question at the end, with its key points
  std::vector<content::Twin> points;
  double advice = 0;                         ///< share by which a prediction may be off on real ranks before that is said; 0: they are not asked
  std::filesystem::path links;               ///< the lab's own link presets; empty: the lab's

  const LabRun* run(std::string_view id) const;
  const LabCheck* check(std::string_view id) const;
  std::filesystem::path starter_file() const { return folder / "starter.cpp"; }
  std::filesystem::path solution_file() const { return folder / "solution.cpp"; }
  std::filesystem::path task(std::string_view language) const { return folder / ("task." + std::string(language) + ".md"); }
};

/// The gates that stand before a lab's own checks, in their order.
const std::vector<std::string>& lab_gates();

/// Throws Error "manifest.broken" naming file, line and what is wrong. A file of a folder beside the lab ("../common/lab.h") that is not
/// there is taken from beside `ours`, the labs that come with P2P Lab: a teacher's lab may lie anywhere.
LabManifest load_lab(const std::filesystem::path& folder, const std::filesystem::path& ours = {});

/// Where labs are: `chosen` if not empty, else P2PLAB_LABS, else those of the installation.
std::filesystem::path labs_directory(const std::filesystem::path& share, const std::string& chosen);
/// A folder whose lab.toml cannot be used, and why.
struct BrokenLab {
  std::string id;
  TextRef why;
};
/// All labs of a folder, by id. One that is broken is told in `broken` and the others are there; without it, it is thrown.
std::vector<LabManifest> load_labs(const std::filesystem::path& labs, std::vector<BrokenLab>* broken = nullptr, const std::filesystem::path& ours = {});
/// "03-deadlock-clinic", "deadlock-clinic", "03" or "3".
bool is_called(const std::string& id, const std::string& word);
/// Throws Error "lab.unknown" or "lab.unknown_far".
const LabManifest& find_lab(const std::vector<LabManifest>& labs, const std::string& word);

}  // namespace p2plab::check
