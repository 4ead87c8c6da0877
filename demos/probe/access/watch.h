// The memory-access checker's seam: which bytes belong to active operations, and who is told when the program touches
// them.
//
// The program is compiled with -O0 -g -fno-builtin -fno-omit-frame-pointer -fsanitize=thread -Wno-tsan, by clang also
// with -fsanitize-coverage=func,trace-loads,trace-stores -mllvm -tsan-instrument-memory-accesses=0 (its ThreadSanitizer
// leaves out much of a local variable), and linked without -fsanitize: this library supplies every entry point, and
// stands in front of memcpy, read, printf, free and their like. What stays unseen: in C with gcc, a struct passed by
// value from an active buffer, or stored into one as a function's result; with clang, a long double; a local buffer whose
// block ends before its function does; munmap(). MPI 4.1 §3.7.2: a send buffer must not be written, a receive buffer
// neither read nor written, between the start of the operation and its completion.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace p2plab::probe::access {

enum class Use { send, receive };

/// Bytes [begin, end) of a type map; holes lie between pieces.
struct Piece {
  std::uintptr_t begin, end;
};

/// Chosen by the caller, never 0. What completes apart has an id of its own: each partition of a partitioned operation.
using OperationId = std::uint64_t;

/// Operations will be watched from now on. In a program with threads the first completions take some ms, and the first
/// threads begin some ms late, so that another thread's access is seen although it happened to be too early or too late.
void begin();
/// The operation is active: its bytes are watched. Tells of an overlap with what is active already (MPI 4.1 §3.7.2: two
/// sends may share bytes, a receive shares with nobody). More bytes of a known operation are added to it.
void watch(OperationId operation, Use use, std::span<const Piece> pieces);
/// The operation has completed; one that is not known is none of ours.
void release(OperationId operation);
/// Everything is released, for MPI_Finalize.
void release_all();

struct Violation {
  OperationId operation;
  OperationId other;  ///< of an overlap: the operation that was active before; otherwise 0
  Use use;            ///< of `operation`
  enum Kind { access_read, access_write, overlap, freed, out_of_scope } kind;
  std::uintptr_t address;  ///< the first watched byte that is touched, and how many follow it without a gap
  std::size_t size;
  /// Return address behind the access in the program's own module (look up pc − 1), the function's end for a buffer out
  /// of scope; null for an overlap, which happens where the operation is started.
  void* pc;
  /// `pc` and its callers' return addresses, innermost first, ended by null: the access may be written in a header of
  /// the C++ library, and the line that a learner wrote further out.
  std::array<void*, 16> stack;
};

/// `listener` is called on the thread of the access, without a lock of ours, once per (operation, pc, kind) and way
/// there: code of the C++ library's headers is one pc for many lines of a program. What it touches itself is not
/// checked. Null: nobody listens.
void on_violation(void (*listener)(const Violation&));

/// While one lives on a thread, what that thread touches is MPI's doing and does not count.
struct InsideMpi {
  InsideMpi();
  ~InsideMpi();
  InsideMpi(const InsideMpi&) = delete;
  InsideMpi& operator=(const InsideMpi&) = delete;
};

/// Judged as if the program itself had read or written the bytes at `pc`, inside MPI or not: for MPI calls that use a
/// buffer at once (a blocking call, MPI_Pack, MPI_Get_processor_name).
void touch(Piece bytes, bool write, void* pc);
/// Has the program, not MPI, ever started a thread? Then the buffer of a blocking call is worth watching too.
bool program_has_threads();
/// The memory goes away: for MPI_Free_mem, whose own call of free() is MPI's.
void gone(Piece bytes, void* pc);

}  // namespace p2plab::probe::access
