#include "demos/prefetch/batches.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("The data set cannot be " + what + " (" + std::strerror(errno) + "); free some room, or set TMPDIR to another directory.");
}

}  // namespace

Batches::Batches(int count, std::size_t bytes) : bytes_(bytes) {
  std::string path = (std::filesystem::temp_directory_path() / "p2plab-batches-XXXXXX").string();
  file_ = ::mkstemp(path.data());
  if (file_ < 0) refuse("made");
  ::unlink(path.c_str());  // gone with its last descriptor, however this process ends
  std::vector<std::byte> batch(bytes);
  for (int b = 0; b < count; ++b) {
    for (std::size_t i = 0; i < bytes; ++i) batch[i] = byte_of(b, i);
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t written = ::write(file_, batch.data() + done, bytes - done);
      if (written < 0 && errno != EINTR) {
        ::close(file_);
        refuse("written");
      }
      if (written > 0) done += static_cast<std::size_t>(written);
    }
  }
}

Batches::~Batches() { ::close(file_); }

void Batches::read(int batch, std::span<std::byte> to) const {
  for (std::size_t done = 0; done < bytes_;) {
    const ssize_t got = ::pread(file_, to.data() + done, bytes_ - done, static_cast<off_t>(static_cast<std::size_t>(batch) * bytes_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuse("read");
    done += static_cast<std::size_t>(got);
  }
}

bool Batches::is(int batch, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != byte_of(batch, i)) return false;
  return true;
}
