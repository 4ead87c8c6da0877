// See arguments.h. MPI 4.1, sections 3.2 and 3.7; MPICH gives MPI_PROC_NULL and MPI_ANY_TAG the same number.
#include "demos/probe/arguments.h"

namespace p2plab::probe {
namespace {

constexpr MPI_Aint kNullPage = 4096;  ///< an address below is no address: a derived type at MPI_BOTTOM lies beyond it

}  // namespace

Arguments::Arguments(const CallSite& call, MPI_Comm handle) : where(call), comm(CommunicatorPtr(), find_communicator(handle).get()) {
  if (!Probe::get().initialized.load(std::memory_order_acquire)) {
    reject(MPI_ERR_OTHER, "before-init");
  } else if (Probe::get().finalized.load(std::memory_order_acquire)) {
    reject(MPI_ERR_OTHER, "after-finalize");
  } else if (comm == nullptr) {
    reject(MPI_ERR_COMM, handle == MPI_COMM_NULL ? "comm-null" : "comm-dead");
  }
}

Arguments& Arguments::reject(int error_class, const char* detail, std::vector<std::pair<const char*, std::string>> parameters) {
  if (bad()) return *this;
  Defect defect;
  defect.detail = detail;
  defect.parameters = std::move(parameters);
  if (comm) defect.comm = comm->text;
  error = fail(where, comm, error_class, defect);
  if (error == MPI_SUCCESS) error = error_class;  // the program's own handler may have changed it
  return *this;
}

Arguments& Arguments::peer(int rank, bool any) {
  if (bad() || rank == MPI_PROC_NULL || (any && rank == MPI_ANY_SOURCE)) return *this;
  const auto size = static_cast<int>(comm->peers().size());
  if (rank >= 0 && rank < size) return *this;
  return reject(MPI_ERR_RANK, "rank", {{"value", std::to_string(rank)}, {"last", std::to_string(size - 1)}});
}

Arguments& Arguments::tag(int tag, bool any) {
  if (bad() || (any && tag == MPI_ANY_TAG)) return *this;
  const int limit = Probe::get().tag_limit;
  if (tag >= 0 && tag <= limit) return *this;
  return reject(MPI_ERR_TAG, "tag", {{"value", std::to_string(tag)}, {"last", std::to_string(limit)}});
}

Arguments& Arguments::count(MPI_Count count) {
  if (bad() || count >= 0) return *this;
  return reject(MPI_ERR_COUNT, "count", {{"value", std::to_string(count)}});
}

Arguments& Arguments::type(MPI_Datatype type, DatatypePtr& out) {
  if (bad()) return *this;
  if (type == MPI_DATATYPE_NULL) return reject(MPI_ERR_TYPE, "type-null");
  out = DatatypePtr(DatatypePtr(), find_datatype(type).get());
  if (out == nullptr) return reject(MPI_ERR_TYPE, "type-dead");
  if (!out->committed) return reject(MPI_ERR_TYPE, "type-uncommitted");
  return *this;
}

Arguments& Arguments::buffer(const void* buffer, MPI_Count count, const DatatypePtr& type) {
  if (bad() || count <= 0 || type->size == 0) return *this;
  if (buffer == MPI_IN_PLACE) return reject(MPI_ERR_BUFFER, "buffer-in-place");
  if (buffer != nullptr) return *this;
  const bool absolute = !type->builtin && (!type->whole || (!type->blocks.empty() && type->blocks[0].offset >= kNullPage));
  if (absolute) return *this;
  return reject(MPI_ERR_BUFFER, "buffer-null", {{"count", std::to_string(count)}});
}

Arguments& Arguments::not_in_place(const void* buffer) { return buffer == MPI_IN_PLACE ? reject(MPI_ERR_BUFFER, "buffer-in-place") : *this; }

Arguments& Arguments::status(const MPI_Status* status) { return status == nullptr ? reject(MPI_ERR_ARG, "status-null") : *this; }

Arguments& Arguments::pointer(const void* pointer, const char* what) {
  return pointer == nullptr ? reject(MPI_ERR_ARG, "pointer-null", {{"what", what}}) : *this;
}

Arguments& Arguments::root(int rank) {
  if (bad()) return *this;
  if (comm->inter) return *this;  // MPI_ROOT, MPI_PROC_NULL or a rank of the other group
  const auto size = static_cast<int>(comm->world.size());
  if (rank >= 0 && rank < size) return *this;
  return reject(MPI_ERR_ROOT, "root", {{"value", std::to_string(rank)}, {"last", std::to_string(size - 1)}});
}

Arguments& Arguments::operation(MPI_Op op) { return op == MPI_OP_NULL ? reject(MPI_ERR_OP, "op-null") : *this; }

}  // namespace p2plab::probe
