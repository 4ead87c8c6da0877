// The supervision of one job: start it, watch its limits and the lab's life, end all of it.
#pragma once

namespace p2plab::launch {

/// `arguments`: DIR WALL_MS CPU_MS MEMORY_BYTES PROGRAM ARGUMENT…, null-terminated; descriptors as in protocol.h.
int supervise_job(char** arguments);

}  // namespace p2plab::launch
