// Known bytes, and the first difference in hex.
#include "demos/corruption/verify.h"

#include <algorithm>

namespace {

constexpr int kOwn = 1000;  // the microbatch number of the receiver's own bytes
constexpr std::size_t kShown = 16;

std::string hex(std::byte b) {
  constexpr char digits[] = "0123456789abcdef";
  const auto value = std::to_integer<unsigned>(b);
  return {digits[value >> 4], digits[value & 15]};
}

}  // namespace

std::byte byte_of(std::uint64_t seed, int microbatch, std::size_t offset) {
  // One multiplicative mix (the constant of splitmix64) is enough to make neighbours and microbatches differ.
  std::uint64_t x = seed + 0x9E3779B97F4A7C15u * (static_cast<std::uint64_t>(microbatch) * 0x100000001B3u + offset + 1);
  x ^= x >> 31;
  x *= 0x94D049BB133111EBu;
  return static_cast<std::byte>(x >> 56);
}

void fill(p2p::Tensor& buffer, std::uint64_t seed, int microbatch) {
  std::size_t offset = 0;
  for (std::byte& b : buffer.bytes()) b = byte_of(seed, microbatch, offset++);
}

p2p::Tensor Pool::take() {
  if (free_.empty()) return p2p::Tensor::bytes_of(bytes_);
  p2p::Tensor block = free_.back();
  free_.pop_back();
  return block;
}

void Verifier::message(const p2p::Tensor& buffer, int microbatch) { compare(buffer, microbatch); }

void Verifier::write_own(p2p::Tensor& buffer) const { fill(buffer, seed_, kOwn); }

void Verifier::own(const p2p::Tensor& buffer) { compare(buffer, kOwn); }

void Verifier::compare(const p2p::Tensor& buffer, int microbatch) {
  const auto bytes = buffer.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == byte_of(seed_, microbatch, i)) continue;
    ++corrupt_;
    if (!first_.empty()) continue;
    std::string sent;
    std::string received;
    for (std::size_t j = i; j < std::min(bytes.size(), i + kShown); ++j) {
      sent += hex(byte_of(seed_, microbatch, j));
      received += hex(bytes[j]);
    }
    first_ = R"({"offset":)" + std::to_string(i) + R"(,"sent":")" + sent + R"(","received":")" + received + "\"}";
  }
}
