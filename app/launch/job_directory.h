// The directory of a job in shared memory: its control page, feeds and pipes. Gone with the job.
#pragma once
#include <filesystem>

#include "app/launch/fd.h"

namespace p2plab::launch {

/// Owns one directory, mode 0700, under /dev/shm (or P2PLAB_SHM). Its file "owner" stays locked while the lab or the
/// supervisor lives; a directory whose owner is not locked is left over and is removed by the next job.
class JobDirectory {
 public:
  /// For a job of `ranks` that record on one thread each, or more. Throws Error "job.shm_full" or "job.cannot_create".
  explicit JobDirectory(int ranks);
  ~JobDirectory();
  JobDirectory(const JobDirectory&) = delete;
  JobDirectory& operator=(const JobDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  int owner_fd() const { return owner_.get(); }

 private:
  std::filesystem::path path_;
  Fd owner_;
};

/// False when not even one more ring of a thread fits.
bool room_for_a_ring();
/// Where job directories are made.
std::filesystem::path shm_directory();

/// Removes the directories of this user whose owners are gone.
void remove_stale_job_directories(const std::filesystem::path& base);

}  // namespace p2plab::launch
