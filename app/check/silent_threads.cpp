// See silent_threads.h.
#include "app/check/silent_threads.h"

#include <sys/syscall.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

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
bool waits_for_a_thread(const std::filesystem::path& task) {
  std::ifstream in(task / "syscall");
  std::string call;
  return in >> call && call == std::to_string(SYS_futex);
}

}  // namespace

void SilentThreads::park(const trace::FeedReader& reader, trace::Trace& trace) const {
  for (const trace::Note& note : trace.notes()) {
    if (trace.name(note.name) != "threads-of-mpi") continue;
    const std::vector<int> ids = reader.threads(note.rank);
    if (ids.size() < 2) continue;
    const std::string tasks = "/proc/" + std::to_string(reader.process(note.rank)) + "/task/";
    std::size_t next = 0;  // samples of a rank stand in the order of its rings
    for (trace::ThreadSample& thread : trace.threads()) {
      if (thread.rank != note.rank || next == ids.size()) continue;
      const int id = ids[next++];
      if (thread.state == trace::ThreadState::running && waits_for_a_thread(tasks + std::to_string(id))) thread.state = trace::ThreadState::parked;
    }
  }
}

bool SilentThreads::may_move(const trace::FeedReader& reader, const trace::Trace& trace) const {
  for (const trace::Note& note : trace.notes()) {
    if (trace.name(note.name) != "threads-of-mpi") continue;
    std::set<int> known = numbers(trace.name(note.text));
    for (const int thread : reader.threads(note.rank)) known.insert(thread);
    std::error_code ignored;
    const std::filesystem::path tasks = "/proc/" + std::to_string(reader.process(note.rank)) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, ignored)) {
      if (known.count(std::atoi(task.path().filename().c_str())) == 0 && !waits_for_a_thread(task.path())) return true;
    }
  }
  return false;
}

}  // namespace p2plab::check
