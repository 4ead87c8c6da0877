// What overlap can give at best: the arithmetic of the demo.
#pragma once
#include <algorithm>

/// Doing both at once instead of one after the other: (Tc + Tx) / max(Tc, Tx), at most 2.
inline double bound(double compute_ns, double transfer_ns) {
  const double longer = std::max(compute_ns, transfer_ns);
  return longer > 0 ? (compute_ns + transfer_ns) / longer : 1;
}

/// Of a step whose share e is exposed communication: hiding all of it makes it 1 / (1 - e) times as fast.
inline double speed_up(double exposed_share) { return exposed_share < 1 ? 1 / (1 - exposed_share) : 0; }

/// Which part of the transfer was hidden: 0 none, 1 all that could be.
inline double hidden_share(double compute_ns, double transfer_ns, double measured_ns) {
  const double possible = std::min(compute_ns, transfer_ns);
  return possible > 0 ? std::clamp((compute_ns + transfer_ns - measured_ns) / possible, 0.0, 1.0) : 0;
}
