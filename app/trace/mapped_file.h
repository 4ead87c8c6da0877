// A file and its mappings, wrapped once: every byte is reserved before it is touched, so a full /dev/shm is an Error
// and never a SIGBUS.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>

namespace p2plab::trace {

class MappedFile {
 public:
  /// Makes a file of mode 0600 that must not exist. Throws Error "job.shm_full" or "job.cannot_create".
  static MappedFile create(const std::filesystem::path& path);
  /// Opens an existing file for reading and writing; no value if there is none.
  static MappedFile open(const std::filesystem::path& path);

  MappedFile() = default;
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  explicit operator bool() const { return fd_ >= 0; }
  std::size_t size() const;
  /// Reserves [offset, offset + length); false when the file system is full.
  bool reserve(std::size_t offset, std::size_t length);
  /// Shared mapping of [offset, offset + length), unmapped with the last copy; offset a multiple of the page size.
  std::shared_ptr<std::byte> map(std::size_t offset, std::size_t length) const;

 private:
  explicit MappedFile(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::filesystem::path path_;
};

}  // namespace p2plab::trace
