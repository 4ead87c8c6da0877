// Races between messages: what else a wildcard could have matched, and whether it matters.
#pragma once
#include <optional>
#include <set>

#include "app/check/verify_judge.h"

namespace p2plab::check {

/// Each wildcard receive or probe of the run with each other source that had sent by then, behind the choices `forced`. `beyond`
/// counts those that lie behind more choices than a run can be given.
std::vector<std::vector<trace::ForcedMatch>> alternatives(const trace::Trace& trace, const std::vector<trace::ForcedMatch>& forced,
                                                          std::size_t* beyond = nullptr);

/// False when a forced wildcard never got its message: then no run of the program does that, and this one says nothing.
bool is_possible(const VerifyEvidence& evidence, const std::vector<trace::ForcedMatch>& forced);

/// Wildcards, by rank and number, whose status the program has read.
struct ToldApart {
  std::set<std::pair<int, int>> source;  ///< it knows whose message it has
  std::set<std::pair<int, int>> tag;     ///< it can tell messages of different tags apart
};

/// What differs between two runs of a program though nothing was chosen otherwise: a time that is printed, a random number.
struct Noise {
  bool in_numbers = false;  ///< the printed lines agree but for their numbers
  bool in_words = false;    ///< they do not agree at all
  bool in_messages = false; ///< other contents were sent
};
Noise noise_between(const VerifyEvidence& first, const VerifyEvidence& again);

/// All that the wildcards of a run took, as choices for another one.
std::vector<trace::ForcedMatch> choices_of(const trace::Trace& trace);

/// "message-race" if `bad`, which ended by its own status or a signal, is the run `good` but for the order in which a wait for any,
/// or a test, found requests complete.
std::optional<analysis::Finding> other_completion(const VerifyEvidence& good, const VerifyEvidence& bad, const RunJudgement& bad_judgement);
/// True if neither run found its requests complete in another order than the other, as far as both went.
bool completed_alike(const VerifyEvidence& first, const VerifyEvidence& second);

/// "message-race" if the two runs of the same program come to different ends; *possible* if the program knew what it took, so
/// that the difference may be meant, or if only what it keeps to itself differs.
std::optional<analysis::Finding> compare_outcomes(const VerifyEvidence& first, const RunJudgement& first_judgement, const VerifyEvidence& second,
                                                  const RunJudgement& second_judgement, const std::vector<trace::ForcedMatch>& forced, const ToldApart& told_apart,
                                                  const std::optional<Noise>& noise = {});

}  // namespace p2plab::check
