// A walkthrough: a guided tour as data, in assets/walkthroughs/ID.toml. A teacher can edit it.
//
//   title   = { en = "Deadlock in five minutes", zh = "五分钟看懂死锁" }
//   minutes = 5
//   order   = 1                                  # in the list
//   [[step]]
//   demo = "deadlock"                            # stays until another step names one; a new demo starts from its defaults
//   set  = { variant = "send-first", bytes = "1M" }  # knobs; they stay until set again
//   semantics = "mpi"                            # or "nccl"; stays
//   backend = "sim"                              # or "host"; stays
//   link = "raw"                                 # or a preset of assets/links.toml; stays
//   strict = false                               # stays
//   ranks = 2                                    # stays
//   run  = true                                  # starts a run on entering the step
//   zoom = "fit"                                 # or { rank = 0, span = "F3" }, or { begin_ns = 0, end_ns = 2000000 }
//   tab  = "wait-for"                            # numbers, wait-for, bytes, log, code
//   diff = true                                  # the code pane shows broken against fixed
//   say  = { en = "…", zh = "…" }
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/check/demo_manifest.h"
#include "app/content/left_out.h"

namespace p2plab::gui {

struct ZoomFit {};
struct ZoomSpan {
  int rank = 0;
  std::string span;  ///< its label in the timeline, the first of that name
};
/// Instants of the axis: 0 is the first span.
struct ZoomTime {
  std::int64_t begin_ns = 0, end_ns = 0;
};
using Zoom = std::variant<ZoomFit, ZoomSpan, ZoomTime>;

struct Step {
  std::string demo;
  std::map<std::string, std::string> set;
  std::string semantics, backend, link;
  std::optional<bool> strict, diff;
  std::optional<int> ranks;
  bool run = false;
  std::optional<Zoom> zoom;
  std::string tab;
  content::Twin say;
};

struct Walkthrough {
  std::string id;
  content::Twin title;
  int minutes = 0, order = 0;
  std::vector<Step> steps;
};

/// Throws Error "manifest.broken" naming file, line and what is wrong.
Walkthrough load_walkthrough(const std::filesystem::path& file);
/// All of them by `order`. A folder that is not there holds none. A broken one is left out and told in `broken`; without that it is
/// thrown.
std::vector<Walkthrough> load_walkthroughs(const std::filesystem::path& folder, std::vector<content::LeftOut>* broken = nullptr);

}  // namespace p2plab::gui
