// See lab_diary.h.
#include "app/check/lab_diary.h"

#include <algorithm>

namespace p2plab::check {

LabState LabDiary::state(const std::string& lab) const {
  LabState state;
  for (const auto& record : progress_.records("lab")) {
    if (record.value("lab", "") != lab) continue;
    const std::string event = record.value("event", "");
    if (event == "start") state.folder = record.value("folder", "");
    if (event == "solution") state.solution = true;
    if (event == "hint") state.hints = std::max(state.hints, record.value("rung", 0));
    if (event != "check") continue;
    ++state.checks;
    state.passed = state.passed || record.value("verdict", "") == "pass";
    state.best = std::max(state.best, record.value("score", 0.0));
  }
  return state;
}

bool LabDiary::owns(const std::string& lab, const std::filesystem::path& work) const {
  std::error_code none;
  const auto here = std::filesystem::weakly_canonical(work, none);
  for (const auto& record : progress_.records("lab")) {
    if (record.value("lab", "") != lab || record.value("event", "") != "start") continue;
    const auto inside = here.lexically_relative(std::filesystem::weakly_canonical(record.value("folder", ""), none));
    if (!inside.empty() && *inside.begin() != "..") return true;
  }
  return false;
}

void LabDiary::note(const std::string& lab, const char* event, nlohmann::ordered_json more) {
  nlohmann::ordered_json record{{"kind", "lab"}, {"lab", lab}, {"event", event}};
  for (auto& [name, value] : more.items()) record[name] = std::move(value);
  progress_.append(std::move(record));
}

void LabDiary::started(const std::string& lab, const std::filesystem::path& folder) { note(lab, "start", {{"folder", std::filesystem::absolute(folder).lexically_normal().string()}}); }
void LabDiary::hinted(const std::string& lab, int rung) { note(lab, "hint", {{"rung", rung}}); }
void LabDiary::solved(const std::string& lab) { note(lab, "solution", nlohmann::ordered_json::object()); }

void LabDiary::checked(const std::string& lab, const LabResult& result, std::uint64_t seed) {
  if (result.cancelled || result.no_work || result.verdict == analysis::Verdict::infra_error) return;
  const LabOutcome* failure = result.first_failure();
  note(lab, "check", {{"verdict", std::string(to_string(result.verdict))}, {"score", result.score}, {"seed", seed}, {"failed", failure == nullptr ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(failure->id)}});
}

}  // namespace p2plab::check
