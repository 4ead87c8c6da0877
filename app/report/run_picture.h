// The picture of a run: its timeline, or the charts of what it measured, or both.
#pragma once
#include "app/check/demo_run.h"
#include "app/check/links.h"
#include "app/report/picture.h"
#include "app/report/timeline_picture.h"

namespace p2plab::report {

/// What `demo` shows of the trace. All arguments but `around` must outlive the picture.
std::unique_ptr<Picture> run_picture(const check::DemoManifest& demo, const check::RunResult& result, const trace::Trace& trace,
                                     const std::vector<check::Link>& links, const content::Text& text, PictureText around);

}  // namespace p2plab::report
