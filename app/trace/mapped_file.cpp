// open, posix_fallocate, mmap.
#include "app/trace/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "app/trace/error.h"

namespace p2plab::trace {

MappedFile MappedFile::create(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    if (errno == ENOSPC) throw Error("job.shm_full", {{"path", path.parent_path().string()}});
    throw Error("job.cannot_create", {{"path", path.string()}, {"why", std::strerror(errno)}});
  }
  return MappedFile(fd, path);
}

MappedFile MappedFile::open(const std::filesystem::path& path) {
  return MappedFile(::open(path.c_str(), O_RDWR | O_CLOEXEC), path);
}

MappedFile::~MappedFile() {
  if (fd_ >= 0) ::close(fd_);
}
MappedFile::MappedFile(MappedFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}
MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

std::size_t MappedFile::size() const {
  struct stat info {};
  return ::fstat(fd_, &info) == 0 ? static_cast<std::size_t>(info.st_size) : 0;
}

bool MappedFile::reserve(std::size_t offset, std::size_t length) {
  return ::posix_fallocate(fd_, static_cast<off_t>(offset), static_cast<off_t>(length)) == 0;
}

std::shared_ptr<std::byte> MappedFile::map(std::size_t offset, std::size_t length) const {
  // With every page at once: one by one they would be met while a rank records, each a message's time long.
  void* at = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd_, static_cast<off_t>(offset));
  if (at == MAP_FAILED) throw Error("job.cannot_map", {{"path", path_.string()}, {"why", std::strerror(errno)}});
  return {static_cast<std::byte*>(at), [length](std::byte* p) { ::munmap(p, length); }};
}

}  // namespace p2plab::trace
