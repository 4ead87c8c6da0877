// Commands of the terminal as settings of the window, and back.
#pragma once
#include <string>
#include <vector>

#include "app/check/demo_run.h"

namespace p2plab::gui {

/// What `run DEMO …` asks for, as words after `p2plab`. `backend` is where it runs when the words name none.
check::RunRequest request_of(const std::vector<std::string>& words, const std::string& backend = "host");
/// The command that repeats this run in a terminal: the demo, the backend, the seed, and what differs from the demo's defaults.
std::string command_of(const check::DemoManifest& demo, const check::RunRequest& request);

}  // namespace p2plab::gui
