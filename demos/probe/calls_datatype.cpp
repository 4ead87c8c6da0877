// Datatypes: made, committed, freed.
#include <functional>

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

/// A part of an array lies within the array (MPI 4.1, section 5.1.3); MPICH takes what does not.
template <class Count>
bool is_part(Arguments& arguments, int axes, const Count sizes[], const Count parts[], const Count starts[]) {
  arguments.pointer(sizes, "sizes").pointer(parts, "subsizes").pointer(starts, "starts");
  for (int i = 0; i < axes && !arguments.bad(); ++i) {
    if (parts[i] >= 1 && starts[i] >= 0 && parts[i] <= sizes[i] && starts[i] <= sizes[i] - parts[i]) continue;
    arguments.reject(MPI_ERR_ARG, "subarray", {{"axis", std::to_string(i)}, {"start", std::to_string(starts[i])}, {"part", std::to_string(parts[i])}, {"size", std::to_string(sizes[i])}});
  }
  return !arguments.bad();
}

template <class Count>
int make_part(const CallSite& where, int axes, const Count sizes[], const Count parts[], const Count starts[], MPI_Datatype old, MPI_Datatype* out,
              const std::function<int()>& make_it) {
  Arguments arguments(where);
  if (!is_part(arguments, axes, sizes, parts, starts)) return arguments.error;
  return make(where, old, out, make_it);
}

/// The derived ones among the types that a type was made of are handles of the program's now.
void given(const CallSite& where, const MPI_Datatype types[], MPI_Count count) {
  for (MPI_Count i = 0; i < count; ++i) {
    int a = 0, b = 0, c = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(types[i], &a, &b, &c, &combiner);
    if (combiner != MPI_COMBINER_NAMED) datatype_given_again(types[i], where);
  }
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

// A constructor of one old type, with int and with MPI_Count; PARAMETERS and ARGUMENTS in brackets.
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
  P2PLAB_MPI int MPI_Type_create_subarray##suffix(int axes, const Count sizes[], const Count parts[], const Count starts[], int order,         \
                                                  MPI_Datatype old, MPI_Datatype* out) {                                                       \
    return make_part({"MPI_Type_create_subarray" #suffix, P2PLAB_CALLER}, axes, sizes, parts, starts, old, out,                                \
                     [&] { return PMPI_Type_create_subarray##suffix(axes, sizes, parts, starts, order, old, out); });                          \
  }                                                                                                                                            \
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

P2PLAB_MPI int MPI_Type_get_contents(MPI_Datatype type, int numbers, int addresses, int types, int number[], MPI_Aint address[], MPI_Datatype out[]) {
  const CallSite where{"MPI_Type_get_contents", P2PLAB_CALLER};
  const int code = PMPI_Type_get_contents(type, numbers, addresses, types, number, address, out);
  int all = 0, unused = 0;
  if (code == MPI_SUCCESS && PMPI_Type_get_envelope(type, &unused, &unused, &all, &unused) == MPI_SUCCESS) given(where, out, all);
  return check(code, where, nullptr);
}
P2PLAB_MPI int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count numbers, MPI_Count addresses, MPI_Count larges, MPI_Count types, int number[],
                                       MPI_Aint address[], MPI_Count large[], MPI_Datatype out[]) {
  const CallSite where{"MPI_Type_get_contents_c", P2PLAB_CALLER};
  const int code = PMPI_Type_get_contents_c(type, numbers, addresses, larges, types, number, address, large, out);
  MPI_Count all = 0, unused = 0;
  int combiner = 0;
  if (code == MPI_SUCCESS && PMPI_Type_get_envelope_c(type, &unused, &unused, &unused, &all, &combiner) == MPI_SUCCESS) given(where, out, all);
  return check(code, where, nullptr);
}
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
