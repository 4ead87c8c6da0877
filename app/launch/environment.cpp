// The environment of a job.
#include "app/launch/environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace p2plab::launch {
namespace {

/// Names that would make mpiexec or MPI believe they belong to the launcher around the lab.
constexpr std::array<std::string_view, 7> kForeign = {"PMI_", "PMIX_", "HYDRA_", "HYDI_", "MPI_LOCAL", "MPIR_LOCAL", "SLURM_"};

/// What a program needs to be found, to speak and to use MPI as it was set up; an entry that ends in _ is a prefix.
constexpr std::array<std::string_view, 19> kNeeded = {"PATH", "HOME", "USER", "LANG", "LANGUAGE", "LC_", "TZ", "TERM", "TMPDIR", "LD_LIBRARY_PATH",
                                                      "P2PLAB_", "MPIR_", "MPICH_", "UCX_", "FI_", "ASAN_", "LSAN_", "TSAN_", "UBSAN_"};

bool is_needed(std::string_view name) {
  return std::any_of(kNeeded.begin(), kNeeded.end(), [&](std::string_view entry) { return entry.ends_with('_') ? name.starts_with(entry) : name == entry; });
}

bool is_foreign(std::string_view name) {
  return std::any_of(kForeign.begin(), kForeign.end(), [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::vector<std::string> job_environment(const std::map<std::string, std::string>& added, bool bare) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string name(text.substr(0, text.find('=')));
    if (!is_foreign(name) && (!bare || is_needed(name)) && added.count(name) == 0) result.emplace_back(text);
  }
  for (const auto& [name, value] : added) result.push_back(name + "=" + value);
  return result;
}

}  // namespace p2plab::launch
