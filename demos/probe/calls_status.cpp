// What a program asks of a status. One that it told MPI to ignore holds no answer, and MPI would look at it all the same.
#include "demos/probe/arguments.h"

namespace p2plab::probe {
namespace {

/// True when it may be asked for what the call wants to write to `out`.
bool may_ask(Arguments& arguments, const MPI_Status* status, const void* out, const char* name) {
  arguments.status(status);
  if (status == MPI_STATUS_IGNORE) arguments.reject(MPI_ERR_ARG, "status-ignored");
  return !arguments.pointer(out, name).bad();
}

template <class Count>
int count_of(const CallSite& where, const MPI_Status* status, MPI_Datatype type, Count* out, int (*ask)(const MPI_Status*, MPI_Datatype, Count*)) {
  Arguments arguments(where);
  if (!may_ask(arguments, status, out, "count")) return arguments.error;
  if (type == MPI_DATATYPE_NULL) return arguments.reject(MPI_ERR_TYPE, "type-null").error;
  return check(ask(status, type, out), where, nullptr);
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* out) {
  return count_of({"MPI_Get_count", P2PLAB_CALLER}, status, type, out, PMPI_Get_count);
}
P2PLAB_MPI int MPI_Get_count_c(const MPI_Status* status, MPI_Datatype type, MPI_Count* out) {
  return count_of({"MPI_Get_count_c", P2PLAB_CALLER}, status, type, out, PMPI_Get_count_c);
}
P2PLAB_MPI int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* out) {
  return count_of({"MPI_Get_elements", P2PLAB_CALLER}, status, type, out, PMPI_Get_elements);
}
P2PLAB_MPI int MPI_Get_elements_c(const MPI_Status* status, MPI_Datatype type, MPI_Count* out) {
  return count_of({"MPI_Get_elements_c", P2PLAB_CALLER}, status, type, out, PMPI_Get_elements_c);
}
P2PLAB_MPI int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* out) {
  return count_of({"MPI_Get_elements_x", P2PLAB_CALLER}, status, type, out, PMPI_Get_elements_x);
}
P2PLAB_MPI int MPI_Test_cancelled(const MPI_Status* status, int* flag) {
  const CallSite where{"MPI_Test_cancelled", P2PLAB_CALLER};
  Arguments arguments(where);
  return may_ask(arguments, status, flag, "flag") ? check(PMPI_Test_cancelled(status, flag), where, nullptr) : arguments.error;
}
