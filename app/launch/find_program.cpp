// Programs on PATH.
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "app/launch/installation.h"

namespace p2plab::launch {

std::filesystem::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
  }
  return {};
}

}  // namespace p2plab::launch
