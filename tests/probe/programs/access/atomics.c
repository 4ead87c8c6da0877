/* Atomics are real, whatever their size and order, and an atomic access of a buffer is an access. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "access_shim.h"

#define CHECK(condition) \
  if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); }

enum { threads = 4, rounds = 20000 };

#define EVERY_OPERATION(T)                                                                                             \
  static void every_operation_##T(void) {                                                                              \
    static T v;                                                                                                        \
    T expected = 6;                                                                                                    \
    __atomic_store_n(&v, 5, __ATOMIC_RELEASE);                                                                         \
    CHECK(__atomic_load_n(&v, __ATOMIC_ACQUIRE) == 5);                                                                 \
    CHECK(__atomic_exchange_n(&v, 9, __ATOMIC_ACQ_REL) == 5);                                                          \
    CHECK(__atomic_fetch_add(&v, 3, __ATOMIC_SEQ_CST) == 9);                                                           \
    CHECK(__atomic_fetch_sub(&v, 2, __ATOMIC_RELAXED) == 12);                                                          \
    CHECK(__atomic_fetch_and(&v, 6, __ATOMIC_ACQUIRE) == 10);                                                          \
    CHECK(__atomic_fetch_or(&v, 9, __ATOMIC_RELEASE) == 2);                                                            \
    CHECK(__atomic_fetch_xor(&v, 1, __ATOMIC_CONSUME) == 11);                                                          \
    CHECK(__atomic_fetch_nand(&v, 2, __ATOMIC_SEQ_CST) == 10);                                                         \
    CHECK(v == (T)~(T)2);                                                                                              \
    v = 7;                                                                                                             \
    CHECK(!__atomic_compare_exchange_n(&v, &expected, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && expected == 7);     \
    CHECK(__atomic_compare_exchange_n(&v, &expected, 8, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE) && v == 8);             \
    expected = 8;                                                                                                      \
    while (!__atomic_compare_exchange_n(&v, &expected, 1, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) CHECK(expected == 8); \
    CHECK(__atomic_add_fetch(&v, 4, __ATOMIC_SEQ_CST) == 5);                                                           \
    CHECK(__sync_val_compare_and_swap(&v, 5, 6) == 5);                                                                 \
    CHECK(v == 6);                                                                                                     \
  }
EVERY_OPERATION(uint8_t)
EVERY_OPERATION(uint16_t)
EVERY_OPERATION(uint32_t)
EVERY_OPERATION(uint64_t)
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
typedef unsigned __int128 wide_t;
EVERY_OPERATION(wide_t)
static wide_t wide_count;
#endif

static uint64_t count;
static _Atomic double real_count;

static void* counts(void* unused) {
  for (int i = 0; i < rounds; i++) {
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    double old = atomic_load(&real_count);
    while (!atomic_compare_exchange_weak(&real_count, &old, old + 1)) continue;
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
    __atomic_fetch_add(&wide_count, ((wide_t)1 << 64) + 1, __ATOMIC_RELAXED);
#endif
  }
  return unused;
}

static void accesses(void) {
  static int r, s;
  int expected = 3;
  start_receive(1, &r, sizeof r);
  start_send(2, &s, sizeof s);
  CHECK(__atomic_load_n(&r, __ATOMIC_RELAXED) == 0);  /* ! access_read 1 */
  CHECK(__atomic_load_n(&s, __ATOMIC_RELAXED) == 0);
  __atomic_store_n(&r, 1, __ATOMIC_RELAXED);          /* ! access_write 1 */
  __atomic_store_n(&s, 1, __ATOMIC_RELAXED);          /* ! access_write 2 */
  __atomic_fetch_add(&s, 0, __ATOMIC_RELAXED);        /* ! access_write 2 */
  __atomic_compare_exchange_n(&s, &expected, 4, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(&s, &expected, 4, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); /* ! access_write 2 */
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  complete(1);
  complete(2);
  __atomic_store_n(&r, s, __ATOMIC_RELAXED);
}

int access_test_main(void) {
  pthread_t thread[threads];
  every_operation_uint8_t();
  every_operation_uint16_t();
  every_operation_uint32_t();
  every_operation_uint64_t();
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], 0, counts, 0);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], 0);
  CHECK(count == (uint64_t)threads * rounds);
  CHECK(real_count == threads * rounds);
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
  every_operation_wide_t();
  CHECK(wide_count == (((wide_t)1 << 64) + 1) * threads * rounds);
#endif
  accesses();
  return 0;
}
int main(void) { return access_test_main(); }
