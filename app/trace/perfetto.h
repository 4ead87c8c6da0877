// Saves a trace in Perfetto's protobuf format, exactly, and opens it again. The files also open at ui.perfetto.dev.
#pragma once
#include <filesystem>
#include <span>

#include "app/trace/counter.h"
#include "app/trace/trace.h"

namespace p2plab::trace {

/// Writes beside and renames. `counters` become counter tracks of their ranks; opening leaves them out, since they follow
/// from the spans. Throws Error "file.unwritable".
void save_perfetto(const Trace& trace, const std::filesystem::path& path, std::span<const Counter> counters = {});

/// Opens what save_perfetto wrote: same spans, tracks and messages under the same ids.
/// Throws Error "file.unreadable", "trace.foreign" (another tool's file), "trace.version" or "trace.truncated".
Trace open_perfetto(const std::filesystem::path& path);

}  // namespace p2plab::trace
