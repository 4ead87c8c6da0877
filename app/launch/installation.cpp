// Finding the installation from the running program.
#include "app/launch/installation.h"

#include <cstdlib>

#include "app/trace/error.h"

namespace p2plab::launch {
namespace {

bool looks_complete(const std::filesystem::path& prefix) {
  std::error_code ignored;
  return std::filesystem::is_directory(prefix / "lib/p2plab", ignored) &&
         std::filesystem::is_directory(prefix / "share/p2plab/assets", ignored);
}

}  // namespace

Installation Installation::find() {
  if (const char* chosen = std::getenv("P2PLAB_PREFIX"); chosen != nullptr && *chosen != '\0') {
    const std::filesystem::path prefix = std::filesystem::absolute(chosen);
    if (looks_complete(prefix)) return {prefix};
    throw Error("installation.incomplete", {{"path", prefix.string()}});
  }
  // bin/p2plab, lib/p2plab/demo-… and tests/test-… stand at different depths below the prefix.
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  for (auto prefix = program.parent_path(); prefix.has_relative_path(); prefix = prefix.parent_path()) {
    if (looks_complete(prefix)) return {prefix};
  }
  throw Error("installation.incomplete", {{"path", program.parent_path().parent_path().string()}});
}

}  // namespace p2plab::launch
