// Threads of a rank that have never called MPI, and may yet: a wait for the rank is a wait for them as well.
#pragma once
#include "app/launch/job.h"
#include "app/trace/feed_reader.h"

namespace p2plab::check {

class SilentThreads {
 public:
  /// Marks threads that wait, outside of MPI, for another of their process (pthread_join, a condition): they do not run.
  void park(const launch::Job& job, const trace::FeedReader& reader, trace::Trace& trace) const;
  /// True if some rank that may call MPI from several threads has one that has not called it yet and does something: runs,
  /// sleeps for a time, reads. One that waits for another thread of its process releases nobody.
  bool may_move(const launch::Job& job, const trace::FeedReader& reader, const trace::Trace& trace) const;
};

}  // namespace p2plab::check
