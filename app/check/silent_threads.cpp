// See silent_threads.h.
#include "app/check/silent_threads.h"

#include <sys/syscall.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "app/launch/process_tree.h"

namespace p2plab::check {

namespace {

std::set<int> numbers(const std::string& list) {
  std::set<int> out;
  for (std::size_t at = 0; at < list.size();) {
    out.insert(std::atoi(list.c_str() + at));
    at = std::min(list.find(',', at), list.size() - 1) + 1;
  }
  return out;
}

/// Waiting for a mutex, a condition or a thread's end. What cannot be read has ended, or is not ours to see: then it may move.
bool waits_for_a_thread(pid_t process, pid_t thread) {
  std::ifstream in("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/syscall");
  std::string call;
  return in >> call && call == std::to_string(SYS_futex);
}

}  // namespace

void SilentThreads::park(const launch::Job& job, const trace::FeedReader& reader, trace::Trace& trace) const {
  for (const trace::Note& note : trace.notes()) {
    if (trace.name(note.name) != "threads-of-mpi") continue;
    const std::vector<int> ids = reader.threads(note.rank);
    if (ids.size() < 2) continue;
    const pid_t process = job.process(reader.process(note.rank));
    const std::map<pid_t, pid_t> here = launch::threads_of(process);
    std::size_t next = 0;  // samples of a rank stand in the order of its rings
    for (trace::ThreadSample& thread : trace.threads()) {
      if (thread.rank != note.rank || next == ids.size()) continue;
      const auto id = here.find(ids[next++]);
      if (thread.state == trace::ThreadState::running && id != here.end() && waits_for_a_thread(process, id->second)) thread.state = trace::ThreadState::parked;
    }
  }
}

bool SilentThreads::may_move(const launch::Job& job, const trace::FeedReader& reader, const trace::Trace& trace) const {
  for (const trace::Note& note : trace.notes()) {
    if (trace.name(note.name) != "threads-of-mpi") continue;
    std::set<int> known = numbers(trace.name(note.text));
    for (const int thread : reader.threads(note.rank)) known.insert(thread);
    const pid_t process = job.process(reader.process(note.rank));
    for (const auto& [own, here] : launch::threads_of(process)) {
      if (known.count(own) == 0 && !waits_for_a_thread(process, here)) return true;
    }
  }
  return false;
}

}  // namespace p2plab::check
