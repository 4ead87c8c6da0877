// What a datatype is made of: its type map as blocks of bytes, and its type signature.
#pragma once
#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "demos/probe/thread.h"

namespace p2plab::probe {

/// Bytes [offset, offset + length) of one element, in the order of the type map.
struct Block {
  MPI_Aint offset = 0;
  MPI_Aint length = 0;
};

struct Datatype {
  MPI_Count size = 0;          ///< bytes of data in one element
  MPI_Aint lower = 0, extent = 0;
  std::vector<Block> blocks;
  bool dense = false;          ///< one block from 0, as long as the extent
  bool whole = true;           ///< false: the map is too long to be kept, and its buffers neither hashed nor watched: then there is no pass
  std::string signature;       ///< "MPI_INT", or "MPI_INT:1,MPI_DOUBLE:2" for one element
  StringHandle signature_text = 0;
  bool builtin = false;
  bool committed = false;
  CallSite made;
};
using DatatypePtr = std::shared_ptr<const Datatype>;

/// Null for a handle that stands for nothing (never made, or freed). Good until the thread asks again.
const DatatypePtr& find_datatype(MPI_Datatype type);

inline std::atomic<std::uint64_t> g_datatypes_epoch{1};  ///< grows when a handle changes its meaning
struct LastDatatype {
  MPI_Datatype type;
  std::uint64_t epoch;
  const Datatype* found;
};
constexpr std::size_t kLastDatatypes = 8;
inline constinit thread_local std::array<LastDatatype, kLastDatatypes> t_last_datatypes{};
/// Where among the last answers one about `type` stands. MPICH's own types and those that are made differ in the lowest bits.
inline std::size_t last_place(MPI_Datatype type) { return static_cast<std::size_t>(type ^ (type >> 3)) % kLastDatatypes; }
/// One of the thread's last answers, if there is one about `type` that still holds; null otherwise, which says nothing.
inline const Datatype* recent_datatype(MPI_Datatype type) {
  const LastDatatype& last = t_last_datatypes[last_place(type)];
  return last.type == type && last.epoch == g_datatypes_epoch.load(std::memory_order_acquire) ? last.found : nullptr;
}

void datatype_made(MPI_Datatype type, const CallSite& where);
void datatype_committed(MPI_Datatype type);
void datatype_freed(MPI_Datatype type);
/// MPI has given the program one handle more of a derived type, which has to be freed as well.
void datatype_given_again(MPI_Datatype type, const CallSite& where);
/// Types that the program made and did not free.
std::vector<DatatypePtr> datatypes_left();

/// The blocks of `count` elements at `buffer`, in order, as far as they hold the first `bytes` bytes of data.
template <class Visit>
void visit_blocks(const Datatype& type, const void* buffer, MPI_Count count, MPI_Count bytes, Visit visit) {
  const auto base = reinterpret_cast<std::uintptr_t>(buffer);
  const auto at = [&](MPI_Aint offset) { return base + static_cast<std::uintptr_t>(offset); };
  if (type.dense) {
    const MPI_Count all = std::min<MPI_Count>(bytes, count * type.size);
    if (all > 0) visit(at(type.lower), static_cast<std::size_t>(all));
    return;
  }
  for (MPI_Count i = 0; i < count && bytes > 0; ++i) {
    for (const Block& block : type.blocks) {
      const MPI_Count length = std::min<MPI_Count>(bytes, block.length);
      if (length <= 0) break;
      visit(at(static_cast<MPI_Aint>(i) * type.extent + block.offset), static_cast<std::size_t>(length));
      bytes -= length;
    }
  }
}

/// xxHash of the first `bytes` bytes of data of a buffer.
std::uint64_t hash_of(const Datatype& type, const void* buffer, MPI_Count count, MPI_Count bytes);

/// "MPI_SUM"; empty for an operation that stands for nothing.
std::string operation_name(MPI_Op op);

}  // namespace p2plab::probe
