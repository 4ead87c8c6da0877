// Under which conditions a run was made, in one line: no number of ours is shown without it.
#pragma once
#include <string>

#include "app/check/demo_manifest.h"
#include "app/check/demo_run.h"
#include "app/content/text.h"
#include "app/trace/trace.h"

namespace p2plab::report {

/// A knob's value as people read it: "64 KiB", "4000 µs", the name of a file without its folders.
std::string knob_value(const check::Knob& knob, const std::string& value);

/// Whether it can have changed anything in such a run: it is not off, nor part of one that is, and the run is one of those it is for.
bool means_something(const check::Knob& knob, const check::RunRequest& run, const check::DemoManifest& demo);

/// With `demo` its knobs are named and written in the language of `text`, else by their ids:
/// "4 ranks · host (MPICH 4.0.2) · paced compute · raw link · seed 1 · schedule 1f1b · …". A simulated schedule has no seed.
std::string conditions(const trace::RunInfo& run, const content::Text& text, const check::DemoManifest* demo = nullptr);

}  // namespace p2plab::report
