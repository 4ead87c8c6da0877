// Write beside and rename; see atomic_file.h.
#include "app/trace/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "app/trace/error.h"

namespace p2plab::trace {
namespace fs = std::filesystem;

namespace {

// Follows a symbolic link by hand, because the link may point to a file that is not there yet.
fs::path resolved(fs::path path) {
  std::error_code ignored;
  for (int hops = 0; hops < 32 && fs::is_symlink(path, ignored); ++hops) {
    const fs::path next = fs::read_symlink(path, ignored);
    if (ignored) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(path), target_(resolved(path)), temporary_(target_) {
  if (target_.filename().empty()) fail(EISDIR);
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  direct_ = exists && !S_ISREG(status.st_mode);
  if (direct_) {  // /dev/stdout names what this process already has open, wherever its links seem to lead
    temporary_ = path_;
    file_ = std::fopen(path_.c_str(), "we");
    if (file_ == nullptr) fail(errno);
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  static std::atomic<unsigned> counter{0};
  const std::string unique = std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
  temporary_ = target_.parent_path() / (".p2plab-" + unique + ".part");
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(errno);
  if (exists && ::fchmod(descriptor, status.st_mode & 0777) != 0) errno = 0;  // the old mode is a courtesy only
  file_ = ::fdopen(descriptor, "w");
  if (file_ == nullptr) {
    const int error = errno;
    ::close(descriptor);
    ::unlink(temporary_.c_str());
    fail(error);
  }
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!direct_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
}

void AtomicFile::commit() {
  std::FILE* file = std::exchange(file_, nullptr);
  const bool closed = std::fclose(file) == 0;
  if (direct_) {
    if (!closed) fail(errno);
    return;
  }
  if (!closed || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail(error);
  }
}

void AtomicFile::fail(int error) const {
  throw Error("file.unwritable", {{"path", path_.string()}, {"why", std::strerror(error)}});
}

void remove_old(const fs::path& path) {
  std::error_code failure;
  const fs::path target = resolved(path);
  if (!fs::is_regular_file(target, failure)) return;
  fs::remove(target, failure);
  if (failure) throw Error("file.unwritable", {{"path", path.string()}, {"why", failure.message()}});
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace p2plab::trace
