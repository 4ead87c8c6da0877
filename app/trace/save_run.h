// The trace of a run of ranks as a file.
#pragma once
#include <filesystem>

#include "app/trace/trace.h"

namespace p2plab::trace {

/// Merged Chrome JSON when the name ends in .json, else Perfetto's format. On the virtual clock the same run is the same
/// file; on a real one no two runs are alike. Throws Error "file.unwritable".
void save_run(const Trace& run, const std::filesystem::path& file);

}  // namespace p2plab::trace
