// One bit per byte of memory: does it belong to an active operation? Read on every access of the program without a
// lock, changed under the caller's lock.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "demos/probe/access/watch.h"

namespace p2plab::probe::access {

/// A table of two levels over the 47 bits of a user address; its last level is a page of bits for 4 KiB of memory. A
/// page that is marked as a whole costs one pointer, so a large buffer costs 8 bytes per 4 KiB. Memory is never given
/// back, pages are used again: a reader that comes late sees a wrong bit at worst, and the operations decide.
class Shadow {
 public:
  void mark(Piece bytes, Use use);
  void clear(Piece bytes);

  /// Is any of at most 64 bytes such that it must not be written (`write`), or read?
  bool forbids(std::uintptr_t address, std::size_t size, bool write) const {
    const std::size_t bit = address & 63;
    if (bit + size > 64) return forbids_range({address, address + size}, write);
    const Page* page = find(address);
    if (page == nullptr) return false;
    const std::uint64_t mask = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    return (page->words(write)[address >> 6 & 63].load(std::memory_order_relaxed) >> bit & mask) != 0;
  }
  /// The same for any number of bytes.
  bool forbids_range(Piece bytes, bool write) const;

 private:
  struct Page {
    using Words = std::array<std::atomic<std::uint64_t>, 64>;
    Words active;     ///< belongs to an active operation: not to be written
    Words receiving;  ///< of a receive: not to be read either
    const Words& words(bool write) const { return write ? active : receiving; }
  };
  static constexpr unsigned kPageBits = 12, kLeafBits = 18, kTopBits = 17;
  static constexpr std::uintptr_t kPageSize = std::uintptr_t{1} << kPageBits;
  static constexpr std::uintptr_t kLeafSize = kPageSize << kLeafBits;
  using Leaf = std::array<std::atomic<Page*>, std::size_t{1} << kLeafBits>;

  const Page* find(std::uintptr_t address) const {
    const std::uintptr_t top = address >> (kPageBits + kLeafBits);
    if (top >= top_.size()) return nullptr;
    const Leaf* leaf = top_[top].load(std::memory_order_acquire);
    if (leaf == nullptr) return nullptr;
    return (*leaf)[address >> kPageBits & ((std::size_t{1} << kLeafBits) - 1)].load(std::memory_order_acquire);
  }
  std::atomic<Page*>* slot(std::uintptr_t address);  ///< null beyond user addresses
  void change(Piece bytes, Page* whole, bool active, bool receiving);
  Page* own_page(std::atomic<Page*>& slot);
  bool is_shared(const Page* page) const { return page == sending_ || page == receiving_; }
  static bool has_receiving(const Page* page);
  Page* new_page();
  void prepare();

  std::array<std::atomic<Leaf*>, std::size_t{1} << kTopBits> top_{};
  Page* sending_ = nullptr;    ///< stands for every page that is a send's as a whole
  Page* receiving_ = nullptr;  ///< … a receive's as a whole
  Page* spare_ = nullptr;      ///< unused pages, chained through their first word
};

}  // namespace p2plab::probe::access
