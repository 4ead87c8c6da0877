// Claims about point-to-point communication: what is said, whether it holds, the experiment that shows it, and the better
// sentence. Read from assets/claims/*.toml, one file a topic, which a teacher can edit.
#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/left_out.h"
#include "app/content/twin.h"

namespace p2plab::content {

enum class ClaimVerdict { holds, holds_when, misleading, wrong };
/// "holds", "holds-when", "misleading", "false": the word of the files and part of the text ids.
std::string_view to_string(ClaimVerdict verdict);
/// All of them, the kindest first.
inline constexpr std::array kClaimVerdicts{ClaimVerdict::holds, ClaimVerdict::holds_when, ClaimVerdict::misleading, ClaimVerdict::wrong};

/// What came of an experiment. `documented`: no run can show it, the source decides. `not_shown_here`: a part is missing here.
enum class ClaimOutcome { confirmed, refuted, documented, not_shown_here };
/// "confirmed", "refuted", "documented", "not-shown-here".
std::string_view to_string(ClaimOutcome outcome);

/// What the claim says of a number, in the number's own unit: "< 1", "= 0.2727", "!= deadlock".
struct ClaimPrediction {
  std::string relation;    ///< "<", "<=", ">", ">=", "=", "!="
  std::string word;        ///< of a verdict or other word; empty for numbers
  double value = 0;
  double tolerance = 0.01; ///< of "=" and "!=": relative, and absolute where the value is 0
  /// Whether the claim is right about this number. Of a word only = and != can be.
  bool right(double number) const;
  bool right(std::string_view said) const;
};

/// A number that runs give.
struct ClaimNumber {
  std::string metric;       ///< path in the JSON of the first run: "metrics.bubble_ratio", "metrics.table[bytes=1024].time_ns"
  std::string over, minus;  ///< path in the last run's JSON that the number is divided by, or lessened by; one at most
  std::string unit;         ///< "ms", "us", "%", "times", "bytes", "GB/s", "count", "word"
};

/// One setting of an experiment, and the number to look at.
struct Experiment : ClaimNumber {
  std::vector<std::vector<std::string>> runs;  ///< one or two: the words after `p2plab`, of `run` or `sim`
  std::map<std::string, ClaimNumber> also;     ///< further numbers that `shows` quotes, by name
  ClaimPrediction predicts;
  Twin says;                                   ///< of a counter-setting: the other sentence that its number decides; empty: the claim itself
  Twin shows;                                  ///< one sentence on what is seen, with {number} and the names of `also`
};

struct Claim {
  std::string id, topic;
  std::vector<int> sentences;   ///< of the answer card, as assets/claims/README.md counts them
  std::vector<int> sections;    ///< of the answer card, 1…6
  std::string who;              ///< "card", "misconception" (often heard) or "circulating" (in print)
  Twin claim;                   ///< in the speaker's words
  ClaimVerdict verdict = ClaimVerdict::wrong;
  Twin why, better;             ///< why it is so; what a candidate should say instead
  std::vector<std::string> sources;  ///< "source:ID/SECTION" of assets/sources.toml
  std::string awaits;           ///< what will show it and is not there yet: "demo moe"; then there is no experiment
  bool host = false;            ///< its experiment comes out the same on real MPI on a busy machine
  /// counter: the claim's own number at a setting where it falls on the other side; or, with `says`, another sentence that a
  /// number of its own confirms.
  std::optional<Experiment> experiment, counter;

  /// What the verdict says will come of the experiment: confirmed for what holds, refuted otherwise; without one
  /// documented, or not shown here when it awaits one.
  ClaimOutcome declared() const;
};

struct ClaimTopic {
  std::string id;
  Twin title;
};

class Claims {
 public:
  /// Reads DIR/*.toml. Throws Error "manifest.broken" (file, line, what) for a claim that lacks a language or a field, whose
  /// languages differ in lines, numbers or blanks, that has an experiment without a counter-setting, or neither experiment nor source;
  /// and for a counter-setting that tests something else than the claim's sentence without saying what.
  /// With `broken` such a claim, or a file that cannot be read at all, is left out and told there.
  explicit Claims(const std::filesystem::path& dir, std::vector<LeftOut>* broken = nullptr);

  const std::vector<Claim>& all() const { return claims_; }
  const std::vector<ClaimTopic>& topics() const { return topics_; }
  /// Throws Error "claim.unknown" with what was probably meant.
  const Claim& at(std::string_view id) const;

 private:
  std::vector<Claim> claims_;
  std::vector<ClaimTopic> topics_;
};

}  // namespace p2plab::content
