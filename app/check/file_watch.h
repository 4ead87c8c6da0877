// Tells when files of a learner have been saved: by the kernel where it knows, else by looking twice a second.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/launch/fd.h"

namespace p2plab::check {

class FileWatch {
 public:
  /// `files` lie in one folder. With `poll` the kernel is not asked.
  explicit FileWatch(std::vector<std::filesystem::path> files, bool poll = false);
  /// The kernel does not tell (a shared folder, a network), so the files are looked at.
  bool polls() const { return !notify_; }
  /// To wait on with poll(2); -1 when it polls.
  int fd() const { return notify_.get(); }
  /// True once after a save, when nothing has changed for 200 ms: editors write in several steps. Never blocks.
  bool saved();

 private:
  struct Seen {
    std::filesystem::file_time_type time{};
    std::uintmax_t size = 0;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> look() const;

  std::vector<std::filesystem::path> files_;
  launch::Fd notify_;
  std::vector<Seen> seen_;
  std::chrono::steady_clock::time_point changed_{}, looked_{};
  bool pending_ = false;
};

}  // namespace p2plab::check
