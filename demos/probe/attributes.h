// Attributes of MPI_COMM_SELF.
#pragma once

namespace p2plab::probe {

/// Calls what the program has tied to MPI_COMM_SELF, the last one first, while MPI is still there: MPI_Finalize begins with it.
void let_go_of_self();

}  // namespace p2plab::probe
