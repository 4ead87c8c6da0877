// A Perfetto file as the sequence of its packets; never more than one is in memory.
#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace p2plab::trace {

class PacketFile {
 public:
  /// Throws Error "file.unreadable".
  explicit PacketFile(const std::filesystem::path& path);
  /// Goes to the next packet; false at the end of the file. Throws if that comes in the middle of a packet.
  bool next();
  const std::string& packet() const { return packet_; }
  const std::filesystem::path& path() const { return path_; }
  /// Throws Error "trace.truncated", naming where this packet starts.
  [[noreturn]] void damaged() const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string packet_;
  std::uint64_t at_ = 0, start_ = 0;
};

}  // namespace p2plab::trace
