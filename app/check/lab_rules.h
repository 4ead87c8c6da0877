// The rules that lab.toml may name: each looks at the trace of one case and says what it wanted and what it saw. One file
// per family in lab_rules/; adding a rule is adding an entry to its family's table.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/finding.h"
#include "app/analysis/overlap.h"
#include "app/check/lab_manifest.h"
#include "app/trace/trace.h"

namespace p2plab::check {

/// How one run of the program was started.
struct LabCase {
  std::string run;                    ///< id of the [[run]]
  int ranks = 2;
  std::optional<std::int64_t> bytes;  ///< n
  bool strict = false;
  bool access = false;
  bool step = false;                  ///< ranks are held before each communication call
  int delay = 0;                      ///< number of the delay pattern; 0: none
  std::uint64_t seed = 1;
};

/// What a rule may look at.
struct LabEvidence {
  const LabCase& how;
  const trace::Trace& trace;
  LabValues values;                           ///< p, n, knobs and the lab's own
  const trace::Trace* reference = nullptr;    ///< of the serial program; null if the lab has none
};

struct RuleOutcome {
  bool pass = true;
  TextRef what;                               ///< what was expected and what was seen, in one sentence
  nlohmann::ordered_json wanted = nlohmann::ordered_json::object(), seen = nlohmann::ordered_json::object();
  std::vector<analysis::Finding> findings;
  std::vector<trace::SpanId> spans;           ///< that show it, for the smallest timeline
};

using RuleWith = std::map<std::string, std::string>;

struct RuleParameter {
  enum class Type { word, formula };
  std::string_view name;
  Type type = Type::word;
  bool required = false;
};

struct LabRule {
  std::string_view name;
  std::vector<RuleParameter> parameters;
  bool compares = false;                      ///< takes exactly, at_least, at_most (formulas; one at least) and tolerance
  RuleOutcome (*judge)(const LabEvidence& evidence, const RuleWith& with) = nullptr;
};

/// All rules; families in the order of lab_rules/.
std::span<const LabRule> lab_rules();
const LabRule* find_lab_rule(std::string_view name);
std::vector<std::string> lab_rule_names();
/// What is wrong with the parameters, in a few words; empty if nothing is.
std::string wrong_parameters(const LabRule& rule, const RuleWith& with);
bool is_formula(const LabRule& rule, std::string_view parameter);

// For the rules themselves.

/// A parameter's word, or `fallback`.
std::string word_of(const RuleWith& with, const std::string& name, const std::string& fallback = {});
/// "a b c".
std::vector<std::string> words_of(const RuleWith& with, const std::string& name);
/// Two ranks, "0 1". Throws std::invalid_argument.
std::pair<int, int> pair_of(const RuleWith& with, const std::string& name);

/// The bounds exactly, at_least, at_most of a rule, evaluated for a case (and for one rank).
class Bounds {
 public:
  Bounds(const RuleWith& with, LabValues values);
  Bounds(const RuleWith& with, LabValues values, int rank);
  bool hold(double seen) const;
  /// "20", "≤ 4", in units of `unit`.
  std::string text(double unit = 1) const;
  nlohmann::ordered_json json() const;

 private:
  std::optional<double> exactly_, least_, most_;
  double tolerance_ = 0;  ///< share of the wanted value
};

/// A number as people read it: whole ones without a point.
std::string plain(double value);
constexpr double kNsPerMs = 1e6;
/// Outcome "id" {wanted, seen, …} where `seen` breaks the bounds; its sentence counts in units of `unit`.
RuleOutcome broken(const std::string& id, const Bounds& bounds, double seen, Params more = {}, double unit = 1);

/// Calls on the lanes of a rank, without what is in flight, in the order of their beginning.
std::vector<trace::SpanId> calls_of(const trace::Trace& trace, int rank);

std::span<const LabRule> message_rules();
std::span<const LabRule> sending_rules();
std::span<const LabRule> call_rules();
std::span<const LabRule> request_rules();
std::span<const LabRule> overlap_rules();
std::span<const LabRule> pipeline_rules();
std::span<const LabRule> value_rules();

}  // namespace p2plab::check
