// Threads of the program's own. Where nothing keeps two threads apart, mere luck does: while operations are watched,
// new threads start 10 ms late, and operations end 10 ms late, so that what may happen in between does.
#pragma once

namespace p2plab::probe::access {

/// Gives the program's other threads, if it ever started one, a chance to touch a buffer before its operation ends: a
/// wait that happens to end first would hide that nothing keeps them from it. The first ends wait 10 ms, the next 1 ms,
/// 200 ms in all.
void wait_for_other_threads();

}  // namespace p2plab::probe::access
