// Tag, length, bytes; again and again.
#include "app/trace/packet_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include "app/trace/error.h"
#include "app/trace/perfetto_format.h"

namespace p2plab::trace {

namespace {
constexpr std::uint64_t kLongestPacket = 64 << 20;
constexpr int kPacketTag = perfetto::file::packet << 3 | 2;
}  // namespace

PacketFile::PacketFile(const std::filesystem::path& path)
    : path_(path), file_(std::fopen(path.c_str(), "rbe"), &std::fclose) {
  int error = file_ == nullptr ? errno : 0;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) error = EISDIR;
  if (error != 0) throw Error("file.unreadable", {{"path", path.string()}, {"why", std::strerror(error)}});
}

bool PacketFile::next() {
  start_ = at_;
  const int tag = std::fgetc(file_.get());
  if (tag == EOF) return false;
  if (tag != kPacketTag) damaged();
  ++at_;
  std::uint64_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const int byte = std::fgetc(file_.get());
    if (byte == EOF || shift > 28) damaged();
    ++at_;
    length |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) break;
  }
  if (length > kLongestPacket) damaged();
  packet_.resize(static_cast<std::size_t>(length));
  if (std::fread(packet_.data(), 1, packet_.size(), file_.get()) != packet_.size()) damaged();
  at_ += length;
  return true;
}

void PacketFile::damaged() const {
  throw Error("trace.truncated", {{"path", path_.string()}, {"offset", std::to_string(start_)}});
}

}  // namespace p2plab::trace
