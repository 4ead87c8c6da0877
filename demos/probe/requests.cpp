// The table of requests, and the one way in which each of them is completed.
#include "demos/probe/requests.h"

#include <deque>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "demos/probe/access/watch.h"

namespace p2plab::probe {
namespace {

// A handle: 0x50000000 | generation << 20 | slot. MPICH's own have 0x2c, 0x6c, 0xac or 0xec on top.
constexpr unsigned kBase = 0x50000000u, kSlotBits = 20, kSlots = 1u << kSlotBits, kGenerations = 64;

struct Slot {
  unsigned generation = 0;
  std::unique_ptr<Request> request;
};

struct Table {
  std::mutex mutex;
  std::deque<Slot> slots;
  std::vector<unsigned> free;
  std::atomic<int> wildcards{0};  ///< pending
};
Table& table() {
  static Table* const kTable = new Table;
  return *kTable;
}

struct Watched {
  CallSite where;
  CommunicatorPtr comm;
  int peer, tag;
  std::uint64_t bytes;
};
struct WatchedTable {
  std::mutex mutex;
  std::unordered_map<std::int32_t, Watched> operations;
};
WatchedTable& watched_table() {
  static WatchedTable* const kTable = new WatchedTable;
  return *kTable;
}

// Ids of the fields of statuses stand apart from those of operations: two for each wildcard, source and tag.
constexpr access::OperationId kStatusIds = access::OperationId{1} << 40;

void status_read(access::OperationId field) {
  note(field % 2 == 0 ? "status-source-read" : "status-tag-read", {}, static_cast<std::int32_t>(field / 2));
}

void violated(const access::Violation& violation) {
  if (violation.operation >= kStatusIds) {
    if (violation.kind == access::Violation::access_read) status_read(violation.operation - kStatusIds);
    return;
  }
  if (violation.other >= kStatusIds) return;
  const auto number = static_cast<std::int32_t>(violation.operation - 1);
  Watched operation{}, other{};
  {
    WatchedTable& table = watched_table();
    const std::lock_guard lock(table.mutex);
    const auto it = table.operations.find(number);
    if (it == table.operations.end()) return;
    operation = it->second;
    if (violation.other != 0) {
      const auto second = table.operations.find(static_cast<std::int32_t>(violation.other - 1));
      if (second != table.operations.end()) other = second->second;
    }
  }
  constexpr const char* kWhat[] = {"read", "written", "overlap", "freed", "out-of-scope"};
  Defect defect;
  const bool both_receive = violation.kind == access::Violation::overlap;
  defect.kind = violation.use == access::Use::send && !both_receive ? "send-buffer-race" : "recv-buffer-race";
  defect.detail = kWhat[violation.kind];
  defect.parameters = {{"bytes", std::to_string(violation.size)}};
  if (const char* send = sending(); send != nullptr && violation.kind == access::Violation::access_read) {
    defect.detail = "sent-early";
    defect.parameters.emplace_back("call", send);
  }
  if (operation.comm) defect.comm = operation.comm->text;
  defect.peer = operation.peer;
  defect.tag = operation.tag;
  defect.bytes = operation.bytes;
  defect.request = number;
  const bool overlap = violation.kind == access::Violation::overlap;
  const CallSite& second = overlap ? other.where : operation.where;
  if (second.pc != nullptr) defect.other = fmt::format("{}|{}", second.call, module_offset(second.pc));
  if (second.pc != nullptr && overlap) defect.other += fmt::format("|{}|{}|{}", other.peer, other.tag, other.bytes);
  CallSite where = operation.where;
  if (violation.pc != nullptr) {
    where = {violation.kind == access::Violation::access_read ? "read" : violation.kind == access::Violation::access_write ? "write" : kWhat[violation.kind], violation.pc};
    for (void* pc : violation.stack) {
      if (pc == nullptr) break;
      defect.site += (defect.site.empty() ? "" : "|") + module_offset(pc);
    }
  }
  report(where, defect);
}

}  // namespace

void requests_watch(const Operation& operation) {
  static const bool listening = (access::on_violation(&violated), true);
  (void)listening;
  const Transfer& what = operation.what;
  const std::lock_guard lock(watched_table().mutex);
  watched_table().operations[operation.number] = {what.where, operation.comm, world_peer(*operation.comm, what.peer),
                                                  what.tag == MPI_ANY_TAG ? trace::kNone : what.tag, static_cast<std::uint64_t>(operation.bytes())};
}
void requests_release(const Operation& operation) { requests_release_collective(operation.number); }
void requests_watch_collective(std::int32_t id, const CallSite& where, const CommunicatorPtr& comm, std::uint64_t bytes) {
  access::on_violation(&violated);
  const std::lock_guard lock(watched_table().mutex);
  watched_table().operations[id] = {where, comm, trace::kNone, trace::kNone, bytes};
}
void requests_release_collective(std::int32_t id) {
  const std::lock_guard lock(watched_table().mutex);
  watched_table().operations.erase(id);
}

void requests_watch_status(int wildcard, access::Piece source, access::Piece tag) {
  access::on_violation(&violated);
  // A status is used again and again: the last completion that wrote it is the one that is read.
  static std::mutex mutex;
  static std::unordered_map<std::uintptr_t, access::OperationId>& last = *new std::unordered_map<std::uintptr_t, access::OperationId>;
  access::OperationId id = kStatusIds + 2 * static_cast<access::OperationId>(wildcard);
  for (const access::Piece& field : {source, tag}) {
    {
      const std::lock_guard lock(mutex);
      access::OperationId& before = last[field.begin];
      if (before != 0) access::release(before);
      before = id;
    }
    access::watch(id++, access::Use::receive, {&field, 1});
  }
}

bool is_ours(MPI_Request handle) { return (static_cast<unsigned>(handle) & 0xFC000000u) == kBase; }

MPI_Request add_request(Request request) {
  Table& all = table();
  const Guard lock(all.mutex);
  unsigned index = 0;
  if (all.free.empty()) {
    index = static_cast<unsigned>(all.slots.size());
    all.slots.emplace_back();
  } else {
    index = all.free.back();
    all.free.pop_back();
  }
  Slot& slot = all.slots[index];
  if (request.kind == Request::Kind::transfer && request.operation.is_wildcard()) all.wildcards.fetch_add(1);
  slot.request = std::make_unique<Request>(std::move(request));
  return static_cast<MPI_Request>(kBase | slot.generation << kSlotBits | (index & (kSlots - 1)));
}

Request* find_request(MPI_Request handle) {
  if (!is_ours(handle)) return nullptr;
  const unsigned bits = static_cast<unsigned>(handle) - kBase;
  Table& all = table();
  const Guard lock(all.mutex);
  const unsigned index = bits & (kSlots - 1);
  if (index >= all.slots.size()) return nullptr;
  Slot& slot = all.slots[index];
  return slot.generation == bits >> kSlotBits ? slot.request.get() : nullptr;
}

void drop_request(MPI_Request handle) {
  Request* request = find_request(handle);
  if (request == nullptr) return;
  if (request->kept_type != MPI_DATATYPE_NULL) PMPI_Type_free(&request->kept_type);
  if (request->base != MPI_REQUEST_NULL) PMPI_Request_free(&request->base);
  Table& all = table();
  const Guard lock(all.mutex);
  const unsigned index = (static_cast<unsigned>(handle) - kBase) & (kSlots - 1);
  if (request->kind == Request::Kind::transfer && request->operation.is_wildcard()) all.wildcards.fetch_sub(1);
  Slot& slot = all.slots[index];
  slot.request.reset();
  slot.generation = (slot.generation + 1) % kGenerations;
  all.free.insert(all.free.begin(), index);  // used again last: a stale copy is told from a new request
}

int transfer_later(const Transfer& transfer, MPI_Request* out) {
  Request request;
  Arguments arguments(transfer.where);
  if (arguments.pointer(out, "request").bad()) return arguments.error;
  if (const int error = prepare(transfer, request.operation); error != MPI_SUCCESS) return error;
  delay();
  request.made = transfer.where;
  Operation& operation = request.operation;
  Call call(transfer.where, begin_record(operation, trace::kPosts));
  operation.span = call.in_flight();
  const int code = post(operation);
  if (code != MPI_SUCCESS) return check(code, transfer.where, operation.comm);
  watch(operation);
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

int exchange_later(const Transfer& send, const Transfer& receive, MPI_Request* out, std::vector<char> sent_copy) {
  Request request;
  request.sent_copy = std::move(sent_copy);  // stays where it is
  Arguments arguments(send.where);
  request.send = std::make_shared<Operation>();
  if (arguments.pointer(out, "request").bad()) return arguments.error;
  if (const int error = prepare(send, *request.send); error != MPI_SUCCESS) return error;
  if (const int error = prepare(receive, request.operation); error != MPI_SUCCESS) return error;
  delay();
  request.made = send.where;
  Record record;
  record.kind = trace::Kind::send;
  record.comm = request.send->comm->text;
  record.bytes = static_cast<std::uint64_t>(request.send->bytes());
  const Call call(send.where, record);
  begin_in_flight(request.operation);
  begin_in_flight(*request.send);
  int code = post(request.operation);
  if (code == MPI_SUCCESS) code = post(*request.send);
  if (code != MPI_SUCCESS) return check(code, send.where, request.send->comm);
  watch(request.operation);
  watch(*request.send);
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

int transfer_init(const Transfer& transfer, MPI_Request* out) {
  Request request;
  Arguments arguments(transfer.where);
  if (arguments.pointer(out, "request").bad()) return arguments.error;
  if (const int error = prepare(transfer, request.operation); error != MPI_SUCCESS) return error;
  request.made = transfer.where;
  request.persistent = true;
  request.active = false;
  if (!request.operation.layout->builtin) {
    PMPI_Type_dup(transfer.type, &request.kept_type);
    request.operation.what.type = request.kept_type;
  }
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

std::int32_t number_of(MPI_Request handle) {
  const Request* request = find_request(handle);
  return request == nullptr || !request->active ? trace::kNone : request->operation.number;
}

CommunicatorPtr communicator_of(MPI_Request handle) {
  const Request* request = find_request(handle);
  return request == nullptr ? nullptr : request->operation.comm;
}

namespace {

void release_all_of(Request& request) {
  for (const std::int32_t id : request.watched) {
    if (id == trace::kNone) continue;
    access::release(static_cast<access::OperationId>(id) + 1);
    requests_release_collective(id);
  }
  request.watched.clear();
}

int look_at_ours(Request& request, bool& done, MPI_Status* status) {
  if (request.send != nullptr) {
    int code = MPI_SUCCESS;
    if (!request.received) code = look(request.operation, request.received, &request.status);
    if (!request.sent && code == MPI_SUCCESS) code = look(*request.send, request.sent, MPI_STATUS_IGNORE);
    done = code != MPI_SUCCESS || (request.sent && request.received);
    if (done && status != MPI_STATUS_IGNORE) *status = request.status;
    return code;
  }
  if (request.kind == Request::Kind::transfer) return look(request.operation, done, status);
  int flag = 0;
  MPI_Status seen;
  int code = MPI_SUCCESS;
  {
    const MpiOwns inside;
    code = PMPI_Test(&request.real(), &flag, &seen);
  }
  done = flag != 0 || code != MPI_SUCCESS;
  if (!done) return code;
  if (status != MPI_STATUS_IGNORE) *status = seen;
  release_all_of(request);
  if (request.operation.number != trace::kNone) end_span(Thread::current(), request.operation.span);
  heard_from_others();
  return code;
}

}  // namespace

int look(MPI_Request* handle, bool& done, bool& active, MPI_Status* status, const CallSite& where) {
  done = active = true;
  if (is_ours(*handle)) {
    Request* request = find_request(*handle);
    if (request == nullptr) {
      Defect defect;
      defect.detail = "request-dead";
      return fail(where, nullptr, MPI_ERR_REQUEST, defect);
    }
    if (request->active) {
      const int code = look_at_ours(*request, done, status);
      if (!done) return code;
      const CommunicatorPtr comm = request->operation.comm;
      const CallSite made = request->operation.what.where;
      const std::int32_t number = request->operation.number;
      if (request->persistent) {
        request->active = false;
      } else {
        drop_request(*handle);
        *handle = MPI_REQUEST_NULL;
      }
      if (code == MPI_SUCCESS) return code;
      Defect defect;
      defect.request = number;
      defect.other = std::string(made.call) + "|" + module_offset(made.pc);
      return mpi_failed(code, where, comm, defect);
    }
    active = false;
    MPI_Request none = MPI_REQUEST_NULL;
    int flag = 0;
    return PMPI_Test(&none, &flag, status);
  }
  active = *handle != MPI_REQUEST_NULL;
  int flag = 0;
  const MpiOwns inside;
  const int code = PMPI_Test(handle, &flag, status);
  done = flag != 0 || code != MPI_SUCCESS;
  return check(code, where, nullptr);
}

void announce_wildcards() {
  Table& all = table();
  if (all.wildcards.load(std::memory_order_relaxed) == 0) return;
  const Guard lock(all.mutex);
  for (Slot& slot : all.slots) {
    if (slot.request != nullptr && slot.request->active && slot.request->kind == Request::Kind::transfer && slot.request->operation.is_wildcard()) {
      announce(slot.request->operation);
    }
  }
}

// An inactive persistent request is only a handle that was not freed; an active one is an operation that nobody completed.
void report_leak(const Request& request) {
  if (!request.active && !request.persistent) return;
  const Operation& operation = request.operation;
  Defect defect;
  defect.kind = "request-leak";
  defect.detail = !request.active      ? (request.starts == 0 ? "never-started" : "never-freed")
                  : request.persistent ? "never-completed"
                                       : "never-waited";
  if (operation.comm) defect.comm = operation.comm->text;
  if (request.kind != Request::Kind::collective) {
    defect.peer = world_peer(*operation.comm, operation.what.peer);
    defect.tag = operation.what.tag == MPI_ANY_TAG ? trace::kNone : operation.what.tag;
    defect.bytes = static_cast<std::uint64_t>(operation.bytes());
  }
  if (request.active) defect.request = operation.number;
  report(request.active && operation.what.where.pc != nullptr ? operation.what.where : request.made, defect);
}

std::vector<const Request*> requests_left() {
  std::vector<const Request*> left;
  const Guard lock(table().mutex);
  for (const Slot& slot : table().slots) {
    if (slot.request != nullptr) left.push_back(slot.request.get());
  }
  return left;
}

}  // namespace p2plab::probe
