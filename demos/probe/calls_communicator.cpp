// Communicators: made and freed.
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "demos/probe/collective.h"

namespace p2plab::probe {
namespace {

/// Makes a communicator by a call of all ranks of `comm`.
int make(const CallSite& where, const char* how, MPI_Comm comm, MPI_Comm* out, const std::function<int()>& call) {
  Collective collective(where, comm);
  collective.arguments.pointer(out, "newcomm");
  const CommunicatorPtr parent = collective.arguments.comm;
  const int code = collective.together(call);
  if (code == MPI_SUCCESS) communicator_made(*out, parent, fmt::format("{}{}", how, parent->derived.fetch_add(1) + 1), where);
  return code;
}

/// Makes a communicator by a call of those world ranks, which meet first.
int make_among(Collective& collective, const std::vector<int>& members, const std::string& how, MPI_Comm* out, const std::function<int()>& call) {
  const CallSite where = collective.arguments.where;
  const CommunicatorPtr parent = find_communicator(collective.arguments.comm->handle);
  if (!parent->unwatched) collective.among(gathering(fmt::format("{}.{}[{}]", parent->name, how, fmt::join(members, ",")), members));
  const int code = parent->unwatched ? check(call(), where, parent) : collective.together(call);
  if (code == MPI_SUCCESS) communicator_made(*out, parent, how, where);
  return code;
}

/// Makes a communicator by a call of the members of `group` alone, which is no call on the communicator `comm`.
int make_of_group(const CallSite& where, MPI_Comm comm, MPI_Group group, const std::string& how, MPI_Comm* out, const std::function<int()>& call) {
  Collective collective(where, comm);
  collective.arguments.pointer(out, "newcomm");
  if (group == MPI_GROUP_NULL) collective.arguments.reject(MPI_ERR_GROUP, "pointer-null", {{"what", "group"}});
  if (!collective.ok()) return collective.arguments.error;
  const CommunicatorPtr parent = find_communicator(comm);
  const std::vector<int> members = world_ranks(group);
  const bool member = std::find(members.begin(), members.end(), Probe::get().rank) != members.end();
  if (!member) return check(call(), where, parent);  // MPI knows what to say
  return make_among(collective, members, how, out, call);
}

void on_error(MPI_Comm made, MPI_Errhandler wish) {
  if (made != MPI_COMM_NULL && refer_to(wish) == MPI_SUCCESS) find_communicator(made)->on_error = wish;
}

/// Two groups make an inter-communicator, and nobody else comes. MPI asks for the other group only at the leaders.
int make_of_groups(const CallSite& where, MPI_Group local, MPI_Group remote, const char* name, MPI_Comm* out, const std::function<int()>& call) {
  Collective collective(where, MPI_COMM_WORLD);
  collective.arguments.pointer(out, "newintercomm").pointer(name, "stringtag");
  if (local == MPI_GROUP_NULL) collective.arguments.reject(MPI_ERR_GROUP, "pointer-null", {{"what", "local_group"}});
  if (!collective.ok()) return collective.arguments.error;
  const std::string how = fmt::format("from-groups-{}", name);
  std::vector<int> members = world_ranks(local);
  if (remote == MPI_GROUP_NULL || remote == MPI_GROUP_EMPTY) members.clear();
  else for (const int rank : world_ranks(remote)) members.push_back(rank);
  std::sort(members.begin(), members.end());
  if (members.empty() || members.front() == trace::kNone) {
    const CommunicatorPtr world = find_communicator(MPI_COMM_WORLD);
    const int code = check(call(), where, world);
    if (code == MPI_SUCCESS) communicator_made(*out, world, how, where);
    return code;
  }
  return make_among(collective, members, how, out, call);
}

/// Leads to processes of another job, whose calls nobody records: what comes of it is unwatched.
int make_bridge(const CallSite& where, MPI_Comm comm, MPI_Comm* out, const std::function<int()>& call) {
  Collective collective(where, comm);
  collective.arguments.pointer(out, "newcomm");
  int code = MPI_SUCCESS, error_class = MPI_SUCCESS;
  const int met = collective.together([&] {
    code = call();
    return MPI_SUCCESS;
  });
  if (met != MPI_SUCCESS || code == MPI_SUCCESS) return met;
  PMPI_Error_class(code, &error_class);
  Defect defect;
  // Of these it is the system, or the launcher, that has no process to give: no fault of the arguments.
  defect.certain = error_class != MPI_ERR_OTHER && error_class != MPI_ERR_SPAWN && error_class != MPI_ERR_PORT && error_class != MPI_ERR_NAME && error_class != MPI_ERR_INTERN;
  return mpi_failed(code, where, find_communicator(comm), defect);
}

/// The two leaders of MPI_Intercomm_create find each other by the bridge and the tag: with another one they wait for ever.
int leaders_meet(const CallSite& where, MPI_Comm local, MPI_Comm bridge, int remote_leader, int tag) {
  Collective meeting(where, local);
  const CommunicatorPtr between = find_communicator(bridge);
  if (!meeting.ok() || between == nullptr || between->unwatched) return MPI_SUCCESS;  // MPI knows what to say
  const auto& peers = between->peers();
  if (remote_leader < 0 || std::cmp_greater_equal(remote_leader, peers.size())) return MPI_SUCCESS;
  std::vector<int> leaders{Probe::get().rank, world_peer(*between, remote_leader)};
  std::sort(leaders.begin(), leaders.end());
  if (leaders.front() == leaders.back()) return MPI_SUCCESS;
  meeting.among(gathering(fmt::format("{}.intercomm{}[{}]", between->name, tag, fmt::join(leaders, ",")), leaders));
  return meeting.together([] { return MPI_SUCCESS; });
}

int duplicate_later(const CallSite& where, MPI_Comm comm, MPI_Comm* out, MPI_Request* request, const Collective::Post& post) {
  Collective collective(where, comm);
  collective.arguments.pointer(out, "newcomm");
  const CommunicatorPtr parent = collective.arguments.comm;
  const int code = collective.later(post, request);
  // The handle is known at once, and may be used once the request is complete.
  if (code == MPI_SUCCESS) communicator_duplicating(*out, parent, fmt::format("dup{}", parent->derived.fetch_add(1) + 1), where);
  return code;
}

int let_go(const CallSite& where, MPI_Comm* comm, int (*call)(MPI_Comm*)) {
  Arguments pointer(where);
  if (pointer.pointer(comm, "comm").bad()) return pointer.error;
  Arguments arguments(where, *comm);
  if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF) arguments.reject(MPI_ERR_COMM, "comm-builtin");
  if (arguments.bad()) return arguments.error;
  const CommunicatorPtr kept = find_communicator(*comm);  // MPI calls the program's attribute functions
  communicator_freed(*comm);
  return check(call(comm), where, kept);
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* out) {
  return make({"MPI_Comm_dup", P2PLAB_CALLER}, "dup", comm, out, [&] { return PMPI_Comm_dup(comm, out); });
}
P2PLAB_MPI int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* out) {
  return make({"MPI_Comm_dup_with_info", P2PLAB_CALLER}, "dup", comm, out, [&] { return PMPI_Comm_dup_with_info(comm, info, out); });
}
P2PLAB_MPI int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* out) {
  const CallSite where{"MPI_Comm_split", P2PLAB_CALLER};
  if (color < 0 && color != MPI_UNDEFINED) {
    Arguments arguments(where, comm);
    return arguments.reject(MPI_ERR_ARG, "color", {{"value", std::to_string(color)}}).error;
  }
  return make(where, "split", comm, out, [&] { return PMPI_Comm_split(comm, color, key, out); });
}
P2PLAB_MPI int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* out) {
  return make({"MPI_Comm_split_type", P2PLAB_CALLER}, "split", comm, out, [&] { return PMPI_Comm_split_type(comm, type, key, info, out); });
}
P2PLAB_MPI int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* out) {
  return make({"MPI_Comm_create", P2PLAB_CALLER}, "create", comm, out, [&] { return PMPI_Comm_create(comm, group, out); });
}
P2PLAB_MPI int MPI_Cart_create(MPI_Comm comm, int axes, const int sizes[], const int periods[], int reorder, MPI_Comm* out) {
  return make({"MPI_Cart_create", P2PLAB_CALLER}, "cart", comm, out, [&] { return PMPI_Cart_create(comm, axes, sizes, periods, reorder, out); });
}
P2PLAB_MPI int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* out) {
  return make({"MPI_Cart_sub", P2PLAB_CALLER}, "sub", comm, out, [&] { return PMPI_Cart_sub(comm, remain, out); });
}
P2PLAB_MPI int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* out) {
  return make({"MPI_Graph_create", P2PLAB_CALLER}, "graph", comm, out, [&] { return PMPI_Graph_create(comm, nodes, index, edges, reorder, out); });
}
P2PLAB_MPI int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                                     const int weights[], MPI_Info info, int reorder, MPI_Comm* out) {
  return make({"MPI_Dist_graph_create", P2PLAB_CALLER}, "graph", comm, out,
              [&] { return PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, out); });
}
P2PLAB_MPI int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[], const int source_weights[], int out_degree,
                                              const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm* out) {
  return make({"MPI_Dist_graph_create_adjacent", P2PLAB_CALLER}, "graph", comm, out, [&] {
    return PMPI_Dist_graph_create_adjacent(comm, in, sources, source_weights, out_degree, destinations, weights, info, reorder, out);
  });
}
P2PLAB_MPI int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* out) {
  return make({"MPI_Intercomm_merge", P2PLAB_CALLER}, "merge", comm, out, [&] { return PMPI_Intercomm_merge(comm, high, out); });
}

// Both sides name the communicator by the bridge between them and the tag they agreed on.
P2PLAB_MPI int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm bridge, int remote_leader, int tag, MPI_Comm* out) {
  const CallSite where{"MPI_Intercomm_create", P2PLAB_CALLER};
  Collective collective(where, local);
  collective.arguments.pointer(out, "newintercomm").root(leader);
  if (collective.ok() && collective.arguments.comm->rank == leader) {
    if (const int met = leaders_meet(where, local, bridge, remote_leader, tag); met != MPI_SUCCESS) return met;
  }
  const int code = collective.together([&] { return PMPI_Intercomm_create(local, leader, bridge, remote_leader, tag, out); });
  if (code == MPI_SUCCESS) communicator_made(*out, find_communicator(MPI_COMM_WORLD), fmt::format("inter{}", tag), where);
  return code;
}

// Only the members of the group call it.
P2PLAB_MPI int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* out) {
  const CallSite where{"MPI_Comm_create_group", P2PLAB_CALLER};
  return make_of_group(where, comm, group, fmt::format("group{}", tag), out, [&] { return PMPI_Comm_create_group(comm, group, tag, out); });
}
P2PLAB_MPI int MPI_Comm_create_from_group(MPI_Group group, const char* name, MPI_Info info, MPI_Errhandler handler, MPI_Comm* out) {
  const CallSite where{"MPI_Comm_create_from_group", P2PLAB_CALLER};
  Arguments arguments(where);
  if (arguments.pointer(name, "stringtag").bad()) return arguments.error;
  const int code = make_of_group(where, MPI_COMM_WORLD, group, fmt::format("from-group-{}", name), out,
                                 [&] { return PMPI_Comm_create_from_group(group, name, info, MPI_ERRORS_RETURN, out); });
  if (code == MPI_SUCCESS) on_error(*out, handler);
  return code;
}

P2PLAB_MPI int MPI_Intercomm_create_from_groups(MPI_Group local, int leader, MPI_Group remote, int remote_leader, const char* name, MPI_Info info,
                                                MPI_Errhandler handler, MPI_Comm* out) {
  const CallSite where{"MPI_Intercomm_create_from_groups", P2PLAB_CALLER};
  const int code = make_of_groups(where, local, remote, name, out, [&] {
    return PMPI_Intercomm_create_from_groups(local, leader, remote, remote_leader, name, info, MPI_ERRORS_RETURN, out);
  });
  if (code == MPI_SUCCESS) on_error(*out, handler);
  return code;
}

P2PLAB_MPI int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* out, MPI_Request* request) {
  return duplicate_later({"MPI_Comm_idup", P2PLAB_CALLER}, comm, out, request, [=](MPI_Request* real) { return PMPI_Comm_idup(comm, out, real); });
}
P2PLAB_MPI int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* out, MPI_Request* request) {
  return duplicate_later({"MPI_Comm_idup_with_info", P2PLAB_CALLER}, comm, out, request,
                         [=](MPI_Request* real) { return PMPI_Comm_idup_with_info(comm, info, out, real); });
}

// Other processes.
P2PLAB_MPI int MPI_Comm_spawn(const char* command, char* argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* out, int codes[]) {
  return make_bridge({"MPI_Comm_spawn", P2PLAB_CALLER}, comm, out, [&] { return PMPI_Comm_spawn(command, argv, most, info, root, comm, out, codes); });
}
P2PLAB_MPI int MPI_Comm_spawn_multiple(int count, char* commands[], char** argvs[], const int most[], const MPI_Info infos[], int root, MPI_Comm comm,
                                       MPI_Comm* out, int codes[]) {
  return make_bridge({"MPI_Comm_spawn_multiple", P2PLAB_CALLER}, comm, out,
                     [&] { return PMPI_Comm_spawn_multiple(count, commands, argvs, most, infos, root, comm, out, codes); });
}
P2PLAB_MPI int MPI_Comm_accept(const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* out) {
  return make_bridge({"MPI_Comm_accept", P2PLAB_CALLER}, comm, out, [&] { return PMPI_Comm_accept(port, info, root, comm, out); });
}
P2PLAB_MPI int MPI_Comm_connect(const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* out) {
  return make_bridge({"MPI_Comm_connect", P2PLAB_CALLER}, comm, out, [&] { return PMPI_Comm_connect(port, info, root, comm, out); });
}
P2PLAB_MPI int MPI_Comm_join(int socket, MPI_Comm* out) {
  return make_bridge({"MPI_Comm_join", P2PLAB_CALLER}, MPI_COMM_SELF, out, [&] { return PMPI_Comm_join(socket, out); });
}
P2PLAB_MPI int MPI_Comm_get_parent(MPI_Comm* out) {
  Arguments arguments({"MPI_Comm_get_parent", P2PLAB_CALLER}, MPI_COMM_SELF);
  return arguments.pointer(out, "parent").bad() ? arguments.error : PMPI_Comm_get_parent(out);
}

P2PLAB_MPI int MPI_Comm_free(MPI_Comm* comm) {
  return let_go({"MPI_Comm_free", P2PLAB_CALLER}, comm, PMPI_Comm_free);
}
P2PLAB_MPI int MPI_Comm_disconnect(MPI_Comm* comm) {
  return let_go({"MPI_Comm_disconnect", P2PLAB_CALLER}, comm, PMPI_Comm_disconnect);
}

P2PLAB_MPI int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  Arguments arguments({"MPI_Comm_rank", P2PLAB_CALLER}, comm);
  return arguments.pointer(rank, "rank").bad() ? arguments.error : PMPI_Comm_rank(comm, rank);
}
P2PLAB_MPI int MPI_Comm_size(MPI_Comm comm, int* size) {
  Arguments arguments({"MPI_Comm_size", P2PLAB_CALLER}, comm);
  return arguments.pointer(size, "size").bad() ? arguments.error : PMPI_Comm_size(comm, size);
}
