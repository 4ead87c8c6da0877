// Making and removing job directories.
#include "app/launch/job_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>

#include "app/trace/error.h"
#include "app/trace/record.h"

namespace p2plab::launch {
namespace {

constexpr const char* kPrefix = "p2plab-job-";
constexpr std::time_t kUnownedSeconds = 60;  ///< a directory without an owner file may be in the making

constexpr std::size_t kRingBytes = sizeof(trace::Record) * trace::kRingSlots;
constexpr std::size_t kFeedBytes = trace::kHeaderBytes + trace::kStringBytes + kRingBytes;  ///< of a rank with one thread

/// Bytes that are free where job directories are made; all that can be counted when that is not known.
std::size_t free_bytes() {
  struct statvfs room {};
  if (::statvfs(shm_directory().c_str(), &room) != 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(room.f_bavail) * room.f_frsize;
}

[[noreturn]] void throw_cannot_create(const std::filesystem::path& path, int error) {
  if (error == ENOSPC) throw Error("job.shm_full", {{"path", shm_directory().string()}});
  throw Error("job.cannot_create", {{"path", path.string()}, {"why", std::strerror(error)}});
}

}  // namespace

std::filesystem::path shm_directory() {
  const char* chosen = std::getenv("P2PLAB_SHM");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/dev/shm";
}

bool room_for_a_ring() { return free_bytes() >= kRingBytes; }

JobDirectory::JobDirectory(int ranks) {
  const std::filesystem::path base = shm_directory();
  remove_stale_job_directories(base);
  // Asked before anything is started: ranks that cannot record would run unseen.
  if (free_bytes() < static_cast<std::size_t>(ranks) * kFeedBytes) throw Error("job.shm_full", {{"path", base.string()}});
  std::string name = (base / kPrefix).string() + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw_cannot_create(name, errno);
  path_ = name;
  // The owner file appears locked, or another job could take it for one that was left over.
  const std::filesystem::path draft = path_ / "owner.new";
  owner_.reset(::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!owner_ || ::flock(owner_.get(), LOCK_EX) != 0 || ::rename(draft.c_str(), (path_ / "owner").c_str()) != 0) {
    const int error = errno;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    throw_cannot_create(draft, error);
  }
}

JobDirectory::~JobDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void remove_stale_job_directories(const std::filesystem::path& base) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(base, ignored)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    struct stat info {};
    if (::lstat(entry.path().c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::getuid()) continue;
    const Fd owner{::open((entry.path() / "owner").c_str(), O_RDWR | O_CLOEXEC)};
    const bool stale = owner ? ::flock(owner.get(), LOCK_EX | LOCK_NB) == 0
                             : std::time(nullptr) - info.st_mtim.tv_sec > kUnownedSeconds;
    if (stale) std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace p2plab::launch
