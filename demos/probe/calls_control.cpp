// MPI_Pcontrol: what a program says of itself (MPI 4.1, section 15.2.4 leaves it to the profiling layer). Programs of the
// labs mark their computation and hand over numbers; any other level means nothing here.
#include <bit>
#include <cstdarg>
#include <optional>

#include "demos/probe/thread.h"

namespace p2plab::probe {
namespace {

// As labs/common/lab.h has them.
constexpr int kComputeBegins = 0x2B01, kComputeEnds = 0x2B02, kNumber = 0x2B03;

thread_local std::optional<Call> compute;

void begin_compute(void* pc) {
  if (compute) return;  // one inside another is the same computation
  Record record;
  record.kind = trace::Kind::compute;
  compute.emplace(CallSite{"compute", pc}, record);
}

void number(const char* name, double value) {
  Thread& thread = Thread::current();
  if (!thread.on() || name == nullptr) return;
  Record record;
  record.type = RecordType::metric;
  record.name = Probe::get().recorder.intern(name);
  record.value = std::bit_cast<std::uint64_t>(value);
  thread.push(record);
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Pcontrol(const int level, ...) {
  if (!Probe::get().initialized.load() || Probe::get().finalized.load()) return MPI_SUCCESS;
  if (level == kComputeBegins) begin_compute(P2PLAB_CALLER);
  if (level == kComputeEnds) compute.reset();
  if (level == kNumber) {
    va_list more;
    va_start(more, level);
    const char* name = va_arg(more, const char*);
    const double value = va_arg(more, double);
    va_end(more);
    number(name, value);
  }
  return MPI_SUCCESS;
}
