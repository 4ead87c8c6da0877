// The thread that drains a job's pipes.
#include "app/launch/output_reader.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>

namespace p2plab::launch {

OutputReader::OutputReader(std::vector<Fd> sources, std::size_t capacity)
    : sources_(std::move(sources)), kept_(sources_.size(), OutputKeeper(capacity)), buffer_(1 << 16, '\0'),
      wake_(::eventfd(0, EFD_CLOEXEC)), thread_([this] { run(); }) {}

OutputReader::~OutputReader() { finish(); }

void OutputReader::finish() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  const std::uint64_t one = 1;
  while (::write(wake_.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
}

std::uint64_t OutputReader::total(std::size_t source) const {
  const std::lock_guard lock(mutex_);
  return kept_[source].total();
}

RankOutput OutputReader::snapshot(std::size_t source) const {
  const std::lock_guard lock(mutex_);
  return kept_[source].snapshot();
}

void OutputReader::run() {
  std::vector<pollfd> polled;
  for (const Fd& source : sources_) polled.push_back({source.get(), POLLIN, 0});
  polled.push_back({wake_.get(), POLLIN, 0});
  while (!stopping_) {
    if (::poll(polled.data(), polled.size(), -1) <= 0) continue;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if ((polled[i].revents & POLLIN) != 0) drain(i, false);
      else if (polled[i].revents != 0) polled[i].fd = -1;  // its writers have closed it
    }
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) drain(i, true);
}

void OutputReader::drain(std::size_t source, bool all) {
  do {
    const ssize_t n = ::read(sources_[source].get(), buffer_.data(), buffer_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    const std::lock_guard lock(mutex_);
    kept_[source].append(std::string_view(buffer_).substr(0, static_cast<std::size_t>(n)));
  } while (all);
}

}  // namespace p2plab::launch
