// Memory that the program gives back while an operation still uses it. Not munmap(): UCX looks it up by name and patches
// what it finds, which must be the C library's for its cache of registered memory to be right.
#include <malloc.h>

#include <cstddef>
#include <cstdint>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

void given_back(void* block, void* pc) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  if (block == nullptr || begin >= bounds.end.load(std::memory_order_relaxed)) return;
  const std::size_t size = ::malloc_usable_size(block);
  if (may_be_watched(begin, size, true)) library_gave_back({begin, begin + size}, pc);
}

}  // namespace

IN_FRONT_OF(void, free, void* block) {
  given_back(block, CALLER);
  if (auto* const next = next_free.get()) next(block);  // the search for it may itself free a block: that one stays
}
// The old block's life ends even where the new one begins at the same address (C17 7.22.3.5).
IN_FRONT_OF(void*, realloc, void* block, std::size_t size) {
  given_back(block, CALLER);
  return next_realloc(block, size);
}
IN_FRONT_OF(void*, reallocarray, void* block, std::size_t count, std::size_t size) {
  given_back(block, CALLER);
  return next_reallocarray(block, count, size);
}
