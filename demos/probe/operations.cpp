// See operations.h.
#include "demos/probe/operations.h"

#include <algorithm>
#include <cstddef>

#include "demos/probe/access/watch.h"
#include "demos/probe/requests.h"

namespace p2plab::probe {
namespace {

std::atomic<std::int32_t> g_wildcards{0};
std::atomic<std::uint64_t> g_calls{0};

std::vector<access::Piece> pieces_of(const Operation& operation) {
  std::vector<access::Piece> pieces;
  if (!operation.layout->whole) return pieces;
  visit_blocks(*operation.layout, operation.what.buffer, operation.what.count, operation.bytes(),
               [&](std::uintptr_t at, std::size_t length) { pieces.push_back({at, at + length}); });
  return pieces;
}

void record_hash(const Operation& operation, RecordType type, MPI_Count bytes) {
  Record record;
  record.type = type;
  record.id = operation.span;
  record.bytes = static_cast<std::uint64_t>(bytes);
  record.value = hash_of(*operation.layout, operation.what.buffer, operation.what.count, bytes);
  Thread::current().push(record);
}

bool is_cancelled(const MPI_Status& status) { return (status.count_hi_and_cancelled & 1) != 0; }

void record_match(Operation& operation, const MPI_Status& status) {
  if (operation.announced || operation.number == trace::kNone) return;
  operation.announced = true;
  Record record;
  record.type = RecordType::matched;
  record.id = operation.span;
  record.peer = world_peer(*operation.comm, status.MPI_SOURCE);
  record.tag = status.MPI_TAG;
  record.bytes = static_cast<std::uint64_t>(bytes_of(status));
  Thread::current().push(record);
}

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

}  // namespace

bool hashed(const Operation& operation) {
  return Probe::get().orders.hashes != 0 && operation.number != trace::kNone && operation.layout->whole && operation.bytes() > 0;
}

void record_failure(Operation& operation, int code, const MPI_Status& status) {
  int error_class = MPI_SUCCESS;
  PMPI_Error_class(code, &error_class);
  if (!operation.what.send && error_class == MPI_ERR_TRUNCATE) record_match(operation, status);
}

int world_peer(const Communicator& comm, int rank) {
  const auto& peers = comm.peers();
  return rank >= 0 && static_cast<std::size_t>(rank) < peers.size() ? peers[static_cast<std::size_t>(rank)] : trace::kNone;
}

int wildcard_number(int source) { return source == MPI_ANY_SOURCE ? g_wildcards.fetch_add(1) : trace::kNone; }
int next_wildcard(int source) { return source == MPI_ANY_SOURCE ? g_wildcards.load() : trace::kNone; }

void watch_status(int wildcard, const MPI_Status* status) {
  if (wildcard == trace::kNone || status == MPI_STATUS_IGNORE || Probe::get().orders.access == 0) return;
  note("status-given", {}, wildcard);
  const auto at = reinterpret_cast<std::uintptr_t>(status);
  const auto field = [at](std::size_t offset) { return access::Piece{at + offset, at + offset + sizeof(int)}; };
  requests_watch_status(wildcard, field(offsetof(MPI_Status, MPI_SOURCE)), field(offsetof(MPI_Status, MPI_TAG)));
}

int chosen_source(int number, int source) {
  if (number == trace::kNone) return source;
  const Probe& probe = Probe::get();
  for (std::uint32_t i = 0; i < std::min(probe.orders.forced_count, trace::kMaxForced); ++i) {
    const trace::ForcedMatch& forced = probe.orders.forced[i];
    if (forced.rank == probe.rank && forced.wildcard == number) return forced.source;
  }
  return source;
}

namespace {

/// Until the lab lets this rank make one call more.
void hold_for_a_step(const Probe& probe) {
  auto& credits = probe.control->page().rank[probe.rank].step_credits;
  if (credits.load() == 0) {
    const Call call({"waiting for a step", nullptr}, Record{});
    for (p2p::Backoff backoff; credits.load() == 0; backoff.pause()) {
    }
  }
  if (credits.load() > 0) credits.fetch_sub(1);
}

}  // namespace

void delay() {
  const Probe& probe = Probe::get();
  if (probe.stepping) [[unlikely]] hold_for_a_step(probe);
  if (probe.orders.delay_us == 0) return;
  const std::uint64_t draw = mixed(probe.seed ^ mixed(static_cast<std::uint64_t>(probe.rank) << 32 ^ g_calls.fetch_add(1)));
  constexpr int kMost = 100;  // of one rank: a long run must not become an endless one
  static std::atomic<int> delays{0};
  if (draw % 4 != 0 || delays.fetch_add(1) >= kMost) return;
  p2p::sleep_until_ns(trace::monotonic_ns() + static_cast<std::int64_t>(draw / 4 % probe.orders.delay_us) * 1000);
}

int prepare(const Transfer& t, Operation& out, bool keeps) {
  Arguments arguments(t.where, t.comm);
  arguments.count(t.count).type(t.type, out.layout).peer(t.peer, !t.send).tag(t.tag, !t.send);
  if (t.peer != MPI_PROC_NULL) arguments.buffer(t.buffer, t.count, out.layout);
  if (arguments.bad()) return arguments.error;
  out.what = t;
  out.comm = std::move(arguments.comm);
  if (keeps) {
    out.comm = find_communicator(t.comm);
    out.layout = find_datatype(t.type);
  }
  return MPI_SUCCESS;
}

Record record_of(const Transfer& what, const Communicator& comm, const Datatype& layout, std::uint8_t flags) {
  Record record;
  record.kind = what.send ? trace::Kind::send : trace::Kind::receive;
  record.flags = flags;
  if (what.send && what.mode == Mode::standard && Probe::get().orders.strict != 0) record.flags |= trace::kStrict;
  record.comm = comm.text;
  record.bytes = static_cast<std::uint64_t>(what.count * layout.size);
  record.value = layout.signature_text;
  return record;
}

Record begin_record(Operation& operation, std::uint8_t flags) {
  const Transfer& what = operation.what;
  Record record = record_of(what, *operation.comm, *operation.layout, flags);
  if (operation.unrecorded()) {
    if (operation.comm->unwatched) note_unwatched(*operation.comm);
    operation.source = what.peer;
    record.flags = static_cast<std::uint8_t>(record.flags & ~(trace::kPosts | trace::kStrict));
    return record;
  }
  if (!what.send) record.sequence = operation.wildcard = wildcard_number(what.peer);
  operation.source = chosen_source(operation.wildcard, what.peer);
  record.peer = world_peer(*operation.comm, operation.source);
  record.tag = what.tag == MPI_ANY_TAG ? trace::kNone : what.tag;
  record.request = operation.number = Probe::get().next_request();
  return record;
}

void begin_in_flight(Operation& operation, std::uint8_t flags) {
  Thread& thread = Thread::current();
  Record record = begin_record(operation, static_cast<std::uint8_t>(trace::kInFlight | flags));
  if (operation.number == trace::kNone || !thread.on()) return;
  record.type = RecordType::begin;
  record.lane = Probe::get().in_flight;
  record.name = thread.text(operation.what.where.call);
  record.site = thread.site(operation.what.where.pc);
  record.id = operation.span = thread.next_id();
  thread.push(record);
}

int hand_over(const Transfer& what, int source, MPI_Request* out) {
  if (!what.send) return PMPI_Irecv_c(what.buffer, what.count, what.type, source, what.tag, what.comm, out);
  switch (what.mode) {
    case Mode::buffered: return PMPI_Ibsend_c(what.buffer, what.count, what.type, what.peer, what.tag, what.comm, out);
    case Mode::ready: return PMPI_Irsend_c(what.buffer, what.count, what.type, what.peer, what.tag, what.comm, out);
    case Mode::synchronous: return PMPI_Issend_c(what.buffer, what.count, what.type, what.peer, what.tag, what.comm, out);
    case Mode::standard: break;
  }
  const auto send = Probe::get().orders.strict != 0 ? PMPI_Issend_c : PMPI_Isend_c;
  return send(what.buffer, what.count, what.type, what.peer, what.tag, what.comm, out);
}

int post(Operation& operation) {
  const Transfer& what = operation.what;
  if (what.send && hashed(operation)) record_hash(operation, RecordType::hash_post, operation.bytes());
  operation.announced = operation.settled = false;
  const MpiOwns inside;
  return hand_over(what, operation.null_peer() ? MPI_PROC_NULL : operation.source, &operation.real);
}

void watch(Operation& operation) {
  if (Probe::get().orders.access == 0 || operation.number == trace::kNone || operation.bytes() == 0) return;
  operation.watched = true;
  const auto pieces = pieces_of(operation);
  requests_watch(operation);
  access::watch(static_cast<access::OperationId>(operation.number) + 1, operation.what.send ? access::Use::send : access::Use::receive, pieces);
}

void release(Operation& operation) {
  if (!operation.watched) return;
  operation.watched = false;
  access::release(static_cast<access::OperationId>(operation.number) + 1);
  requests_release(operation);
}

namespace {

/// Operations whose requests were freed while they were active.
struct Abandoned {
  std::mutex mutex;
  std::vector<Operation> operations;
  std::atomic<bool> any{false};
};
Abandoned& abandoned() {
  static Abandoned* const kAbandoned = new Abandoned;
  return *kAbandoned;
}

}  // namespace

void abandon(Operation& operation) {
  if (!operation.watched) return;
  Abandoned& all = abandoned();
  const Guard lock(all.mutex);
  all.operations.push_back(operation);
  all.any.store(true);
}

void heard_from_others() {
  Abandoned& all = abandoned();
  if (!all.any.load(std::memory_order_relaxed)) return;
  const Guard lock(all.mutex);
  for (Operation& operation : all.operations) release(operation);
  all.operations.clear();
  all.any.store(false);
}

namespace {
thread_local const char* send_touching = nullptr;
}
const char* sending() { return send_touching; }

void touch(const Operation& operation) {
  if (Probe::get().orders.access == 0 || operation.null_peer() || operation.bytes() == 0) return;
  send_touching = operation.what.send ? operation.what.where.call : nullptr;
  for (const access::Piece& piece : pieces_of(operation)) access::touch(piece, !operation.what.send, operation.what.where.pc);
  send_touching = nullptr;
}

void settle(Operation& operation, const MPI_Status& status) {
  release(operation);
  if (!operation.what.send && operation.unrecorded() && !operation.null_peer()) heard_from_others();
  if (operation.settled || operation.number == trace::kNone) return;
  operation.settled = true;
  // A standard send may be complete before anybody has looked at it.
  if (operation.what.mode == Mode::synchronous || (!operation.what.send && !is_cancelled(status))) heard_from_others();
  if (!operation.what.send) {
    if (is_cancelled(status)) {
      Record record;
      record.type = RecordType::withdrawn;
      record.id = operation.span;
      Thread::current().push(record);
    } else {
      const MPI_Count bytes = bytes_of(status);
      if (operation.is_wildcard() || bytes != operation.bytes()) record_match(operation, status);
      if (hashed(operation)) record_hash(operation, RecordType::hash_done, std::min(bytes, operation.bytes()));
    }
  } else if (hashed(operation)) {
    record_hash(operation, RecordType::hash_done, operation.bytes());
  }
}

void finish(Operation& operation, const MPI_Status& status, bool ends) {
  settle(operation, status);
  if (operation.number == trace::kNone) return;
  if (ends) end_span(Thread::current(), operation.span);
}

void announce(Operation& operation) {
  if (operation.announced || operation.number == trace::kNone || operation.real == MPI_REQUEST_NULL) return;
  int done = 0;
  MPI_Status status;
  if (PMPI_Request_get_status(operation.real, &done, &status) == MPI_SUCCESS && done != 0) record_match(operation, status);
}

void mend_status(const Operation& operation, MPI_Status& status) {
  if (!operation.what.send && operation.null_peer()) PMPI_Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &status);
}

int look(Operation& operation, bool& done, MPI_Status* status) {
  int flag = 0;
  MPI_Status seen;
  int code = MPI_SUCCESS;
  {
    const MpiOwns inside;
    code = PMPI_Test(&operation.real, &flag, &seen);
  }
  done = flag != 0 || code != MPI_SUCCESS;
  if (!done) return MPI_SUCCESS;
  code == MPI_SUCCESS ? finish(operation, seen) : record_failure(operation, code, seen);
  mend_status(operation, seen);
  if (status != MPI_STATUS_IGNORE) *status = seen;
  watch_status(operation.wildcard, status);
  return code;
}

}  // namespace p2plab::probe
