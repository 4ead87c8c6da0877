// Blocks by size, handed out again.
#include "demos/p2p/gpu/memory.h"

#include <bit>
#include <iterator>

namespace p2p::gpu {
namespace {

/// So that one freed block serves the next request of about its size.
std::size_t rounded(std::size_t bytes) { return bytes <= 256 ? 256 : bytes <= (1 << 20) ? std::bit_ceil(bytes) : (bytes + 0xFFFFF) & ~std::size_t{0xFFFFF}; }

}  // namespace

std::byte* Memory::Blocks::take(std::size_t bytes) {
  const auto it = free.find(bytes);
  if (it == free.end()) return nullptr;
  std::byte* memory = it->second;
  free.erase(it);
  used.emplace(memory, bytes);
  return memory;
}

void Memory::Blocks::give_back(std::byte* memory) noexcept {
  const auto it = used.find(memory);
  if (it == used.end()) return;
  free.emplace(it->second, memory);
  used.erase(it);
}

Memory::~Memory() {
  for (const auto& [bytes, memory] : blocks_.free) cudaFree(memory);
  for (const auto& [bytes, memory] : pinned_.free) cudaFreeHost(memory);
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
