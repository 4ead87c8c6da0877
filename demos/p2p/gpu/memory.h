// Memory of the GPU and pinned memory of the host. What is released is kept and handed out again, and a stock is laid in
// before the run: cudaFree and cudaMalloc may wait for kernels, and a kernel may be waiting for a peer (nccl#48, #195).
#pragma once
#include <map>
#include <mutex>
#include <span>

#include "demos/p2p/gpu/cuda.h"

namespace p2p::gpu {

/// So many blocks of so many bytes.
struct Stock {
  std::size_t bytes;
  int blocks;
};

class Memory final : public DeviceMemory {
 public:
  /// Lays in a stock of both kinds. What a run needs beyond it (buffers above 4 MiB, or very many) is allocated when asked
  /// for, and that may be while kernels run.
  explicit Memory(int device);
  ~Memory() override;
  std::byte* allocate(std::size_t bytes) override;
  void release(std::byte* memory) noexcept override;
  std::byte* allocate_pinned(std::size_t bytes) override;
  void release_pinned(std::byte* memory) noexcept override;
  /// The block of allocate() that `inside` lies in.
  std::byte* block_of(std::byte* inside);

 private:
  /// Blocks of one kind by size.
  struct Blocks {
    std::multimap<std::size_t, std::byte*> free;
    std::map<std::byte*, std::size_t> used;
    /// The smallest one that fits; null: there is none.
    std::byte* take(std::size_t bytes);
    void give_back(std::byte* memory) noexcept;
  };
  void lay_in(std::span<const Stock> stock, std::byte* (Memory::*allocate)(std::size_t), void (Memory::*release)(std::byte*) noexcept);
  int device_;
  std::mutex mutex_;
  Blocks blocks_, pinned_;
};

}  // namespace p2p::gpu
