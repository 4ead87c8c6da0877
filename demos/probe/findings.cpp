// Records of findings, and errors as the program has asked for them.
#include "demos/probe/findings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <bit>
#include <cstdio>
#include <set>
#include <unordered_map>

namespace p2plab::probe {
namespace {

constexpr std::int64_t kGraceNs = 5'000'000'000;  ///< for the lab to end the job; then the rank ends itself

struct Handlers {
  std::mutex mutex;
  std::unordered_map<MPI_Errhandler, MPI_Comm_errhandler_function*> functions;
};
Handlers& handlers() {
  static Handlers* const kHandlers = new Handlers;
  return *kHandlers;
}

/// This rank makes no further call: what would come after an error that ends the program is no evidence of anything.
[[noreturn]] void stop() {
  std::fflush(nullptr);
  Thread& thread = Thread::current();
  if (!thread.on()) {
    PMPI_Abort(MPI_COMM_WORLD, 1);
    ::_exit(1);
  }
  p2p::sleep_until_ns(trace::monotonic_ns() + kGraceNs);
  ::_exit(1);
}

std::string plain_text(int code);

/// Whose code an address is.
enum class Owner { probe, mpi, program };

Owner owner_of(void* address, std::string& symbol) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return Owner::program;
  symbol = info.dli_sname == nullptr ? "" : info.dli_sname;
  const std::string_view file = info.dli_fname;
  if (file.find("libp2plab-probe") != std::string_view::npos) return Owner::probe;
  return file.find("libmpi") != std::string_view::npos ? Owner::mpi : Owner::program;
}

/// The way here leads from us, or from the program, through MPI.
void mpi_error(MPI_Comm* comm, int* code, ...) {
  std::array<void*, 64> frames{};
  const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  std::string symbol, call;
  bool in_mpi = false;
  for (int i = 0; i < depth; ++i) {
    const Owner owner = owner_of(frames[static_cast<std::size_t>(i)], symbol);
    if (owner == Owner::mpi) {
      in_mpi = true;
      call = symbol.starts_with("PMPI_") ? symbol.substr(1) : symbol;  // the program wrote its other name
    } else if (in_mpi) {
      if (owner == Owner::probe) return;
      int error_class = MPI_ERR_OTHER;
      PMPI_Error_class(*code, &error_class);
      Defect defect;
      defect.detail = "mpi-error";
      defect.parameters = {{"what", plain_text(*code)}};
      static std::set<std::string>& names = *new std::set<std::string>;  // CallSite keeps no copy
      const std::string& kept = *names.insert(call.empty() ? "MPI" : call).first;
      fail({kept.c_str(), frames[static_cast<std::size_t>(i)]}, comm == nullptr ? nullptr : find_communicator(*comm), error_class, defect);
      return;
    }
  }
}

std::string plain_text(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(code, text, &length);
  std::string line(text, static_cast<std::size_t>(length));
  line = line.substr(0, line.find(", error stack"));
  for (char& c : line) {
    if (c == '\n' || c == '|' || c == '=') c = ' ';
  }
  return line;
}

}  // namespace

bool called_by_mpi(const CallSite& where) {
  std::string symbol;
  return owner_of(where.pc, symbol) == Owner::mpi;
}

void report(const CallSite& where, const Defect& defect, bool ends) {
  Thread& thread = Thread::current();
  std::string detail = defect.detail;
  for (const auto& [name, value] : defect.parameters) detail += fmt::format("|{}={}", name, value);
  if (!thread.on()) {
    std::fprintf(stderr, "p2plab: rank %d: %s in %s (%s); run `p2plab verify` for the source line.\n", Probe::get().rank, defect.kind,
                 where.call, detail.c_str());
    return;
  }
  trace::Recorder& recorder = Probe::get().recorder;
  thread.end_polling();
  Record record;
  record.type = RecordType::finding;
  record.name = recorder.intern(defect.kind);
  record.lane = thread.text(where.call);
  record.site = defect.site.empty() ? thread.site(where.pc) : recorder.intern(defect.site);
  record.comm = defect.comm;
  record.peer = defect.peer;
  record.tag = defect.tag;
  record.bytes = defect.bytes;
  record.request = defect.request;
  trace::Report texts;
  texts.detail = recorder.intern(detail);
  texts.other = recorder.intern(defect.other);
  texts.certain = defect.certain ? 1 : 0;
  texts.ends = ends ? 1 : 0;
  record.value = std::bit_cast<std::uint64_t>(texts);
  thread.push(record);
}

int fail(const CallSite& where, const CommunicatorPtr& comm, int error_class, const Defect& defect) {
  const CommunicatorPtr of = comm ? comm : find_communicator(MPI_COMM_WORLD);
  const MPI_Errhandler wish = of ? of->on_error : MPI_ERRORS_ARE_FATAL;
  MPI_Comm_errhandler_function* function = nullptr;
  {
    const Guard lock(handlers().mutex);
    const auto it = handlers().functions.find(wish);
    if (it != handlers().functions.end()) function = it->second;
  }
  const bool goes_on = wish == MPI_ERRORS_RETURN || function != nullptr;
  report(where, defect, !goes_on);
  if (!goes_on) stop();
  if (function != nullptr) {
    MPI_Comm handle = of->handle;
    function(&handle, &error_class);
  }
  return error_class;
}

int mpi_failed(int code, const CallSite& where, const CommunicatorPtr& comm, Defect defect) {
  int error_class = MPI_ERR_OTHER;
  PMPI_Error_class(code, &error_class);
  if (error_class == MPI_ERR_TRUNCATE) {
    defect.kind = "size-mismatch";
    defect.detail = "truncated";
  } else if (error_class == MPI_ERR_BUFFER && (std::string_view(where.call).starts_with("MPI_Bsend") || std::string_view(where.call).starts_with("MPI_Ibsend"))) {
    defect.detail = "bsend-room";  // a null pointer did not come so far
  } else {
    defect.detail = "mpi-error";
    defect.parameters = {{"what", plain_text(code)}};
  }
  if (comm) defect.comm = comm->text;
  return fail(where, comm, error_class, defect);
}

MPI_Errhandler errors_of_mpi() {
  static const MPI_Errhandler kHandler = [] {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_create_errhandler(&mpi_error, &handler);
    return handler;
  }();
  return kHandler;
}

void remember_errhandler(MPI_Errhandler handler, MPI_Comm_errhandler_function* function) {
  const Guard lock(handlers().mutex);
  handlers().functions[handler] = function;
}

bool is_own_errhandler(MPI_Errhandler handler) {
  const Guard lock(handlers().mutex);
  return handlers().functions.count(handler) != 0;
}

int refer_to(MPI_Errhandler handler) {
  const Guard lock(handlers().mutex);
  int code = PMPI_Comm_set_errhandler(private_world(), handler);
  if (code == MPI_SUCCESS) code = PMPI_Comm_get_errhandler(private_world(), &handler);
  PMPI_Comm_set_errhandler(private_world(), errors_of_mpi());
  return code;
}

}  // namespace p2plab::probe
