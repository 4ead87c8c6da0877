// A folder in shared memory for a measurement, removed at the end.
#pragma once
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/trace/error.h"

namespace p2plab::cli {

class Scratch {
 public:
  explicit Scratch(std::string_view prefix) {
    const char* chosen = std::getenv("P2PLAB_SHM");
    std::string name =
        std::string(chosen != nullptr && *chosen != '\0' ? chosen : "/dev/shm") + "/" + std::string(prefix) + "-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error("job.cannot_create", {{"path", name}, {"why", std::strerror(errno)}}, 3);
    }
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace p2plab::cli
