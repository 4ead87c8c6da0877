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

/// Bytes from `memory` to `found`, with it; `all` where nothing was found.
std::size_t size_up_to(const void* memory, const void* found, std::size_t all) {
  return found == nullptr ? all : static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(memory)) + 1;
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
  read_by_call(memory, size_up_to(memory, found, size), CALLER);
  return found;
}
IN_FRONT_OF(void*, memccpy, void* to, const void* from, int last, std::size_t size) {
  copied(to, from, size_up_to(from, next_memchr(from, last, size), size), CALLER);
  return next_memccpy(to, from, last, size);
}
IN_FRONT_OF(void*, rawmemchr, const void* memory, int value) {
  void* const found = next_rawmemchr(memory, value);
  read_by_call(memory, size_up_to(memory, found, 0), CALLER);
  return found;
}
IN_FRONT_OF(void*, memrchr, const void* memory, int value, std::size_t size) {
  void* const found = next_memrchr(memory, value, size);
  const void* const from = found != nullptr ? found : memory;  // it comes from the end
  read_by_call(from, size + 1 - size_up_to(memory, from, size), CALLER);
  return found;
}
IN_FRONT_OF(void*, memmem, const void* memory, std::size_t size, const void* wanted, std::size_t length) {
  read_by_call(wanted, length, CALLER);
  void* const found = next_memmem(memory, size, wanted, length);
  const std::size_t before = found == nullptr ? size : size_up_to(memory, found, size) - 1 + length;
  read_by_call(memory, before, CALLER);
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
