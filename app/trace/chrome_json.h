// Exports a trace as Chrome Trace Event JSON, all ranks in one file: for ui.perfetto.dev, chrome://tracing and scripts.
#pragma once
#include <filesystem>
#include <span>

#include "app/trace/counter.h"
#include "app/trace/trace.h"

namespace p2plab::trace {

/// Object form, one event a line, in order of time; exact to the ns. An open span lasts until the trace's now and bears
/// `"open": true`; `counters` are "C" events. Writes beside and renames. Throws Error "file.unwritable".
void save_chrome_json(const Trace& trace, const std::filesystem::path& path, std::span<const Counter> counters = {});

}  // namespace p2plab::trace
