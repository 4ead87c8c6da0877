/* Loads and stores of every shape. A line that breaks a rule says so after an exclamation mark: kind and operation, which
   compiler sees it if not all. */
#include <complex.h>
#include <stdlib.h>

#include "access_shim.h"

struct small { int a; char b; };
struct large { double x[9]; };
struct bits { unsigned low : 3, high : 13; };
struct __attribute__((packed)) packed { char c; int i; };
typedef int vector4 __attribute__((vector_size(16)));

static double total(struct large by_value) { return by_value.x[0] + by_value.x[8]; }
static struct large made(void) { struct large value = {{1}}; return value; }

static char global_bytes[64];
static int global_table[4][8];

static void receives(void) {
  signed char c = 0; short s = 0; int i = 0; long l = 0; float f = 0; double d = 0; long double e = 0; int* p = &i;
  double complex z = 0; struct small small = {0, 0}; struct large large = {{0}}; struct bits bits = {0, 0};
  struct packed packed = {0, 0}; vector4 v = {0, 0, 0, 0}; struct small small2; struct large large2; volatile int vi = 0;
  int unused = 0;
  start_receive(1, &c, sizeof c); start_receive(2, &s, sizeof s); start_receive(3, &i, sizeof i);
  start_receive(4, &l, sizeof l); start_receive(5, &f, sizeof f); start_receive(6, &d, sizeof d);
  start_receive(7, &e, sizeof e); start_receive(8, &p, sizeof p); start_receive(9, &z, sizeof z);
  start_receive(10, &small, sizeof small); start_receive(11, &large, sizeof large); start_receive(12, &bits, sizeof bits);
  start_receive(13, &packed, sizeof packed); start_receive(14, &v, sizeof v); start_receive(15, (void*)&vi, sizeof vi);
  unused += c;                       /* ! access_read 1 */
  unused += s;                       /* ! access_read 2 */
  unused += i;                       /* ! access_read 3 */
  unused += (int)l;                  /* ! access_read 4 */
  unused += (int)f;                  /* ! access_read 5 */
  unused += (int)d;                  /* ! access_read 6 */
  unused += (int)e;                  /* !gcc access_read 7 */
  unused += p == 0;                  /* ! access_read 8 */
  unused += 1; unused += creal(z);   /* ! access_read 9 */  /* GCC 14 gives a complex load the line of the statement before */
  small2 = small;                    /* ! access_read 10 */
  large2 = large;                    /* ! access_read 11 */
  unused += bits.high;               /* ! access_read 12 */
  unused += packed.i;                /* ! access_read 13 */
  unused += (v + v)[1];              /* ! access_read 14 */
  unused += vi;                      /* ! access_read 15 */
  if (i > 3) unused++;               /* ! access_read 3 */
  while (vi != 0) break;             /* ! access_read 15 */
  switch (s) { default: break; }     /* ! access_read 2 */
  unused += i ? 1 : 2;               /* ! access_read 3 */
  i++;                               /* ! access_read 3 ! access_write 3 */
  l |= 4;                            /* ! access_read 4 ! access_write 4 */
  i = i;                             /* ! access_read 3 ! access_write 3 */
  c = 0;                             /* ! access_write 1 */
  d = 0;                             /* ! access_write 6 */
  e = 1;                             /* !gcc access_write 7 */
  z = 2;                             /* ! access_write 9 */
  p = 0;                             /* ! access_write 8 */
  small.b = 1;                       /* ! access_write 10 */
  small = small2;                    /* ! access_write 10 */
  large = large2;                    /* ! access_write 11 */
  bits.low = 1;                      /* ! access_write 12 !clang access_read 12 */
  packed.i = 7;                      /* ! access_write 13 */
  v[2] = 1;                          /* ! access_write 14 !clang access_read 14 */
  vi = 0;                            /* ! access_write 15 */
  for (unsigned long o = 1; o <= 15; o++) complete(o);
  unused += c + s + i + (int)l + (int)f + (int)d + (int)e + (int)creal(z) + small.a + (int)large.x[1] + (int)bits.low;
  c = 0; s = 1; i = 2; l = 3; small = small2; large = large2; vi = unused;
}

static void sends(void) {
  int a[4] = {1, 2, 3, 4};
  int sum = 0;
  start_send(20, a, sizeof a);
  start_send(21, a, 2 * sizeof a[0]); /* two sends may share a buffer */
  for (int i = 0; i < 4; i++) sum += a[i];
  a[3] = 4;                          /* ! access_write 20 */
  a[0] = 1;                          /* ! access_write 20 ! access_write 21 */
  complete(20);
  a[3] = sum;
  a[1]--;                            /* ! access_write 21 */
  complete(21);
  a[1] = a[0] = 0;
}

static void holes(void) {
  start_receive_strided(30, &global_table[0][2], 4, sizeof(int), sizeof global_table[0]); /* a column */
  for (int row = 0; row < 4; row++) {
    global_table[row][1] = 1;
    global_table[row][3] = global_table[row][1];
  }
  global_table[3][2] = 1;            /* ! access_write 30 */
  complete(30);
  global_table[3][2] = 1;
  start_receive(31, global_bytes + 8, 16);
  global_bytes[7] = 0;
  global_bytes[24] = global_bytes[7];
  global_bytes[8] = 0;               /* ! access_write 31 */
  global_bytes[23] = 0;              /* ! access_write 31 */
  *(long*)(global_bytes + 1) = 3;    /* ! access_write 31 */
  complete(31);
}

static void heap(void) {
  const int n = 100000;
  int* big = malloc(n * sizeof *big);
  int sum = 0;
  for (int i = 0; i < n; i++) big[i] = i;
  start_receive(40, big + 1, (n - 2) * sizeof *big);
  big[0] = big[n - 1];
  big[1] = 0;                        /* ! access_write 40 */
  big[n / 2] = 0;                    /* ! access_write 40 */
  big[n - 2] = 0;                    /* ! access_write 40 */
  for (int i = 0; i < n; i++)
    sum += big[i];                   /* ! access_read 40 */
  deliver(big + 1, 1, (n - 2) * sizeof *big);
  complete(40);
  for (int i = 0; i < n; i++) sum += big[i];
  big[2] = sum;
  free(big);
}

static void overlaps(void) {
  char b[64] = {0};
  start_receive(50, b, 32);
  start_receive(51, b + 31, 8);      /* ! overlap 51 */
  start_send(52, b + 38, 4);         /* ! overlap 52 */
  start_send(53, b + 40, 4);
  start_receive(54, b + 48, 4);
  b[31] = 0;                         /* ! access_write 50 ! access_write 51 */
  complete(51);
  complete(50);
  complete(52);
  b[31] = 0;
  b[38] = 0;
  b[41] = 0;                         /* ! access_write 53 */
  complete(53);
  complete(54);
}

static int by_value(void) {
  struct large large = {{0}};
  double sum = 0;
  start_receive(60, &large, sizeof large);
  sum += total(large);               /* no compiler tells of this */
  large = made();                    /* !clang access_write 60 */
  complete(60);
  return sum > 0;
}

static void initialised_again(void) {
  for (int round = 0; round < 2; round++) {
    int b[8] = {0};                  /* ! access_write 70 */
    if (round == 0) start_send(70, b, sizeof b);
  }
  complete(70);
}

int access_test_main(void) {
  receives();
  sends();
  holes();
  heap();
  overlaps();
  initialised_again();
  return by_value();
}
int main(void) { return access_test_main(); }
