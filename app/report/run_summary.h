// What a run has shown, for people: the verdict, the promise, the numbers each beside what it must be compared with, and
// the evidence. Window and terminal show the same lines.
#pragma once
#include <string>
#include <vector>

#include "app/check/demo_run.h"
#include "app/content/text.h"

namespace p2plab::report {

/// "Bubble", "0.281", "ideal (p-1)/(m+p-1): 0.273".
struct Number {
  std::string name, value, beside;
};

struct RunSummary {
  enum class Tone { good, bad, unsure };
  Tone tone = Tone::unsure;
  std::string sign;                   ///< ✓ ✗ !
  std::string verdict;                ///< the word
  std::string promised;               ///< whether that is what the demo promised
  std::string says;                   ///< the promise's sentence, or why there is no verdict
  std::vector<Number> numbers;
  std::vector<std::string> evidence;  ///< lines: the cycle, the bytes, the call that was last
  std::vector<std::string> warnings;  ///< losses, the error of the clock
  std::string conditions;             ///< what it ran under; always with the seed
};

RunSummary summarize(const check::DemoManifest& demo, const check::RunRequest& request, const check::RunResult& result,
                     const trace::Trace& trace, const content::Text& text);

/// What a send may leave behind is NCCL's hidden buffer as its knob bounds it, and no eager limit (World::measure_eager_limit).
bool buffer_is_knob(const check::RunRequest& request);

/// The text beside the time that a proof of a deadlock took: the lab wants 100 ms of itself, and a busy machine can take
/// longer; a virtual clock knows no machine.
std::string beside_proof(double detect_ns, std::string_view backend);

}  // namespace p2plab::report
