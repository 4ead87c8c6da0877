// Preloaded into a rank: prints each message posted to MPI, and that a send is being tested for long.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>

namespace {

template <class Function>
Function* real(const char* name) {
  void* mpich = ::dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
  return reinterpret_cast<Function*>(::dlsym(mpich, name));
}

MPI_Request sent = MPI_REQUEST_NULL;  ///< the newest send; waits of other kinds may be long on a busy machine

}  // namespace

extern "C" int PMPI_Isend_c(const void* data, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                            MPI_Request* request) {
  static auto* const isend = real<decltype(PMPI_Isend_c)>("PMPI_Isend_c");
  std::fprintf(stderr, "spy: isend %lld bytes to %d\n", static_cast<long long>(count), peer);
  const int code = isend(data, count, type, peer, tag, comm, request);
  sent = *request;
  return code;
}

extern "C" int PMPI_Irecv_c(void* data, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                            MPI_Request* request) {
  static auto* const irecv = real<decltype(PMPI_Irecv_c)>("PMPI_Irecv_c");
  std::fprintf(stderr, "spy: irecv %lld bytes from %d\n", static_cast<long long>(count), peer);
  return irecv(data, count, type, peer, tag, comm, request);
}

extern "C" int PMPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  static auto* const test = real<decltype(PMPI_Test)>("PMPI_Test");
  static int failures = 0;
  const bool is_send = *request == sent;
  const int code = test(request, done, status);
  if (!is_send) return code;
  if (*done != 0) failures = 0;
  else if (++failures == 5000) std::fprintf(stderr, "spy: tested 5000 times in vain\n");
  return code;
}
