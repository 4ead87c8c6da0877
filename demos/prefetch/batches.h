// A data set in a file, batch by batch; every byte says which batch it is of.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>

class Batches {
 public:
  /// Writes `count` batches of `bytes` into a new file that has no name any more once it is open. Throws
  /// std::runtime_error when there is no room.
  Batches(int count, std::size_t bytes);
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /// Reads a batch; may be called from any thread.
  void read(int batch, std::span<std::byte> to) const;
  /// True if these are the bytes of that batch.
  static bool is(int batch, std::span<const std::byte> bytes);

 private:
  static std::byte byte_of(int batch, std::size_t i) { return static_cast<std::byte>((i + static_cast<std::size_t>(batch) * 37 + 1) & 0xFF); }
  int file_ = -1;
  std::size_t bytes_;
};
