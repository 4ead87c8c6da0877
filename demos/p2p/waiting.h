// How a thread waits without taking a core from those it waits for: spin 20 us, yield for 50 ms, then nap 50 us at
// a time; with more ranks than cores yield at once, and on a crowded machine, where a yield is long, nap. A timer costs
// a virtual machine 35 us of a core, so four ranks that nap all the time keep two cores busy with timers; a yield costs
// one microsecond.
// (A ring of four ranks waiting inside MPI on two cores took 2612 us a round; like this, 4.4 us.)
#pragma once
#include <cstdint>

namespace p2p {

class Backoff {
 public:
  /// Call after a failed poll. `wake_ns` is when the poll will succeed, if that is known (CLOCK_MONOTONIC), else 0.
  void pause(std::int64_t wake_ns = 0);
  bool brief() const { return brief_; }  ///< the first 20 us
  bool napping() const { return napping_; }

 private:
  std::int64_t begin_ns_ = 0;  ///< of the first look at the clock
  int polls_ = 0;
  bool brief_ = true;
  bool napping_ = false;
  int looks_ = 0;
};

/// How many ranks share this machine; said by each before it waits. A rank alone on its core polls as long as a message may
/// take; one of many would take the core from the rank that it waits for.
void share_cores(int ranks);
/// This thread's timers fire when they are due, not up to 50 us later.
void sharpen_timers();
/// While this process lives, an idle core polls instead of sleeping, if the system lets us ask for it (root, as a rule):
/// a core that slept wakes 40 to 80 us late, and a message costs three such wake-ups. False: it does not.
bool keep_cores_awake();
void sleep_until_ns(std::int64_t monotonic_ns);
/// The same to the microsecond: asleep for all but the last 80 us, which are spun (20 with more ranks than cores: there the
/// others have work for the core). A core that slept wakes 20 to 70 us late, and a pipeline pays that at every slot.
void wait_until_ns(std::int64_t monotonic_ns);

}  // namespace p2p
