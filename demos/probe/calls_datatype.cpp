// Datatypes: made, committed, freed.
#include "demos/probe/arguments.h"

namespace p2plab::probe {
namespace {

/// The type that another is made from, or that is committed or freed.
bool known(Arguments& arguments, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) arguments.reject(MPI_ERR_TYPE, "type-null");
  if (!arguments.bad() && find_datatype(type) == nullptr) arguments.reject(MPI_ERR_TYPE, "type-dead");
  return !arguments.bad();
}

template <class Make>
int make(const CallSite& where, MPI_Datatype old, MPI_Datatype* out, Make make_it) {
  Arguments arguments(where);
  arguments.pointer(out, "newtype");
  if (arguments.bad() || !known(arguments, old)) return arguments.error;
  const int code = make_it();
  if (code == MPI_SUCCESS) datatype_made(*out, where);
  return check(code, where, nullptr);
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_contiguous", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_contiguous(count, old, out); });
}
P2PLAB_MPI int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_vector", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_vector(count, length, stride, old, out); });
}
P2PLAB_MPI int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_create_hvector", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_hvector(count, length, stride, old, out); });
}
P2PLAB_MPI int MPI_Type_indexed(int count, const int lengths[], const int displacements[], MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_indexed", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_indexed(count, lengths, displacements, old, out); });
}
P2PLAB_MPI int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint displacements[], MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_create_hindexed", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_hindexed(count, lengths, displacements, old, out); });
}
P2PLAB_MPI int MPI_Type_create_indexed_block(int count, int length, const int displacements[], MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_create_indexed_block", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_indexed_block(count, length, displacements, old, out); });
}
P2PLAB_MPI int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint displacements[], MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_create_hindexed_block", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_hindexed_block(count, length, displacements, old, out); });
}
P2PLAB_MPI int MPI_Type_create_subarray(int axes, const int sizes[], const int parts[], const int starts[], int order, MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_create_subarray", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_subarray(axes, sizes, parts, starts, order, old, out); });
}
P2PLAB_MPI int MPI_Type_create_darray(int size, int rank, int axes, const int sizes[], const int how[], const int arguments[], const int processes[], int order, MPI_Datatype old, MPI_Datatype* out) {
  return make({"MPI_Type_create_darray", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_darray(size, rank, axes, sizes, how, arguments, processes, order, old, out); });
}
P2PLAB_MPI int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* out) {
  return make({"MPI_Type_create_resized", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_resized(old, lower, extent, out); });
}
P2PLAB_MPI int MPI_Type_dup(MPI_Datatype old, MPI_Datatype* out) {
  const DatatypePtr of = find_datatype(old);
  const int code = make({"MPI_Type_dup", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_dup(old, out); });
  if (code == MPI_SUCCESS && of->committed) datatype_committed(*out);
  return code;
}
P2PLAB_MPI int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint displacements[], const MPI_Datatype types[],
                                      MPI_Datatype* out) {
  const CallSite where{"MPI_Type_create_struct", P2PLAB_CALLER};
  Arguments arguments(where);
  if (arguments.pointer(out, "newtype").count(count).bad()) return arguments.error;
  for (int i = 0; i < count; ++i) {
    if (!known(arguments, types[i])) return arguments.error;
  }
  const int code = PMPI_Type_create_struct(count, lengths, displacements, types, out);
  if (code == MPI_SUCCESS) datatype_made(*out, where);
  return check(code, where, nullptr);
}

P2PLAB_MPI int MPI_Type_commit(MPI_Datatype* type) {
  const CallSite where{"MPI_Type_commit", P2PLAB_CALLER};
  Arguments arguments(where);
  if (arguments.pointer(type, "datatype").bad() || !known(arguments, *type)) return arguments.error;
  const int code = PMPI_Type_commit(type);
  if (code == MPI_SUCCESS) datatype_committed(*type);
  return check(code, where, nullptr);
}
P2PLAB_MPI int MPI_Type_free(MPI_Datatype* type) {
  const CallSite where{"MPI_Type_free", P2PLAB_CALLER};
  Arguments arguments(where);
  if (arguments.pointer(type, "datatype").bad() || !known(arguments, *type)) return arguments.error;
  if (find_datatype(*type)->builtin) return arguments.reject(MPI_ERR_TYPE, "type-builtin").error;
  datatype_freed(*type);
  return check(PMPI_Type_free(type), where, nullptr);
}
