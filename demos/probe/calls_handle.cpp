// See handles.h. What they are is MPI's own matter, but for the error handlers of communicators; whether each is freed is ours.
// MPI gives the same handle again for the same object, and wants each of them freed.
#include "demos/probe/handles.h"

#include <cstdint>
#include <map>
#include <type_traits>

#include "demos/probe/arguments.h"

namespace p2plab::probe {
namespace {

struct Given {
  std::mutex mutex;
  std::map<std::pair<const char*, std::uintptr_t>, std::vector<CallSite>> sites;
};
Given& given() {
  static Given* const kGiven = new Given;
  return *kGiven;
}

template <class Handle>
std::pair<const char*, std::uintptr_t> key(const char* what, Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) return {what, reinterpret_cast<std::uintptr_t>(handle)};
  else return {what, static_cast<std::uintptr_t>(handle)};
}

constexpr const char kGroup[] = "group", kOperation[] = "operation", kInfo[] = "info", kHandler[] = "errhandler", kKey[] = "keyval", kFile[] = "file";

template <class Handle>
void remember(const CallSite& where, const char* what, Handle handle) {
  if (what == kGroup && key(what, handle) == key(what, MPI_GROUP_EMPTY)) return;  // predefined
  const Guard lock(given().mutex);
  given().sites[key(what, handle)].push_back(where);
}

/// What a call gave.
template <class Handle>
int give(const CallSite& where, const char* what, const Handle* handle, int code) {
  if (code == MPI_SUCCESS) remember(where, what, *handle);
  return check(code, where, nullptr);
}

/// Frees it by `call`.
template <class Handle>
int take(const CallSite& where, const char* what, Handle* handle, int (*call)(Handle*)) {
  const Handle kept = handle == nullptr ? Handle{} : *handle;
  const int code = call(handle);
  if (code != MPI_SUCCESS) return check(code, where, nullptr);
  const Guard lock(given().mutex);
  const auto it = given().sites.find(key(what, kept));
  if (it == given().sites.end()) return code;
  it->second.pop_back();  // which of those that were given it was, nothing tells
  if (it->second.empty()) given().sites.erase(it);
  return code;
}

/// What a call on files gave: a file that cannot be opened is no fault, its error handler returns the error (MPI 4.1, section 14.7).
template <class Handle>
int give_of_file(const CallSite& where, const char* what, const Handle* handle, int code) {
  if (code == MPI_SUCCESS) remember(where, what, *handle);
  return code;
}
int close_file(MPI_File* file) {
  const MPI_File kept = file == nullptr ? MPI_FILE_NULL : *file;
  const int code = PMPI_File_close(file);
  const Guard lock(given().mutex);
  if (code == MPI_SUCCESS) given().sites.erase(key(kFile, kept));
  return code;
}

}  // namespace

std::vector<LeftHandle> handles_left() {
  const Guard lock(given().mutex);
  std::vector<LeftHandle> left;
  for (const auto& [key, sites] : given().sites) {
    for (const CallSite& made : sites) left.push_back({key.first, made});
  }
  return left;
}

}  // namespace p2plab::probe

using namespace p2plab::probe;

// PARAMETERS and ARGUMENTS in brackets; `out` is where the handle comes.
#define P2PLAB_GIVES(what, Name, out, PARAMETERS, ARGUMENTS) \
  P2PLAB_MPI int MPI_##Name(P2PLAB_BARE PARAMETERS) { return give({"MPI_" #Name, P2PLAB_CALLER}, what, out, PMPI_##Name(P2PLAB_BARE ARGUMENTS)); }
#define P2PLAB_TAKES(what, Name, Handle) \
  P2PLAB_MPI int MPI_##Name(Handle* handle) { return take({"MPI_" #Name, P2PLAB_CALLER}, what, handle, PMPI_##Name); }

P2PLAB_GIVES(kGroup, Comm_group, group, (MPI_Comm comm, MPI_Group* group), (comm, group))
P2PLAB_GIVES(kGroup, Comm_remote_group, group, (MPI_Comm comm, MPI_Group* group), (comm, group))
P2PLAB_GIVES(kGroup, Win_get_group, group, (MPI_Win window, MPI_Group* group), (window, group))
P2PLAB_GIVES(kGroup, Group_from_session_pset, group, (MPI_Session session, const char* name, MPI_Group* group), (session, name, group))
P2PLAB_GIVES(kGroup, Group_union, group, (MPI_Group a, MPI_Group b, MPI_Group* group), (a, b, group))
P2PLAB_GIVES(kGroup, Group_intersection, group, (MPI_Group a, MPI_Group b, MPI_Group* group), (a, b, group))
P2PLAB_GIVES(kGroup, Group_difference, group, (MPI_Group a, MPI_Group b, MPI_Group* group), (a, b, group))
P2PLAB_GIVES(kGroup, Group_incl, group, (MPI_Group of, int count, const int* ranks, MPI_Group* group), (of, count, ranks, group))
P2PLAB_GIVES(kGroup, Group_excl, group, (MPI_Group of, int count, const int* ranks, MPI_Group* group), (of, count, ranks, group))
P2PLAB_GIVES(kGroup, Group_range_incl, group, (MPI_Group of, int count, int ranges[][3], MPI_Group* group), (of, count, ranges, group))
P2PLAB_GIVES(kGroup, Group_range_excl, group, (MPI_Group of, int count, int ranges[][3], MPI_Group* group), (of, count, ranges, group))
P2PLAB_TAKES(kGroup, Group_free, MPI_Group)

P2PLAB_GIVES(kOperation, Op_create, op, (MPI_User_function* function, int commutes, MPI_Op* op), (function, commutes, op))
P2PLAB_GIVES(kOperation, Op_create_c, op, (MPI_User_function_c* function, int commutes, MPI_Op* op), (function, commutes, op))
P2PLAB_TAKES(kOperation, Op_free, MPI_Op)

P2PLAB_GIVES(kInfo, Info_create, info, (MPI_Info* info), (info))
P2PLAB_GIVES(kInfo, Info_dup, info, (MPI_Info of, MPI_Info* info), (of, info))
P2PLAB_GIVES(kInfo, Comm_get_info, info, (MPI_Comm comm, MPI_Info* info), (comm, info))
P2PLAB_GIVES(kInfo, Win_get_info, info, (MPI_Win window, MPI_Info* info), (window, info))
P2PLAB_GIVES(kInfo, Session_get_info, info, (MPI_Session session, MPI_Info* info), (session, info))
P2PLAB_GIVES(kInfo, Info_create_env, info, (int argc, char* argv[], MPI_Info* info), (argc, argv, info))
P2PLAB_TAKES(kInfo, Info_free, MPI_Info)

P2PLAB_MPI int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  const int code = PMPI_Comm_create_errhandler(function, handler);
  if (code == MPI_SUCCESS) remember_errhandler(*handler, function);
  return give({"MPI_Comm_create_errhandler", P2PLAB_CALLER}, kHandler, handler, code);
}
// The program's wish is kept; MPI itself always returns its errors to us.
P2PLAB_MPI int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  const CallSite where{"MPI_Comm_set_errhandler", P2PLAB_CALLER};
  Arguments arguments(where, comm);
  if (!arguments.bad() && handler == MPI_ERRHANDLER_NULL) arguments.reject(MPI_ERR_ARG, "errhandler-null");
  if (arguments.bad()) return arguments.error;
  const int code = refer_to(handler);
  if (code == MPI_SUCCESS) arguments.comm->on_error = handler;
  return check(code, where, arguments.comm);
}
P2PLAB_MPI int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  const CallSite where{"MPI_Comm_get_errhandler", P2PLAB_CALLER};
  Arguments arguments(where, comm);
  if (arguments.pointer(handler, "errhandler").bad()) return arguments.error;
  *handler = arguments.comm->on_error;
  const int code = refer_to(*handler);
  return is_own_errhandler(*handler) ? give(where, kHandler, handler, code) : check(code, where, arguments.comm);
}
P2PLAB_GIVES(kHandler, Win_create_errhandler, handler, (MPI_Win_errhandler_function* function, MPI_Errhandler* handler), (function, handler))
P2PLAB_GIVES(kHandler, Session_create_errhandler, handler, (MPI_Session_errhandler_function* function, MPI_Errhandler* handler), (function, handler))
P2PLAB_TAKES(kHandler, Errhandler_free, MPI_Errhandler)

#define P2PLAB_KEYVAL(Name, Free, Copy, Delete)                                                                  \
  P2PLAB_GIVES(kKey, Name, key, (Copy* copy, Delete* remove, int* key, void* state), (copy, remove, key, state)) \
  P2PLAB_TAKES(kKey, Free, int)
P2PLAB_KEYVAL(Comm_create_keyval, Comm_free_keyval, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function)
P2PLAB_KEYVAL(Type_create_keyval, Type_free_keyval, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function)
P2PLAB_KEYVAL(Win_create_keyval, Win_free_keyval, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function)
P2PLAB_KEYVAL(Keyval_create, Keyval_free, MPI_Copy_function, MPI_Delete_function)

#define P2PLAB_FILE_GIVES(what, Name, out, PARAMETERS, ARGUMENTS) \
  P2PLAB_MPI int MPI_##Name(P2PLAB_BARE PARAMETERS) { return give_of_file({"MPI_" #Name, P2PLAB_CALLER}, what, out, PMPI_##Name(P2PLAB_BARE ARGUMENTS)); }
P2PLAB_FILE_GIVES(kFile, File_open, file, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file), (comm, name, mode, info, file))
P2PLAB_FILE_GIVES(kInfo, File_get_info, info, (MPI_File file, MPI_Info* info), (file, info))
P2PLAB_FILE_GIVES(kGroup, File_get_group, group, (MPI_File file, MPI_Group* group), (file, group))
P2PLAB_FILE_GIVES(kHandler, File_create_errhandler, handler, (MPI_File_errhandler_function* function, MPI_Errhandler* handler), (function, handler))
P2PLAB_MPI int MPI_File_close(MPI_File* file) { return close_file(file); }
