// One bit per byte of memory: does it belong to an active operation?
#include "demos/probe/access/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace p2plab::probe::access {
namespace {

/// Zeroed memory that is never given back and is not the program's heap, whose free() we watch.
void* reserve(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

std::uint64_t ones(std::size_t from, std::size_t to) {  // bits [from, to) of a word
  const std::uint64_t upto = to == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
  return upto & ~((std::uint64_t{1} << from) - 1);
}

void put(std::atomic<std::uint64_t>& word, std::uint64_t mask, bool value) {
  const std::uint64_t old = word.load(std::memory_order_relaxed);
  word.store(value ? old | mask : old & ~mask, std::memory_order_relaxed);
}

/// What a loop over bytes [begin, end) does with each word's part of a page: f(index, mask).
template <class Function>
void for_words(std::size_t begin, std::size_t end, Function f) {
  while (begin < end) {
    const std::size_t stop = std::min(end, (begin | 63) + 1);
    f(begin >> 6, ones(begin & 63, stop - (begin & ~std::size_t{63})));
    begin = stop;
  }
}

}  // namespace

Shadow::Page* Shadow::new_page() {
  if (spare_ == nullptr) {
    constexpr std::size_t kPages = 256;
    auto* pages = static_cast<Page*>(reserve(kPages * sizeof(Page)));
    for (std::size_t i = 0; i < kPages; ++i) {
      pages[i].active[0].store(reinterpret_cast<std::uint64_t>(spare_), std::memory_order_relaxed);
      spare_ = &pages[i];
    }
  }
  Page* page = spare_;
  spare_ = reinterpret_cast<Page*>(page->active[0].load(std::memory_order_relaxed));
  page->active[0].store(0, std::memory_order_relaxed);
  return page;
}

void Shadow::prepare() {
  if (sending_ != nullptr) return;
  sending_ = new_page();
  receiving_ = new_page();
  for (auto* page : {sending_, receiving_}) {
    for (auto& word : page->active) word = ~std::uint64_t{0};
  }
  for (auto& word : receiving_->receiving) word = ~std::uint64_t{0};
}

std::atomic<Shadow::Page*>* Shadow::slot(std::uintptr_t address) {
  const std::uintptr_t top = address >> (kPageBits + kLeafBits);
  if (top >= top_.size()) return nullptr;
  if (top_[top].load(std::memory_order_relaxed) == nullptr) {
    top_[top].store(static_cast<Leaf*>(reserve(sizeof(Leaf))), std::memory_order_release);
  }
  return &(*top_[top].load(std::memory_order_relaxed))[address >> kPageBits & ((std::size_t{1} << kLeafBits) - 1)];
}

Shadow::Page* Shadow::own_page(std::atomic<Page*>& slot) {
  Page* page = slot.load(std::memory_order_relaxed);
  if (page != nullptr && !is_shared(page)) return page;
  Page* own = new_page();
  if (page != nullptr) {
    for (std::size_t i = 0; i < page->active.size(); ++i) {
      own->active[i].store(page->active[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
      own->receiving[i].store(page->receiving[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
  }
  slot.store(own, std::memory_order_release);
  return own;
}

bool Shadow::has_receiving(const Page* page) {
  return page != nullptr &&
         std::any_of(page->receiving.begin(), page->receiving.end(), [](const auto& word) { return word != 0; });
}

void Shadow::change(Piece bytes, Page* whole, bool active, bool receiving) {
  while (bytes.begin < bytes.end) {
    const std::uintptr_t page_begin = bytes.begin & ~(kPageSize - 1);
    const std::uintptr_t stop = std::min(bytes.end, page_begin + kPageSize);
    std::atomic<Page*>* const at = slot(bytes.begin);
    if (at == nullptr) return;
    Page* old = at->load(std::memory_order_relaxed);
    bool unused = false;
    if (stop - bytes.begin == kPageSize && (!active || receiving || !has_receiving(old))) {
      at->store(whole, std::memory_order_release);
      unused = old != nullptr && !is_shared(old);
    } else if (active || old != nullptr) {
      old = own_page(*at);
      for_words(bytes.begin - page_begin, stop - page_begin, [&](std::size_t word, std::uint64_t mask) {
        put(old->active[word], mask, active);
        if (receiving || !active) put(old->receiving[word], mask, receiving);
      });
      unused =
          !active && std::all_of(old->active.begin(), old->active.end(), [](const auto& word) { return word == 0; });
      if (unused) at->store(nullptr, std::memory_order_release);
    }
    if (unused) {
      for (auto& word : old->active) word.store(0, std::memory_order_relaxed);
      for (auto& word : old->receiving) word.store(0, std::memory_order_relaxed);
      old->active[0].store(reinterpret_cast<std::uint64_t>(spare_), std::memory_order_relaxed);
      spare_ = old;
    }
    bytes.begin = stop;
  }
}

void Shadow::mark(Piece bytes, Use use) {
  prepare();
  change(bytes, use == Use::send ? sending_ : receiving_, true, use == Use::receive);
}

void Shadow::clear(Piece bytes) { change(bytes, nullptr, false, false); }

bool Shadow::forbids_range(Piece bytes, bool write) const {
  while (bytes.begin < bytes.end) {
    const std::uintptr_t top = bytes.begin >> (kPageBits + kLeafBits);
    if (top >= top_.size()) return false;
    const std::uintptr_t page_begin = bytes.begin & ~(kPageSize - 1);
    if (top_[top].load(std::memory_order_acquire) == nullptr) {
      bytes.begin = (top + 1) * kLeafSize;
      continue;
    }
    const std::uintptr_t stop = std::min(bytes.end, page_begin + kPageSize);
    if (const Page* page = find(bytes.begin)) {
      std::uint64_t found = 0;
      for_words(bytes.begin - page_begin, stop - page_begin, [&](std::size_t word, std::uint64_t mask) {
        found |= page->words(write)[word].load(std::memory_order_relaxed) & mask;
      });
      if (found != 0) return true;
    }
    bytes.begin = stop;
  }
  return false;
}

}  // namespace p2plab::probe::access
