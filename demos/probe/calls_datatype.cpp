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

template <class Make>
int make_of_many(const CallSite& where, MPI_Count count, const MPI_Datatype types[], MPI_Datatype* out, Make make_it) {
  Arguments arguments(where);
  if (arguments.pointer(out, "newtype").count(count).bad()) return arguments.error;
  for (MPI_Count i = 0; i < count; ++i) {
    if (!known(arguments, types[i])) return arguments.error;
  }
  const int code = make_it();
  if (code == MPI_SUCCESS) datatype_made(*out, where);
  return check(code, where, nullptr);
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

// A constructor of one old type, with int and with MPI_Count; PARAMETERS and ARGUMENTS in brackets.
#define P2PLAB_BARE(...) __VA_ARGS__
#define P2PLAB_TYPE_OF_ONE(name, PARAMETERS, ARGUMENTS)                                                             \
  P2PLAB_MPI int MPI_##name(P2PLAB_BARE PARAMETERS, MPI_Datatype old, MPI_Datatype* out) {                          \
    return make({"MPI_" #name, P2PLAB_CALLER}, old, out, [&] { return PMPI_##name(P2PLAB_BARE ARGUMENTS, old, out); }); \
  }
#define P2PLAB_TYPES(suffix, Count, Address)                                                                                                   \
  P2PLAB_TYPE_OF_ONE(Type_contiguous##suffix, (Count count), (count))                                                                          \
  P2PLAB_TYPE_OF_ONE(Type_vector##suffix, (Count count, Count length, Count stride), (count, length, stride))                                  \
  P2PLAB_TYPE_OF_ONE(Type_create_hvector##suffix, (Count count, Count length, Address stride), (count, length, stride))                        \
  P2PLAB_TYPE_OF_ONE(Type_indexed##suffix, (Count count, const Count lengths[], const Count places[]), (count, lengths, places))               \
  P2PLAB_TYPE_OF_ONE(Type_create_hindexed##suffix, (Count count, const Count lengths[], const Address places[]), (count, lengths, places))     \
  P2PLAB_TYPE_OF_ONE(Type_create_indexed_block##suffix, (Count count, Count length, const Count places[]), (count, length, places))            \
  P2PLAB_TYPE_OF_ONE(Type_create_hindexed_block##suffix, (Count count, Count length, const Address places[]), (count, length, places))         \
  P2PLAB_TYPE_OF_ONE(Type_create_subarray##suffix, (int axes, const Count sizes[], const Count parts[], const Count starts[], int order),      \
                     (axes, sizes, parts, starts, order))                                                                                      \
  P2PLAB_TYPE_OF_ONE(Type_create_darray##suffix,                                                                                               \
                     (int size, int rank, int axes, const Count sizes[], const int how[], const int arguments[], const int processes[], int order), \
                     (size, rank, axes, sizes, how, arguments, processes, order))                                                              \
  P2PLAB_MPI int MPI_Type_create_resized##suffix(MPI_Datatype old, Address lower, Address extent, MPI_Datatype* out) {                         \
    return make({"MPI_Type_create_resized" #suffix, P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_create_resized##suffix(old, lower, extent, out); }); \
  }                                                                                                                                            \
  P2PLAB_MPI int MPI_Type_create_struct##suffix(Count count, const Count lengths[], const Address places[], const MPI_Datatype types[],        \
                                                MPI_Datatype* out) {                                                                           \
    return make_of_many({"MPI_Type_create_struct" #suffix, P2PLAB_CALLER}, count, types, out,                                                  \
                        [&] { return PMPI_Type_create_struct##suffix(count, lengths, places, types, out); });                                  \
  }
P2PLAB_TYPES(, int, MPI_Aint)
P2PLAB_TYPES(_c, MPI_Count, MPI_Count)

P2PLAB_MPI int MPI_Type_dup(MPI_Datatype old, MPI_Datatype* out) {
  const DatatypePtr of = find_datatype(old);
  const int code = make({"MPI_Type_dup", P2PLAB_CALLER}, old, out, [&] { return PMPI_Type_dup(old, out); });
  if (code == MPI_SUCCESS && of->committed) datatype_committed(*out);
  return code;
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
