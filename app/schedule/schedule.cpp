// How an action is written.
#include "app/schedule/schedule.h"

namespace p2plab::schedule {

std::string to_string(const Action& action) {
  return (action.op == Op::forward ? "F" : "B") + std::to_string(action.microbatch);
}

}  // namespace p2plab::schedule
