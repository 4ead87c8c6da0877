// Making and opening the shared memory of a communicator.
#include "nccl_segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

namespace standin {

std::unique_ptr<Segment> Segment::open(const std::string& name, int ranks, std::size_t buffer) {
  auto out = std::make_unique<Segment>();
  out->name_ = name;
  out->ranks_ = ranks;
  const std::size_t bytes = sizeof(Shared) + static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks) * buffer;
  int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool mine = file >= 0;
  if (!mine && errno == EEXIST) file = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0 || (mine && ::ftruncate(file, static_cast<off_t>(bytes)) != 0)) {
    std::fprintf(stderr, "stand-in: NCCL: shared memory %s: %s\n", name.c_str(), std::strerror(errno));
    return nullptr;
  }
  while (!mine && ::lseek(file, 0, SEEK_END) < static_cast<off_t>(bytes)) ::usleep(100);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) return nullptr;
  out->shared_ = static_cast<Shared*>(memory);
  out->buffers_ = static_cast<char*>(memory) + sizeof(Shared);
  if (mine) {
    new (memory) Shared;
    out->shared_->buffer = buffer;
    out->shared_->ready.store(1);
  }
  while (out->shared_->ready.load() == 0) ::usleep(100);
  return out;
}

char* Segment::bytes(int from, int to) {
  return buffers_ + (static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to)) * shared_->buffer;
}

void Segment::unlink() { ::unlink(name_.c_str()); }

}  // namespace standin
