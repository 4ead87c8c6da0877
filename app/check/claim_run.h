// Runs the experiment of a claim, with the same program as `p2plab run` and `p2plab sim`, and says what came of it.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/content/claim.h"
#include "app/content/text.h"
#include "app/launch/installation.h"

namespace p2plab::check {

struct ClaimRequest {
  std::string backend = "sim";      ///< of demos: "host" for the claims that allow it, the others stay on sim
  std::uint64_t seed = 1;
  bool counter = false;             ///< the counter-setting instead of the claim's own
  bool pictures = false;            ///< keep a picture of each run
  std::function<bool()> stop;       ///< asked now and then; true ends it. May be empty
};

struct ClaimResult {
  const content::Claim* claim = nullptr;
  bool counter = false;
  content::ClaimOutcome outcome = content::ClaimOutcome::not_shown_here;
  content::ClaimOutcome wanted = content::ClaimOutcome::not_shown_here;  ///< by the declared verdict; the opposite of it for a counter-setting
  nlohmann::ordered_json number;    ///< as in the JSON of the runs (ns, bytes, ratios), or a word; null where there is none
  std::string shown;                ///< the same as people read it: "1.94 ×", "27.3 %", "deadlock"
  std::string backend;              ///< "sim" or "host"; empty where only `sim` of a schedule ran
  std::vector<std::string> commands;  ///< as typed
  std::vector<std::string> pictures;  ///< SVG
  TextRef why;                      ///< why it is not shown here; id empty otherwise
  bool stopped = false;             ///< before it was done
  /// It came out as declared; what is not shown here is neither.
  bool as_declared() const { return outcome == wanted || outcome == content::ClaimOutcome::not_shown_here; }
};

class ClaimRunner {
 public:
  ClaimRunner(const launch::Installation& installation, content::Language language);
  ~ClaimRunner();
  ClaimRunner(const ClaimRunner&) = delete;
  ClaimRunner& operator=(const ClaimRunner&) = delete;

  /// Throws Error "claim.no_counter", "claim.bad_backend", "claim.failed" (status 3: the run ended without a number), and what
  /// launch::Job throws. A command that was run before is not run again.
  ClaimResult run(const content::Claim& claim, const ClaimRequest& request);

 private:
  struct Done {
    nlohmann::ordered_json json;
    std::string picture;
    bool stopped = false;
  };
  const Done& done(const content::Claim& claim, const std::vector<std::string>& words, const ClaimRequest& request);
  launch::Installation installation_;
  content::Language language_;
  std::filesystem::path folder_;
  std::map<std::vector<std::string>, Done> done_;
  int count_ = 0;
};

/// The value at a path of keys, indices and rows: "metrics.peak_in_flight.0", "metrics.table[bytes=1024,algorithm=send].time_ns";
/// null when there is none.
nlohmann::ordered_json value_in(const nlohmann::ordered_json& json, std::string_view path);

/// The object of one result in the JSON of `p2plab claim run`.
nlohmann::ordered_json to_json(const ClaimResult& result);

}  // namespace p2plab::check
