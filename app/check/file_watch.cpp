// See file_watch.h.
#include "app/check/file_watch.h"

#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace p2plab::check {

namespace {

constexpr std::chrono::milliseconds kDebounce{200}, kPollEvery{500};

/// File systems on which another machine may write without this kernel's knowledge: NFS, 9P (WSL), SMB, FUSE.
bool may_be_silent(const std::filesystem::path& folder) {
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) != 0) return true;
  switch (static_cast<unsigned long>(about.f_type) & 0xFFFFFFFFul) {
    case 0x6969:
    case 0x01021997:
    case 0xFF534D42:
    case 0xFE534D42:
    case 0x517B:
    case 0x65735546: return true;
    default: return false;
  }
}

}  // namespace

FileWatch::FileWatch(std::vector<std::filesystem::path> files, bool poll) : files_(std::move(files)), seen_(look()) {
  const std::filesystem::path parent = files_.front().parent_path();
  const std::filesystem::path folder = parent.empty() ? std::filesystem::path(".") : parent;
  if (poll || may_be_silent(folder)) return;
  notify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (notify_ && ::inotify_add_watch(notify_.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE) < 0) notify_.reset();
}

std::vector<FileWatch::Seen> FileWatch::look() const {
  std::vector<Seen> out;
  for (const auto& file : files_) {
    std::error_code gone;
    Seen seen;
    seen.time = std::filesystem::last_write_time(file, gone);
    if (!gone) seen.size = std::filesystem::file_size(file, gone);
    out.push_back(gone ? Seen{} : seen);
  }
  return out;
}

bool FileWatch::saved() {
  const auto now = std::chrono::steady_clock::now();
  bool told = false;
  if (notify_) {
    char events[4096];
    while (::read(notify_.get(), events, sizeof events) > 0) told = true;
  } else if (now - looked_ >= kPollEvery) {
    looked_ = now;
    told = true;
  }
  if (told) {
    auto seen = look();
    if (seen != seen_) {
      seen_ = std::move(seen);
      changed_ = now;
      pending_ = true;
    }
  }
  if (!pending_ || now - changed_ < kDebounce) return false;
  pending_ = false;
  return true;
}

}  // namespace p2plab::check
