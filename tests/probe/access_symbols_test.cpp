// Whatever a compiler may call for -fsanitize=thread, the library supplies it: otherwise a program would not link.
#include <regex>
#include <set>

#include "tests/probe/command.h"
#include "tests/support/catch.h"

using namespace probe_test;

namespace {

using Names = std::set<std::string>;

Names names_in(const std::string& text, const std::regex& form) {
  Names names;
  for (std::sregex_iterator found(text.begin(), text.end(), form); found != std::sregex_iterator(); ++found)
    names.insert(found->str());
  return names;
}

const std::regex kEntry("__(tsan|sanitizer)_[a-z0-9_]+");

Names supplied() {
  const Ended nm = run("nm -D --defined-only " + quoted(P2PLAB_BUILD_DIR "/tests/probe/libaccess-shim.so"));
  REQUIRE(nm.status == 0);
  return names_in(nm.out, kEntry);
}

std::string missing(const Names& wanted, const Names& given) {
  std::string text;
  for (const std::string& name : wanted) {
    if (!given.contains(name)) text += " " + name;
  }
  return text;
}

/// Every way to touch memory that a compiler has an entry for.
const char* const kEverything = R"(
#include <string.h>
typedef __attribute__((__may_alias__)) struct { char bytes[24]; } block;
typedef int vector __attribute__((vector_size(16)));
struct __attribute__((packed)) packed { char c; short s; int i; long l; vector v; };
extern char c; extern short s; extern int i; extern long l; extern vector v; extern volatile int vi; extern volatile long vl;
extern volatile char vc; extern volatile short vs; extern struct packed p; extern volatile struct packed vp; extern block a, b;
extern _Bool flag;
void plain(void) { c++; s++; i++; l++; v += v; p.s++; p.i++; p.l++; p.v += v; a = b; vc++; vs++; vi++; vl++; vp.i++; }
void library(char* x, char* y, unsigned long n) { memcpy(x, y, n); memmove(x, y, n); memset(x, 0, n); a = b; }
#define ATOMICS(T, name) T name(T* x, T y, T* e) { \
  __atomic_store_n(x, y, __ATOMIC_RELEASE); y += __atomic_load_n(x, __ATOMIC_ACQUIRE); y += __atomic_exchange_n(x, y, 5); \
  y += __atomic_fetch_add(x, y, 5) + __atomic_fetch_sub(x, y, 5) + __atomic_fetch_and(x, y, 5) + __atomic_fetch_or(x, y, 5); \
  y += __atomic_fetch_xor(x, y, 5) + __atomic_fetch_nand(x, y, 5) + __atomic_add_fetch(x, y, 5) + __sync_fetch_and_add(x, y); \
  y += (T)__atomic_compare_exchange_n(x, e, y, 0, 5, 0) + (T)__atomic_compare_exchange_n(x, e, y, 1, 5, 5); \
  return y + __sync_val_compare_and_swap(x, y, 1) + __sync_lock_test_and_set(x, y); }
ATOMICS(char, atomics1) ATOMICS(short, atomics2) ATOMICS(int, atomics4) ATOMICS(long, atomics8) ATOMICS(__int128, atomics16)
void fences(void) { __atomic_thread_fence(5); __atomic_signal_fence(5); flag = __atomic_test_and_set(&c, 5); __atomic_clear(&c, 0); }
)";
const char* const kEverythingOfCxx = R"(
#include <atomic>
#include <string>
#include <vector>
struct base { virtual ~base(); virtual int f(); int n = 0; };
struct derived : base { int f() override; std::vector<std::string> names; };
base::~base() {}
int base::f() { return n; }
int derived::f() { if (names.empty()) throw n; return names.front().empty(); }
int use(base* object) { try { return object->f(); } catch (int n) { return n; } }
std::atomic<long> number; std::atomic<double> real; std::atomic<bool> flag; std::atomic<void*> pointer;
long atomics() { double r = 1; real.compare_exchange_weak(r, 2); flag = true; pointer = &r; static derived d; return number++; }
)";

Names needed(const std::string& compiler, const std::string& flags, const std::string& name, const char* text) {
  const Scratch scratch;
  std::ofstream(scratch / name) << text;
  const fs::path object = scratch / "out.o";
  const Ended compiled = run(compiler + " " + flags + " -mcx16 -c " + quoted(scratch / name) + " -o " + quoted(object));
  INFO(compiler << " " << flags << "\n" << compiled.err);
  REQUIRE(compiled.status == 0);
  return names_in(run("nm -u " + quoted(object)).out, kEntry);
}

std::vector<std::string> installed(const std::string& name, int first, int last) {
  std::vector<std::string> found;
  if (is_installed(name)) found.push_back(name);
  for (int version = first; version <= last; ++version) {
    const std::string full = name + "-" + std::to_string(version);
    if (is_installed(full)) found.push_back(full);
  }
  return found;
}

}  // namespace

TEST_CASE("what compiled programs call is supplied, whatever the compiler and its level of optimization") {
  const Names given = supplied();
  const auto compilers = [](const char* gcc, const char* clang) {
    std::vector<std::string> all = installed(gcc, 12, 14);
    for (const std::string& one : installed(clang, 14, 19)) all.push_back(one);
    return all;
  };
  const std::string flags = GENERATE("", "-O2 ");
  for (const std::string& compiler : compilers("gcc", "clang")) {
    const Names called = needed(compiler, access_flags(compiler) + " " + flags, "all.c", kEverything);
    INFO(compiler << ":" << missing(called, given));
    CHECK(called.size() > 50);
    CHECK(missing(called, given).empty());
    // ThreadSanitizer's own way with volatile and compound accesses, where the compiler has it
    const std::string other =
        compiler.starts_with("clang")
            ? "-fsanitize=thread -mllvm -tsan-distinguish-volatile -mllvm -tsan-compound-read-before-write"
            : "-fsanitize=thread --param tsan-distinguish-volatile=1";
    const Names also = needed(compiler, other + " " + flags, "all.c", kEverything);
    INFO(missing(also, given));
    CHECK(missing(also, given).empty());
  }
  for (const std::string& compiler : compilers("g++", "clang++")) {
    const Names called = needed(compiler, access_flags(compiler) + " " + flags, "all.cpp", kEverythingOfCxx);
    INFO(compiler << ":" << missing(called, given));
    CHECK(called.size() > 10);
    CHECK(missing(called, given).empty());
  }
}

TEST_CASE("every entry point whose name stands in the compiler itself is supplied") {
  const Names given = supplied();
  for (const std::string& compiler : installed("gcc", 12, 14)) {
    const Ended strings = run("grep -aoE '__tsan_[a-z0-9_]+' \"$(" + compiler + " -print-prog-name=cc1)\" | sort -u");
    const Names known = names_in(strings.out, kEntry);
    INFO(compiler << ":" << missing(known, given));
    CHECK(known.size() > 50);
    CHECK(missing(known, given).empty());
  }
}

TEST_CASE("entry points that newer compilers call are supplied") {
  Names wanted{"__tsan_init",
               "__tsan_func_entry",
               "__tsan_func_exit",
               "__tsan_vptr_read",
               "__tsan_vptr_update",
               "__tsan_read_range",
               "__tsan_write_range",
               "__tsan_ignore_thread_begin",
               "__tsan_ignore_thread_end",
               "__tsan_memcpy",
               "__tsan_memmove",
               "__tsan_memset",
               "__tsan_atomic_thread_fence",
               "__tsan_atomic_signal_fence"};
  for (const char* size : {"1", "2", "4", "8", "16"}) {
    for (const char* access : {"read", "write", "read_write", "volatile_read", "volatile_write"}) {
      wanted.insert(std::string("__tsan_") + access + size);
      wanted.insert(std::string("__tsan_unaligned_") + access + size);
    }
  }
  for (const char* bits : {"8", "16", "32", "64", "128"}) {
    for (const char* operation :
         {"load", "store", "exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor", "fetch_nand",
          "compare_exchange_strong", "compare_exchange_weak", "compare_exchange_val"}) {
      wanted.insert(std::string("__tsan_atomic") + bits + "_" + operation);
    }
  }
  CHECK(missing(wanted, supplied()).empty());
}
