// Blocks by size, handed out again, the smallest that fits.
#include "demos/p2p/gpu/memory.h"

#include <array>
#include <bit>
#include <iterator>
#include <vector>

namespace p2p::gpu {
namespace {

/// So that one freed block serves the next request of about its size.
std::size_t rounded(std::size_t bytes) { return bytes <= 256 ? 256 : bytes <= (1 << 20) ? std::bit_ceil(bytes) : (bytes + 0xFFFFF) & ~std::size_t{0xFFFFF}; }

// Enough for every demo at its defaults, as long as no message is longer than 4 MiB (those of latency-bandwidth and overlap are);
// a longer one is allocated where the program makes it. On the GPU: words of streams, activations and gradients, tokens, a message and its
// copies. Pinned: checksums, pieces of staged messages, both ends of a staged collective, what the host puts in and takes out.
constexpr std::size_t kKiB = 1024, kMiB = 1024 * 1024;
constexpr std::array<Stock, 5> kOnGpu{{{256, 64}, {4 * kKiB, 64}, {64 * kKiB, 64}, {kMiB, 12}, {4 * kMiB, 4}}};
constexpr std::array<Stock, 4> kPinned{{{256, 32}, {4 * kKiB, 96}, {128 * kKiB, 32}, {4 * kMiB, 4}}};

}  // namespace

Memory::Memory(int device) : device_(device) {
  lay_in(kOnGpu, &Memory::allocate, &Memory::release);
  lay_in(kPinned, &Memory::allocate_pinned, &Memory::release_pinned);
}

void Memory::lay_in(std::span<const Stock> stock, std::byte* (Memory::*allocate)(std::size_t), void (Memory::*release)(std::byte*) noexcept) {
  std::vector<std::byte*> taken;
  for (const auto& [bytes, blocks] : stock) {
    for (int i = 0; i < blocks; ++i) taken.push_back((this->*allocate)(bytes));
  }
  for (std::byte* memory : taken) (this->*release)(memory);
}

std::byte* Memory::Blocks::take(std::size_t bytes) {
  const auto it = free.lower_bound(bytes);
  if (it == free.end()) return nullptr;
  std::byte* memory = it->second;
  used.emplace(memory, it->first);
  free.erase(it);
  return memory;
}

void Memory::Blocks::give_back(std::byte* memory) noexcept {
  const auto it = used.find(memory);
  if (it == used.end()) return;
  free.emplace(it->second, memory);
  used.erase(it);
}

Memory::~Memory() {
  for (const auto& [bytes, memory] : blocks_.free) tidy(cudaFree(memory), "cudaFree");
  for (const auto& [bytes, memory] : pinned_.free) tidy(cudaFreeHost(memory), "cudaFreeHost");
}

std::byte* Memory::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes = rounded(bytes);
  if (std::byte* memory = blocks_.take(bytes)) return memory;
  check(cudaSetDevice(device_), "cudaSetDevice");
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  blocks_.used.emplace(static_cast<std::byte*>(memory), bytes);
  return static_cast<std::byte*>(memory);
}

void Memory::release(std::byte* memory) noexcept {
  const std::lock_guard lock(mutex_);
  blocks_.give_back(memory);
}

std::byte* Memory::block_of(std::byte* inside) {
  const std::lock_guard lock(mutex_);
  const auto it = blocks_.used.upper_bound(inside);
  if (it == blocks_.used.begin()) throw BackendError("a message that does not lie in the GPU's memory");
  return std::prev(it)->first;
}

std::byte* Memory::allocate_pinned(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes = rounded(bytes);
  if (std::byte* memory = pinned_.take(bytes)) return memory;
  check(cudaSetDevice(device_), "cudaSetDevice");
  void* memory = nullptr;
  check(cudaMallocHost(&memory, bytes), "cudaMallocHost");
  pinned_.used.emplace(static_cast<std::byte*>(memory), bytes);
  return static_cast<std::byte*>(memory);
}

void Memory::release_pinned(std::byte* memory) noexcept {
  const std::lock_guard lock(mutex_);
  pinned_.give_back(memory);
}

}  // namespace p2p::gpu
