// Stands between a checked program and the access checker, as the profiling layer does, and prints what is found:
//   violation KIND OPERATION OTHER USE SIZE ADDRESS…
// The addresses are those of the program's frames, relative to where it was loaded, innermost first.
#include "tests/probe/programs/access_shim.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "demos/probe/access/watch.h"

namespace {

using namespace p2plab::probe::access;

const void* program_base() {
  Dl_info info{};
  void* const main = ::dlsym(RTLD_DEFAULT, "access_test_main");  // each program exports it
  return main != nullptr && ::dladdr(main, &info) != 0 ? info.dli_fbase : nullptr;
}

void print(const Violation& violation) {
  static const char* const kinds[] = {"access_read", "access_write", "overlap", "freed", "out_of_scope"};
  char line[1024];
  int length =
      std::snprintf(line, sizeof line, "violation %s %lu %lu %s %zu", kinds[violation.kind], violation.operation,
                    violation.other, violation.use == Use::send ? "send" : "receive", violation.size);
  const void* const base = program_base();
  for (void* pc : violation.stack) {
    Dl_info info{};
    if (pc == nullptr || ::dladdr(pc, &info) == 0 || info.dli_fbase != base) continue;
    length += std::snprintf(line + length, sizeof line - static_cast<std::size_t>(length), " %#tx",
                            static_cast<char*>(pc) - static_cast<const char*>(base) - 1);
  }
  line[length++] = '\n';
  if (::write(STDERR_FILENO, line, static_cast<std::size_t>(length)) != length) ::_exit(9);
}

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

[[gnu::constructor]] void listen() {
  on_violation(print);
  begin();
}

}  // namespace

#pragma GCC visibility push(default)
void start_send(unsigned long operation, const void* buffer, std::size_t bytes) {
  const Piece piece{address(buffer), address(buffer) + bytes};
  watch(operation, Use::send, {&piece, 1});
}
void start_receive(unsigned long operation, void* buffer, std::size_t bytes) {
  const Piece piece{address(buffer), address(buffer) + bytes};
  watch(operation, Use::receive, {&piece, 1});
}
void start_receive_strided(unsigned long operation, void* buffer, std::size_t count, std::size_t block,
                           std::size_t stride) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    pieces.push_back({address(buffer) + i * stride, address(buffer) + i * stride + block});
  }
  watch(operation, Use::receive, pieces);
}
void complete(unsigned long operation) { release(operation); }
void deliver(void* buffer, int value, std::size_t bytes) {
  const InsideMpi inside;
  std::memset(buffer, value, bytes);
}
void mpi_frees(void* memory, std::size_t bytes) {
  gone({address(memory), address(memory) + bytes}, __builtin_return_address(0));
}
#pragma GCC visibility pop
