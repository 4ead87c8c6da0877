// demo.toml: what a demo is, its knobs, and what each variant promises to show. A teacher can edit it.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/analysis/finding.h"
#include "app/check/conditions.h"
#include "app/check/demo_results.h"
#include "app/check/expectations.h"
#include "app/content/left_out.h"

namespace p2plab::check {

struct Knob {
  enum class Type { choice, integer, bytes, file };
  std::string id;
  Type type = Type::integer;
  std::string unit;                  ///< "us", "ms", "bytes" or empty
  std::string default_value;
  std::vector<std::string> choices;  ///< of a choice
  std::int64_t minimum = 0, maximum = 0;
  bool is_rank = false;              ///< must be one of the run's ranks
  bool holds_edges = false;          ///< a file of lines FROM TO BYTES, between the run's ranks
  std::string at_most;               ///< another knob, whose value this one may not exceed; empty if none
  std::string off;                   ///< the value that means none; empty if every value means something
  std::string part_of;               ///< another knob; where that one is off, this one means nothing; empty if none
  Conditions when;                   ///< what a run must have for this knob to mean anything; empty: any
  content::Twin title, help;
};

/// One promise; the first whose conditions all hold is the one that counts.
struct Promise {
  Conditions when;
  analysis::Verdict verdict = analysis::Verdict::pass;
  content::Twin says;                           ///< one sentence on what is seen and why; {metric} is that metric's value
  std::string only_if_zero{};                   ///< a metric that must be 0 as well; empty if none
};

/// What the demo cannot be run with; said before anything is started.
struct Refusal {
  Conditions when;
  std::string text;         ///< id of the sentence, with {demo} and {ranks}; of a bound {knob}, {value} and {limit} as well
  std::string knob, above;  ///< a knob, and the formula of `ranks` and other knobs that it may not exceed; empty: `when` is all
};

struct DemoManifest {
  std::string id;
  content::Twin title, claim;            ///< the claim the run supports or refutes
  int ranks = 2, min_ranks = 1, max_ranks = 64;
  int sim_max_ranks = 64;                ///< on a virtual clock ranks do not compete for cores, so that it may be more there
  std::vector<std::string> backends, semantics;
  std::vector<Knob> knobs;
  std::vector<Promise> promises;
  std::vector<Expectation> expectations;
  std::vector<Refusal> refusals;
  std::string source;                ///< file shown in the code pane, relative to the demo's folder
  std::string shares;                ///< another demo whose sources, but for main.cpp, are part of the program; empty if none
  std::map<std::string, std::string> regions;  ///< variant -> name of the "// [name]" region of the source
  std::map<std::string, std::string> fixes;    ///< broken variant -> the variant it is compared with
  std::vector<std::string> metrics;
  std::string sim_link;              ///< the link of a run on the virtual clock that names none: a raw one takes no time there
  DemoResults results;
  std::filesystem::path folder;
  const Knob* knob(std::string_view id) const;
  int most_ranks(std::string_view backend) const { return backend == "sim" ? sim_max_ranks : max_ranks; }
};

/// Throws Error "manifest.broken" naming file, line and what is wrong.
DemoManifest load_demo(const std::filesystem::path& folder);
/// All demos, those of the design card first (deadlock, corruption, pipeline). A broken one is left out and told in `broken`;
/// without that it is thrown.
std::vector<DemoManifest> load_demos(const std::filesystem::path& demos, std::vector<content::LeftOut>* broken = nullptr);

}  // namespace p2plab::check
