// Which lane the calling thread records on.
#include "demos/p2p/lane.h"

namespace p2p {

Lane& Lane::current() {
  thread_local Lane lane;
  return lane;
}

void Lane::enter(Recorder& recorder, std::string_view lane, std::string_view owner) {
  current() = {recorder.ring(lane, owner), recorder.intern(lane)};
}

void Lane::leave() {
  if (current().ring != nullptr) current().ring->exited();
  current() = {};
}

}  // namespace p2p
