// p2plab bench frame: what one frame of the timeline costs. The window's code measures itself: p2plab links no ImGui.
#include <unistd.h>

#include "app/cli/bench.h"
#include "app/launch/installation.h"
#include "app/trace/error.h"

namespace p2plab::cli {

int bench_frame(const content::Text&, const BenchOptions& options) {
  const std::string gui = (launch::Installation::find().prefix / "bin/p2plab-gui").string();
  const char* arguments[] = {gui.c_str(), "--bench-frame", options.json.empty() ? nullptr : "--json", options.json.c_str(), nullptr};
  ::execv(gui.c_str(), const_cast<char**>(arguments));
  throw Error("bench-frame.no-gui", {{"path", gui}}, 2);
}

}  // namespace p2plab::cli
