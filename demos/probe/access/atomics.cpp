// Atomics under -fsanitize=thread: each is the real atomic operation with the program's memory order, and an access.
#include <atomic>
#include <cstdint>

#include "demos/probe/access/touched.h"

using p2plab::probe::access::accessed;

namespace {

__extension__ using Int128 = unsigned __int128;

/// The compilers hand on the order as an int, 0 to 5, clang with flags above; a builtin wants a constant.
template <class Function>
auto with_order(int order, Function f) {
  switch (order & 7) {
    case __ATOMIC_RELAXED:
      return f.template operator()<__ATOMIC_RELAXED>();
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return f.template operator()<__ATOMIC_ACQUIRE>();
    case __ATOMIC_RELEASE:
      return f.template operator()<__ATOMIC_RELEASE>();
    case __ATOMIC_ACQ_REL:
      return f.template operator()<__ATOMIC_ACQ_REL>();
    default:
      return f.template operator()<__ATOMIC_SEQ_CST>();
  }
}

/// An order that a load may have: no release in it.
constexpr int of_load(int order) {
  return order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order;
}
constexpr int of_store(int order) {
  return order == __ATOMIC_ACQUIRE ? __ATOMIC_RELAXED : order == __ATOMIC_ACQ_REL ? __ATOMIC_RELEASE : order;
}

enum class Op { add, subtract, bit_and, bit_or, bit_xor, nand };

template <class T>
T applied(Op op, T a, T b) {
  switch (op) {
    case Op::add:
      return static_cast<T>(a + b);
    case Op::subtract:
      return static_cast<T>(a - b);
    case Op::bit_and:
      return a & b;
    case Op::bit_or:
      return a | b;
    case Op::bit_xor:
      return a ^ b;
    case Op::nand:
      break;
  }
  return static_cast<T>(~(a & b));
}

// 16 bytes are always compared and exchanged sequentially consistent (cmpxchg16b), as libatomic does.
Int128 exchange_if(volatile Int128* memory, Int128 expected, Int128 wanted) {
  return __sync_val_compare_and_swap(memory, expected, wanted);
}

template <class T>
T load(const volatile T* memory, int order) {
  if constexpr (sizeof(T) == 16) {
    return exchange_if(const_cast<volatile T*>(memory), 0, 0);
  } else {
    return with_order(order, [&]<int O>() { return __atomic_load_n(memory, of_load(O)); });
  }
}

/// Replaces the value by f(value) until nobody comes between; returns the old one.
template <class Function>
Int128 replaced(volatile Int128* memory, Function f) {
  Int128 old = load(memory, 0);
  while (true) {
    const Int128 seen = exchange_if(memory, old, f(old));
    if (seen == old) return old;
    old = seen;
  }
}

template <class T>
void store(volatile T* memory, T value, int order) {
  if constexpr (sizeof(T) == 16) {
    replaced(memory, [value](T) { return value; });
  } else {
    with_order(order, [&]<int O>() { __atomic_store_n(memory, value, of_store(O)); });
  }
}

template <class T>
T exchange(volatile T* memory, T value, int order) {
  if constexpr (sizeof(T) == 16) {
    return replaced(memory, [value](T) { return value; });
  } else {
    return with_order(order, [&]<int O>() { return __atomic_exchange_n(memory, value, O); });
  }
}

template <Op op, class T>
T fetch(volatile T* memory, T value, int order) {
  if constexpr (sizeof(T) == 16) {
    return replaced(memory, [value](T old) { return applied(op, old, value); });
  } else {
    return with_order(order, [&]<int O>() {
      if constexpr (op == Op::add) return __atomic_fetch_add(memory, value, O);
      if constexpr (op == Op::subtract) return __atomic_fetch_sub(memory, value, O);
      if constexpr (op == Op::bit_and) return __atomic_fetch_and(memory, value, O);
      if constexpr (op == Op::bit_or) return __atomic_fetch_or(memory, value, O);
      if constexpr (op == Op::bit_xor) return __atomic_fetch_xor(memory, value, O);
      if constexpr (op == Op::nand) return __atomic_fetch_nand(memory, value, O);
    });
  }
}

/// True when `wanted` was stored; otherwise `*expected` is what was found. A failure is as strong as the success:
/// stronger than asked is correct.
template <class T>
bool compare_exchange(volatile T* memory, T* expected, T wanted, bool weak, int order) {
  if constexpr (sizeof(T) == 16) {
    const T seen = exchange_if(memory, *expected, wanted);
    const bool stored = seen == *expected;
    if (!stored) *expected = seen;
    return stored;
  } else {
    return with_order(order, [&]<int O>() {
      return weak ? __atomic_compare_exchange_n(memory, expected, wanted, true, O, of_load(O))
                  : __atomic_compare_exchange_n(memory, expected, wanted, false, O, of_load(O));
    });
  }
}

/// The order of success or failure, whichever asks for more.
int stronger(int success, int failure) {
  success &= 7;
  failure &= 7;
  if (success == __ATOMIC_SEQ_CST || failure == __ATOMIC_SEQ_CST) return __ATOMIC_SEQ_CST;
  if (failure == __ATOMIC_RELAXED) return success;
  return success == __ATOMIC_RELEASE || success == __ATOMIC_ACQ_REL ? __ATOMIC_ACQ_REL : __ATOMIC_ACQUIRE;
}

}  // namespace

// One set of entries per size, named by the compilers.
#define FETCH(bits, T, name, op)                                                 \
  T __tsan_atomic##bits##_fetch_##name(volatile T* memory, T value, int order) { \
    accessed(memory, sizeof(T), true, __builtin_return_address(0));              \
    return fetch<op>(memory, value, order);                                      \
  }
#define COMPARE_EXCHANGE(bits, T, name, weak)                                                               \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* memory, T* expected, T wanted, int success, \
                                                    int failure) {                                          \
    accessed(expected, sizeof(T), false, __builtin_return_address(0));                                      \
    const bool stored = compare_exchange(memory, expected, wanted, weak, stronger(success, failure));       \
    accessed(memory, sizeof(T), stored, __builtin_return_address(0));                                       \
    if (!stored) accessed(expected, sizeof(T), true, __builtin_return_address(0));                          \
    return stored;                                                                                          \
  }
#define ATOMICS(bits, T)                                                                                             \
  T __tsan_atomic##bits##_load(const volatile T* memory, int order) {                                                \
    accessed(memory, sizeof(T), false, __builtin_return_address(0));                                                 \
    return load(memory, order);                                                                                      \
  }                                                                                                                  \
  void __tsan_atomic##bits##_store(volatile T* memory, T value, int order) {                                         \
    accessed(memory, sizeof(T), true, __builtin_return_address(0));                                                  \
    store(memory, value, order);                                                                                     \
  }                                                                                                                  \
  T __tsan_atomic##bits##_exchange(volatile T* memory, T value, int order) {                                         \
    accessed(memory, sizeof(T), true, __builtin_return_address(0));                                                  \
    return exchange(memory, value, order);                                                                           \
  }                                                                                                                  \
  FETCH(bits, T, add, Op::add)                                                                                       \
  FETCH(bits, T, sub, Op::subtract)                                                                                  \
  FETCH(bits, T, and, Op::bit_and)                                                                                   \
  FETCH(bits, T, or, Op::bit_or)                                                                                     \
  FETCH(bits, T, xor, Op::bit_xor)                                                                                   \
  FETCH(bits, T, nand, Op::nand)                                                                                     \
  COMPARE_EXCHANGE(bits, T, strong, false)                                                                           \
  COMPARE_EXCHANGE(bits, T, weak, true)                                                                              \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* memory, T expected, T wanted, int success, int failure) { \
    const bool stored = compare_exchange(memory, &expected, wanted, false, stronger(success, failure));              \
    accessed(memory, sizeof(T), stored, __builtin_return_address(0));                                                \
    return expected;                                                                                                 \
  }

extern "C" {
#pragma GCC visibility push(default)

ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
ATOMICS(128, Int128)

void __tsan_atomic_thread_fence(int order) {
  with_order(order, []<int O>() { __atomic_thread_fence(O); });
}
void __tsan_atomic_signal_fence(int order) {
  with_order(order, []<int O>() { __atomic_signal_fence(O); });
}

#pragma GCC visibility pop
}  // extern "C"
