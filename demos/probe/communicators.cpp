// The table of communicators.
#include "demos/probe/communicators.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "demos/probe/findings.h"

namespace p2plab::probe {
namespace {

struct Table {
  std::mutex mutex;
  std::unordered_map<MPI_Comm, CommunicatorPtr> known;
  std::unordered_map<std::string, CommunicatorPtr> gatherings;
};
Table& table() {
  static Table* const kTable = new Table;
  return *kTable;
}

MPI_Comm g_private = MPI_COMM_NULL;
thread_local CommunicatorPtr t_last_found;  ///< keeps what t_last_communicator speaks of

std::vector<int> world_ranks_and_free(MPI_Group group) {
  std::vector<int> world = world_ranks(group);
  PMPI_Group_free(&group);
  return world;
}

CommunicatorPtr describe(MPI_Comm comm) {
  auto out = std::make_shared<Communicator>();
  out->handle = comm;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  out->inter = inter != 0;
  PMPI_Comm_rank(comm, &out->rank);
  MPI_Group group;
  PMPI_Comm_group(comm, &group);
  out->world = world_ranks_and_free(group);
  if (out->inter) {
    PMPI_Comm_remote_group(comm, &group);
    out->remote = world_ranks_and_free(group);
  }
  return out;
}

void record_members(Communicator& communicator) {
  trace::Recorder& recorder = Probe::get().recorder;
  communicator.text = recorder.intern(communicator.name);
  std::vector<int> members = communicator.world;
  members.insert(members.end(), communicator.remote.begin(), communicator.remote.end());
  std::sort(members.begin(), members.end());
  if (communicator.unwatched) members = {Probe::get().rank};  // nobody is to be waited for there
  Record record;
  record.type = RecordType::members;
  record.comm = communicator.text;
  record.site = recorder.intern(fmt::format("{}", fmt::join(members, ",")));
  Thread::current().push(record);
}

void add(CommunicatorPtr communicator) {
  record_members(*communicator);
  {
    const Guard lock(table().mutex);
    table().known[communicator->handle] = std::move(communicator);
  }
  g_communicators_epoch.fetch_add(1);
}

bool has_strangers(const Communicator& communicator) {
  const auto strange = [](int rank) { return rank == trace::kNone; };
  return std::any_of(communicator.world.begin(), communicator.world.end(), strange) ||
         std::any_of(communicator.remote.begin(), communicator.remote.end(), strange);
}

/// One that was made by a call we do not stand in front of, or leads to other processes (MPI_Comm_spawn, MPI_Comm_accept): MPI
/// knows whether it is one. Ranks have no common name for it.
CommunicatorPtr adopt(MPI_Comm comm) {
  int inter = 0;
  if (!Probe::get().initialized.load() || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) return nullptr;
  CommunicatorPtr found = describe(comm);
  found->name = fmt::format("communicator {:#x}#{}", static_cast<unsigned>(comm), Probe::get().rank);
  found->unwatched = true;
  MPI_Errhandler wish = MPI_ERRORS_ARE_FATAL;
  if (PMPI_Comm_get_errhandler(comm, &wish) == MPI_SUCCESS && wish != errors_of_mpi()) found->on_error = wish;
  PMPI_Comm_set_errhandler(comm, errors_of_mpi());
  add(found);
  return found;
}

}  // namespace

const CommunicatorPtr& find_communicator(MPI_Comm comm) {
  const std::uint64_t epoch = g_communicators_epoch.load(std::memory_order_acquire);
  if (t_last_communicator.comm == comm && t_last_communicator.epoch == epoch) return t_last_found;
  CommunicatorPtr found;
  {
    const Guard lock(table().mutex);
    const auto it = table().known.find(comm);
    if (it != table().known.end()) found = it->second;
  }
  // MPI uses handles again: one that the program has freed may be another's by now.
  if (found == nullptr && comm != MPI_COMM_NULL) found = adopt(comm);
  t_last_found = std::move(found);
  t_last_communicator = {comm, g_communicators_epoch.load(std::memory_order_acquire), t_last_found.get()};
  return t_last_found;
}

void communicator_made(MPI_Comm comm, const CommunicatorPtr& parent, const std::string& how, const CallSite& where) {
  if (comm == MPI_COMM_NULL) return;
  CommunicatorPtr made = describe(comm);
  made->name = fmt::format("{}.{}", parent->name, how);
  // Ranks that split into several communicators by one call: the lowest member tells them apart.
  std::vector<int> members = made->world;
  members.insert(members.end(), made->remote.begin(), made->remote.end());
  if (members.size() != parent->world.size()) made->name += fmt::format("[{}]", *std::min_element(members.begin(), members.end()));
  made->unwatched = parent->unwatched || has_strangers(*made);
  if (made->unwatched && !parent->unwatched) made->name += fmt::format("#{}", Probe::get().rank);
  made->on_error = parent->on_error;
  made->made = where;
  add(std::move(made));
}

void communicator_duplicating(MPI_Comm comm, const CommunicatorPtr& parent, const std::string& how, const CallSite& where) {
  auto made = std::make_shared<Communicator>();
  made->handle = comm;
  made->name = fmt::format("{}.{}", parent->name, how);
  made->world = parent->world;
  made->remote = parent->remote;
  made->inter = parent->inter;
  made->rank = parent->rank;
  made->unwatched = parent->unwatched;
  made->on_error = parent->on_error;
  made->made = where;
  add(std::move(made));
}

void communicator_freed(MPI_Comm comm) {
  {
    const Guard lock(table().mutex);
    table().known.erase(comm);
  }
  g_communicators_epoch.fetch_add(1);
}

std::vector<int> world_ranks(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> inside(static_cast<std::size_t>(size)), world(inside.size());
  std::iota(inside.begin(), inside.end(), 0);
  MPI_Group all;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(group, size, inside.data(), all, world.data());
  PMPI_Group_free(&all);
  std::replace(world.begin(), world.end(), MPI_UNDEFINED, trace::kNone);  // a process of another job
  return world;
}

CommunicatorPtr gathering(const std::string& name, std::vector<int> world) {
  Table& all = table();
  const Guard lock(all.mutex);
  CommunicatorPtr& found = all.gatherings[name];
  if (found != nullptr) return found;
  found = std::make_shared<Communicator>();
  found->name = name;
  found->world = std::move(world);
  const auto own = std::find(found->world.begin(), found->world.end(), Probe::get().rank);
  found->rank = static_cast<int>(own - found->world.begin());
  record_members(*found);
  return found;
}

std::vector<CommunicatorPtr> communicators_left() {
  const Guard lock(table().mutex);
  std::vector<CommunicatorPtr> left;
  for (const auto& [handle, communicator] : table().known) {
    if (!communicator->built_in && communicator->made.pc != nullptr) left.push_back(communicator);
  }
  return left;
}

void note_unwatched(Communicator& communicator) {
  if (communicator.noted.exchange(true)) return;
  note("unwatched", communicator.name);
}

MPI_Comm private_world() { return g_private; }

void communicators_begin() {
  for (const auto& [comm, name] : {std::pair{MPI_COMM_WORLD, "MPI_COMM_WORLD"}, std::pair{MPI_COMM_SELF, "MPI_COMM_SELF"}}) {
    PMPI_Comm_set_errhandler(comm, errors_of_mpi());
    CommunicatorPtr communicator = describe(comm);
    communicator->name = comm == MPI_COMM_SELF ? fmt::format("{}[{}]", name, Probe::get().rank) : name;
    communicator->built_in = true;
    add(std::move(communicator));
  }
  PMPI_Comm_dup(MPI_COMM_WORLD, &g_private);
}

}  // namespace p2plab::probe
