// See collective.h.
#include "demos/probe/collective.h"

#include <fmt/format.h>

#include "demos/probe/access/watch.h"

namespace p2plab::probe {
namespace {

std::vector<access::Piece> pieces(const void* buffer, MPI_Count count, const Datatype& layout) {
  std::vector<access::Piece> out;
  if (layout.whole) {
    visit_blocks(layout, buffer, count, count * layout.size, [&](std::uintptr_t at, std::size_t length) { out.push_back({at, at + length}); });
  }
  return out;
}

}  // namespace

Collective& Collective::root(int rank) {
  arguments.root(rank);
  if (!ok()) return *this;
  root_ = rank;
  if (!arguments.comm->inter) text_ += fmt::format("r{};", world_peer(*arguments.comm, rank));
  return *this;
}

Collective& Collective::operation(MPI_Op op) {
  arguments.operation(op);
  if (ok()) text_ += fmt::format("o{};", operation_name(op));
  return *this;
}

Collective& Collective::equal(MPI_Count count, MPI_Datatype type) {
  DatatypePtr layout;
  arguments.count(count).type(type, layout);
  if (!ok()) return *this;
  bytes_ = static_cast<std::uint64_t>(count * layout->size);
  if (!arguments.comm->inter) text_ += fmt::format("e{}*{};", layout->signature, count * layout->size);
  return *this;
}

Collective& Collective::with(int rank, MPI_Count count, MPI_Datatype type, bool taken) {
  if (!ok() || arguments.comm->inter || rank == MPI_PROC_NULL) return *this;
  const DatatypePtr& layout = find_datatype(type);  // of no elements there need not be one
  const MPI_Count bytes = layout == nullptr ? 0 : count * layout->size;
  text_ += fmt::format("{}{}:{}*{};", taken ? 'R' : 'S', world_peer(*arguments.comm, rank), layout == nullptr ? "" : layout->signature, bytes);
  return *this;
}

Collective& Collective::among(const CommunicatorPtr& ranks) {
  order_ = ranks;
  return *this;
}

Collective& Collective::uses(const void* buffer, MPI_Count count, MPI_Datatype type, bool written) {
  if (!ok() || buffer == MPI_IN_PLACE) return *this;
  DatatypePtr layout;
  arguments.count(count).type(type, layout).buffer(buffer, count, layout);
  if (ok()) regions_.push_back({buffer, count, layout, written});
  return *this;
}

Collective& Collective::give(const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Count copies) {
  if (!ok() || buffer == MPI_IN_PLACE) return *this;
  uses(buffer, count * copies, type, false);
  if (!ok()) return *this;
  const DatatypePtr layout = find_datatype(type);
  bytes_ = static_cast<std::uint64_t>(count * layout->size);
  if (!arguments.comm->inter) text_ += fmt::format("g{}*{};", layout->signature, count * layout->size);
  return *this;
}

Collective& Collective::take(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Count copies) {
  if (!ok() || buffer == MPI_IN_PLACE) return *this;
  uses(buffer, count * copies, type, true);
  if (!ok()) return *this;
  const DatatypePtr layout = find_datatype(type);
  if (bytes_ == 0) bytes_ = static_cast<std::uint64_t>(count * layout->size);
  if (!arguments.comm->inter) text_ += fmt::format("t{}*{};", layout->signature, count * layout->size);
  return *this;
}

Record Collective::record(std::uint8_t flags) {
  Probe& probe = Probe::get();
  if (arguments.comm->unwatched) note_unwatched(*arguments.comm);
  Communicator& comm = order_ != nullptr ? *order_ : *arguments.comm;
  Record record;
  record.kind = trace::Kind::collective;
  record.flags = flags;
  record.comm = comm.text;
  record.peer = root_ < 0 || comm.inter ? trace::kNone : world_peer(comm, root_);
  record.bytes = bytes_;
  record.sequence = comm.collectives.fetch_add(1);
  record.value = probe.recorder.intern(text_);
  return record;
}

void Collective::touch_regions() const {
  if (Probe::get().orders.access == 0) return;
  for (const Region& region : regions_) {
    for (const access::Piece& piece : pieces(region.buffer, region.count, *region.layout)) access::touch(piece, region.written, arguments.where.pc);
  }
}

std::vector<std::int32_t> Collective::watch_regions() const {
  std::vector<std::int32_t> ids;
  if (Probe::get().orders.access == 0) return ids;
  for (const Region& region : regions_) {
    if (region.count == 0 || region.layout->size == 0) continue;
    ids.push_back(Probe::get().next_request());
    requests_watch_collective(ids.back(), arguments.where, find_communicator(arguments.comm->handle), static_cast<std::uint64_t>(region.count * region.layout->size));
    access::watch(static_cast<access::OperationId>(ids.back()) + 1, region.written ? access::Use::receive : access::Use::send,
                  pieces(region.buffer, region.count, *region.layout));
  }
  return ids;
}

// No communicator holds just these ranks: each writes to each.
int Collective::meet_by_messages(Call& call, const Record& record) {
  const auto hash = static_cast<std::uint64_t>(std::hash<std::string>()(fmt::format("{}/{}", order_->name, record.sequence)));
  const int tag = static_cast<int>(hash % static_cast<std::uint64_t>(Probe::get().tag_limit));
  std::vector<MPI_Request> requests;
  int code = MPI_SUCCESS;
  for (const int rank : order_->world) {
    if (rank == Probe::get().rank || code != MPI_SUCCESS) continue;
    code = PMPI_Irecv(nullptr, 0, MPI_BYTE, rank, tag, private_world(), &requests.emplace_back(MPI_REQUEST_NULL));
    if (code == MPI_SUCCESS) code = PMPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, private_world(), &requests.emplace_back(MPI_REQUEST_NULL));
  }
  if (code != MPI_SUCCESS) return code;
  wait_until(call, [&] {
    int flag = 0;
    code = PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0 || code != MPI_SUCCESS;
  });
  return code;
}

int Collective::meet(Call& call) {
  if (arguments.comm->unwatched) return MPI_SUCCESS;  // the others may be no processes of ours, which would not come
  MPI_Request barrier = MPI_REQUEST_NULL;
  int code = PMPI_Ibarrier(arguments.comm->handle, &barrier);
  if (code != MPI_SUCCESS) return code;
  wait_until(call, [&] {
    int flag = 0;
    code = PMPI_Test(&barrier, &flag, MPI_STATUS_IGNORE);
    return flag != 0 || code != MPI_SUCCESS;
  });
  return code;
}

int Collective::now(const Post& post) {
  if (arguments.bad()) return arguments.error;
  delay();
  touch_regions();
  Call call(arguments.where, record(trace::kBlocking));
  MPI_Request request = MPI_REQUEST_NULL;
  int code = Probe::get().orders.strict != 0 ? meet(call) : MPI_SUCCESS;
  const MpiOwns inside;
  if (code == MPI_SUCCESS) code = post(&request);
  if (code == MPI_SUCCESS) {
    wait_until(call, [&] {
      int flag = 0;
      code = PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      return flag != 0 || code != MPI_SUCCESS;
    });
  }
  heard_from_others();
  return check(code, arguments.where, arguments.comm);
}

int Collective::together(const std::function<int()>& call) {
  if (arguments.bad()) return arguments.error;
  delay();
  const Record begin = record(trace::kBlocking);
  Call span(arguments.where, begin);
  int code = order_ == nullptr ? meet(span) : meet_by_messages(span, begin);
  const MpiOwns inside;
  if (code == MPI_SUCCESS) code = call();
  heard_from_others();
  return check(code, arguments.where, arguments.comm);
}

int Collective::when_started(const Post& init, MPI_Request* out) {
  arguments.pointer(out, "request");
  if (arguments.bad()) return arguments.error;
  delay();
  Request request;
  request.kind = Request::Kind::collective;
  request.persistent = true;
  request.active = false;
  request.made = arguments.where;
  request.operation.comm = arguments.comm = find_communicator(arguments.comm->handle);
  const Record made = record(0);
  order_ = gathering(fmt::format("{}.persistent{}", arguments.comm->name, made.sequence), arguments.comm->unwatched ? std::vector{Probe::get().rank} : arguments.comm->world);
  const Call call(arguments.where, made);
  const int code = init(&request.base);
  if (code != MPI_SUCCESS) return check(code, arguments.where, arguments.comm);
  request.collective = std::make_shared<Collective>(*this);
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

int Collective::start(void* pc, Request& request) {
  // Bears the name of the call that made the request: ranks may start it by MPI_Start or by MPI_Startall.
  const CallSite where{arguments.where.call, pc};
  Operation& operation = request.operation;
  operation.number = Probe::get().next_request();
  Record begin = record(trace::kPosts);
  begin.request = operation.number;
  Call call(where, begin);
  operation.span = call.in_flight();
  int code = MPI_SUCCESS;
  {
    const MpiOwns inside;
    code = PMPI_Start(&request.base);
  }
  if (code != MPI_SUCCESS) return check(code, where, arguments.comm);
  request.active = true;
  request.watched = watch_regions();
  return MPI_SUCCESS;
}

int Collective::later(const Post& post, MPI_Request* out) {
  arguments.pointer(out, "request");
  if (arguments.bad()) return arguments.error;
  delay();
  Request request;
  request.kind = Request::Kind::collective;
  request.made = arguments.where;
  Operation& operation = request.operation;
  operation.what.where = arguments.where;
  operation.comm = find_communicator(arguments.comm->handle);
  operation.number = Probe::get().next_request();
  Record begin = record(trace::kPosts);
  begin.request = operation.number;
  Call call(arguments.where, begin);
  operation.span = call.in_flight();
  int code = MPI_SUCCESS;
  {
    const MpiOwns inside;
    code = post(&operation.real);
  }
  if (code != MPI_SUCCESS) return check(code, arguments.where, arguments.comm);
  request.watched = watch_regions();
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

}  // namespace p2plab::probe
