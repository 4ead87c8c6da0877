// Blocks of memory in the C library: what is copied, set, compared and searched.
#include <cstddef>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

void copied(void* to, const void* from, std::size_t size, void* pc) {
  read_by_call(from, size, pc);
  written_by_call(to, size, pc);
}

using Compare = int(const void*, const void*);
using CompareWith = int(const void*, const void*, void*);

}  // namespace

IN_FRONT_OF(void*, memcpy, void* to, const void* from, std::size_t size) {
  copied(to, from, size, CALLER);
  return next_memcpy(to, from, size);
}
IN_FRONT_OF(void*, mempcpy, void* to, const void* from, std::size_t size) {
  copied(to, from, size, CALLER);
  return next_mempcpy(to, from, size);
}
IN_FRONT_OF(void*, memmove, void* to, const void* from, std::size_t size) {
  copied(to, from, size, CALLER);
  return next_memmove(to, from, size);
}
IN_FRONT_OF(void, bcopy, const void* from, void* to, std::size_t size) {
  copied(to, from, size, CALLER);
  next_bcopy(from, to, size);
}
IN_FRONT_OF(void*, memset, void* to, int value, std::size_t size) {
  written_by_call(to, size, CALLER);
  return next_memset(to, value, size);
}
IN_FRONT_OF(void, bzero, void* to, std::size_t size) {
  written_by_call(to, size, CALLER);
  next_bzero(to, size);
}
IN_FRONT_OF(void, explicit_bzero, void* to, std::size_t size) {
  written_by_call(to, size, CALLER);
  next_explicit_bzero(to, size);
}
IN_FRONT_OF(int, memcmp, const void* a, const void* b, std::size_t size) {
  read_by_call(a, size, CALLER);
  read_by_call(b, size, CALLER);
  return next_memcmp(a, b, size);
}
IN_FRONT_OF(int, bcmp, const void* a, const void* b, std::size_t size) {
  read_by_call(a, size, CALLER);
  read_by_call(b, size, CALLER);
  return next_bcmp(a, b, size);
}
IN_FRONT_OF(void*, memchr, const void* memory, int value, std::size_t size) {
  void* const found = next_memchr(memory, value, size);
  if (found != nullptr)
    size = static_cast<std::size_t>(static_cast<char*>(found) - static_cast<const char*>(memory)) + 1;
  read_by_call(memory, size, CALLER);
  return found;
}

// It may move any element; its comparisons are the program's own code and speak for themselves.
IN_FRONT_OF(void, qsort, void* base, std::size_t count, std::size_t size, Compare* compare) {
  written_by_call(base, count * size, CALLER);
  next_qsort(base, count, size, compare);
}
IN_FRONT_OF(void, qsort_r, void* base, std::size_t count, std::size_t size, CompareWith* compare, void* with) {
  written_by_call(base, count * size, CALLER);
  next_qsort_r(base, count, size, compare, with);
}

// What clang 16 and later calls for its own copies.
extern "C" {
#pragma GCC visibility push(default)
void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  accessed(from, size, false, CALLER);
  accessed(to, size, true, CALLER);
  return next_memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  accessed(from, size, false, CALLER);
  accessed(to, size, true, CALLER);
  return next_memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, std::size_t size) {
  accessed(to, size, true, CALLER);
  return next_memset(to, value, size);
}
#pragma GCC visibility pop
}
