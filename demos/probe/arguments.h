// Arguments of a call, checked before MPI sees them. Each check records the finding and returns the error class for the
// program, or MPI_SUCCESS.
#pragma once
#include "demos/probe/datatypes.h"
#include "demos/probe/findings.h"

namespace p2plab::probe {

/// A call and the communicator it was given, if that is one.
struct Arguments {
  CallSite where;
  CommunicatorPtr comm;     ///< for the length of the call: owns nothing, for counting owners is dear. find_communicator() gives one to keep
  int error = MPI_SUCCESS;  ///< of the first check that failed; later checks are skipped

  Arguments(const CallSite& call, MPI_Comm handle);
  explicit Arguments(const CallSite& call) : where(call) {}
  bool bad() const { return error != MPI_SUCCESS; }

  /// A rank messages can go to; `any` allows MPI_ANY_SOURCE. MPI_PROC_NULL is always allowed.
  Arguments& peer(int rank, bool any = false);
  Arguments& tag(int tag, bool any = false);
  Arguments& count(MPI_Count count);
  /// `out` is the type's description.
  Arguments& type(MPI_Datatype type, DatatypePtr& out);
  Arguments& buffer(const void* buffer, MPI_Count count, const DatatypePtr& type);
  /// Where MPI_IN_PLACE has no meaning (MPI 4.1, section 6.2.1 names where it has).
  Arguments& not_in_place(const void* buffer);
  Arguments& status(const MPI_Status* status);
  /// A pointer that must point to something; `what` names the argument.
  Arguments& pointer(const void* pointer, const char* what);
  /// A rank of the own group (the root of a collective).
  Arguments& root(int rank);
  Arguments& operation(MPI_Op op);
  Arguments& reject(int error_class, const char* detail, std::vector<std::pair<const char*, std::string>> parameters = {});
};

}  // namespace p2plab::probe
