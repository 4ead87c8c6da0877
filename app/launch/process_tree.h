// The processes below a process, read from /proc: to end them and to measure them. Depends on nothing but Linux.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace p2plab::launch {

/// Direct children of all threads of `pid`.
std::vector<pid_t> children_of(pid_t pid);
/// All that stand below `pid`, parents before children. A snapshot: processes may come and go meanwhile.
std::vector<pid_t> descendants_of(pid_t pid);

/// The process below `ancestor` that knows itself as `own`, perhaps in a namespace of process ids of its own; 0: none.
pid_t process_known_as(pid_t own, pid_t ancestor);
/// The threads of a process: the ids by which they know themselves, and those by which /proc has them here.
std::map<pid_t, pid_t> threads_of(pid_t pid);

pid_t session_of(pid_t pid);
/// Whether the environment of `pid`, as it was started, holds "NAME=value".
bool has_environment(pid_t pid, const std::string& entry);

/// Kills a process found below `ancestor`, unless it has left that place: its number may belong to a stranger by now.
void kill_descendant(pid_t pid, pid_t ancestor);

/// Kills children of the calling process chosen by `chosen`, with all below them, until none is left or `timeout_ms` has
/// passed. The caller must be a child subreaper, so that orphans come back to it. True when none is left.
bool end_children(const std::function<bool(pid_t)>& chosen, int timeout_ms);

struct TreeUsage {
  std::uint64_t cpu_ms = 0;        ///< of all descendants, the dead too if they were waited for
  std::uint64_t resident_bytes = 0;  ///< pages shared by several processes count for each
  std::uint64_t processes = 0;
};
TreeUsage usage_below(pid_t pid);
/// Resident memory with shared pages divided among their users; slower to obtain.
std::uint64_t proportional_bytes_below(pid_t pid);

}  // namespace p2plab::launch
