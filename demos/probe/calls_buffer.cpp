// MPI calls that use the program's memory at once and send nothing: packing, local reduction, memory of MPI's own. They
// are not recorded; they matter where the memory belongs to an active operation.
#include <mutex>
#include <unordered_map>

#include "demos/probe/access/watch.h"
#include "demos/probe/arguments.h"

namespace p2plab::probe {
namespace {

bool watching() { return Probe::get().orders.access != 0; }

void touch_elements(const void* buffer, MPI_Count count, MPI_Datatype type, bool write, void* pc) {
  if (!watching()) return;
  const DatatypePtr layout = find_datatype(type);
  if (layout == nullptr || !layout->whole || count <= 0) return;
  visit_blocks(*layout, buffer, count, count * layout->size, [&](std::uintptr_t begin, std::size_t length) {
    access::touch({begin, begin + length}, write, pc);
  });
}

void touch_packed(const void* packed, MPI_Count from, MPI_Count to, bool write, void* pc) {
  if (!watching() || from < 0 || to <= from) return;
  const auto base = reinterpret_cast<std::uintptr_t>(packed);
  access::touch({base + static_cast<std::uintptr_t>(from), base + static_cast<std::uintptr_t>(to)}, write, pc);
}

/// `pack` moves `*position` on by what it has written.
template <class Position, class Pack>
int packed(const void* from, MPI_Count count, MPI_Datatype type, void* to, Position* position, void* pc, Pack pack) {
  const Position begin = position == nullptr ? Position{-1} : *position;
  touch_elements(from, count, type, false, pc);
  int code = MPI_SUCCESS;
  {
    const access::InsideMpi inside;
    code = pack();
  }
  if (code == MPI_SUCCESS) touch_packed(to, begin, *position, true, pc);
  return code;
}

template <class Position, class Unpack>
int unpacked(const void* from, Position* position, void* to, MPI_Count count, MPI_Datatype type, void* pc, Unpack unpack) {
  const Position begin = position == nullptr ? Position{-1} : *position;
  touch_elements(to, count, type, true, pc);
  int code = MPI_SUCCESS;
  {
    const access::InsideMpi inside;
    code = unpack();
  }
  if (code == MPI_SUCCESS) touch_packed(from, begin, *position, false, pc);
  return code;
}

/// MPICH writes over the end of what has no room.
template <class Count>
int no_room(const CallSite& where, Count count, MPI_Datatype type, Count size, const Count* position, MPI_Comm comm) {
  Arguments arguments(where, comm);
  arguments.pointer(position, "position");
  const DatatypePtr layout = find_datatype(type);
  if (arguments.bad() || layout == nullptr) return arguments.error;
  const MPI_Count needed = static_cast<MPI_Count>(*position) + static_cast<MPI_Count>(count) * layout->size;
  if (needed > size) arguments.reject(MPI_ERR_TRUNCATE, "pack-room", {{"needed", std::to_string(needed)}, {"room", std::to_string(size)}});
  return arguments.error;
}

int checked(int code, const CallSite& where, MPI_Comm comm) {
  return code == MPI_SUCCESS ? code : check(code, where, find_communicator(comm));
}

/// Sizes of the blocks that MPI_Alloc_mem has given out.
class Blocks {
 public:
  void add(void* block, std::size_t size) {
    const std::lock_guard lock(mutex_);
    sizes_[block] = size;
  }
  /// Forgets it; 0 when it is none of them.
  std::size_t take(void* block) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.extract(block);
    return found.empty() ? 0 : found.mapped();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<void*, std::size_t> sizes_;
};
Blocks& blocks() {
  static Blocks* const kBlocks = new Blocks;  // used until the last destructor of the program
  return *kBlocks;
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Pack(const void* from, int count, MPI_Datatype type, void* to, int size, int* position, MPI_Comm comm) {
  const CallSite where{"MPI_Pack", P2PLAB_CALLER};
  if (const int error = no_room(where, count, type, size, position, comm); error != MPI_SUCCESS) return error;
  return checked(packed(from, count, type, to, position, where.pc, [&] { return PMPI_Pack(from, count, type, to, size, position, comm); }),
                 where, comm);
}
P2PLAB_MPI int MPI_Pack_c(const void* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count size, MPI_Count* position,
                          MPI_Comm comm) {
  const CallSite where{"MPI_Pack_c", P2PLAB_CALLER};
  if (const int error = no_room(where, count, type, size, position, comm); error != MPI_SUCCESS) return error;
  return checked(packed(from, count, type, to, position, where.pc, [&] { return PMPI_Pack_c(from, count, type, to, size, position, comm); }),
                 where, comm);
}
P2PLAB_MPI int MPI_Unpack(const void* from, int size, int* position, void* to, int count, MPI_Datatype type, MPI_Comm comm) {
  const CallSite where{"MPI_Unpack", P2PLAB_CALLER};
  return checked(
      unpacked(from, position, to, count, type, where.pc, [&] { return PMPI_Unpack(from, size, position, to, count, type, comm); }), where, comm);
}
P2PLAB_MPI int MPI_Unpack_c(const void* from, MPI_Count size, MPI_Count* position, void* to, MPI_Count count, MPI_Datatype type,
                            MPI_Comm comm) {
  const CallSite where{"MPI_Unpack_c", P2PLAB_CALLER};
  return checked(
      unpacked(from, position, to, count, type, where.pc, [&] { return PMPI_Unpack_c(from, size, position, to, count, type, comm); }), where, comm);
}
#define P2PLAB_LOCAL(suffix, Count, Place)                                                                                       \
  P2PLAB_MPI int MPI_Pack_external##suffix(const char* form, const void* from, Count count, MPI_Datatype type, void* to, Place size, \
                                           Place* position) {                                                                       \
    const CallSite where{"MPI_Pack_external" #suffix, P2PLAB_CALLER};                                                                \
    const auto pack = [&] { return PMPI_Pack_external##suffix(form, from, count, type, to, size, position); };                       \
    return checked(packed(from, count, type, to, position, where.pc, pack), where, MPI_COMM_WORLD);                                  \
  }                                                                                                                                 \
  P2PLAB_MPI int MPI_Unpack_external##suffix(const char* form, const void* from, Place size, Place* position, void* to, Count count, \
                                             MPI_Datatype type) {                                                                   \
    const CallSite where{"MPI_Unpack_external" #suffix, P2PLAB_CALLER};                                                              \
    const auto unpack = [&] { return PMPI_Unpack_external##suffix(form, from, size, position, to, count, type); };                   \
    return checked(unpacked(from, position, to, count, type, where.pc, unpack), where, MPI_COMM_WORLD);                              \
  }                                                                                                                                 \
  P2PLAB_MPI int MPI_Reduce_local##suffix(const void* in, void* inout, Count count, MPI_Datatype type, MPI_Op op) {                  \
    const CallSite where{"MPI_Reduce_local" #suffix, P2PLAB_CALLER};                                                                 \
    touch_elements(in, count, type, false, where.pc);                                                                               \
    touch_elements(inout, count, type, true, where.pc);                                                                             \
    const access::InsideMpi inside;                                                                                                        \
    return checked(PMPI_Reduce_local##suffix(in, inout, count, type, op), where, MPI_COMM_WORLD);                                    \
  }
P2PLAB_LOCAL(, int, MPI_Aint)
P2PLAB_LOCAL(_c, MPI_Count, MPI_Count)

P2PLAB_MPI int MPI_Get_processor_name(char* name, int* length) {
  const CallSite where{"MPI_Get_processor_name", P2PLAB_CALLER};
  int code = MPI_SUCCESS;
  {
    const access::InsideMpi inside;
    code = PMPI_Get_processor_name(name, length);
  }
  if (code == MPI_SUCCESS) touch_packed(name, 0, *length + 1, true, where.pc);
  return checked(code, where, MPI_COMM_WORLD);
}

P2PLAB_MPI int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* out) {
  const CallSite where{"MPI_Alloc_mem", P2PLAB_CALLER};
  const int code = PMPI_Alloc_mem(size, info, out);
  if (code == MPI_SUCCESS && watching()) blocks().add(*static_cast<void**>(out), static_cast<std::size_t>(size));
  return checked(code, where, MPI_COMM_WORLD);
}
P2PLAB_MPI int MPI_Free_mem(void* memory) {
  const CallSite where{"MPI_Free_mem", P2PLAB_CALLER};
  if (const std::size_t size = watching() ? blocks().take(memory) : 0; size != 0) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    access::gone({begin, begin + size}, where.pc);
  }
  return checked(PMPI_Free_mem(memory), where, MPI_COMM_WORLD);
}
