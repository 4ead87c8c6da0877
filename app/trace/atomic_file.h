// A file that is there whole or not at all: written beside its destination, then renamed over it.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace p2plab::trace {

/// Throws Error "file.unwritable" (path, why) from every function that can fail. A destination that is no regular file
/// (/dev/stdout, a pipe) is written directly; a symbolic link stays and its target is replaced.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  /// Without commit() nothing remains.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// For libraries that write by file name: they may overwrite this one before commit().
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Puts the file in its place.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  std::filesystem::path path_;       ///< as the user named it
  std::filesystem::path target_;     ///< links resolved
  std::filesystem::path temporary_;  ///< beside the target; the target itself when that is no regular file
  std::FILE* file_ = nullptr;
  bool direct_ = false;
};

/// Takes away what an earlier run left under this name; a symbolic link stays, and what is no regular file is let alone.
void remove_old(const std::filesystem::path& path);

/// The whole of a small file at once.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace p2plab::trace
