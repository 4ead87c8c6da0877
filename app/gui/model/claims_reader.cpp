// See claims_reader.h.
#include "app/gui/model/claims_reader.h"

#include <algorithm>
#include <cctype>

#include "app/trace/perfetto.h"

namespace p2plab::gui {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool speaks_of(const content::Claim& claim, const std::string& query) {
  for (const std::string* each : {&claim.id, &claim.claim.en, &claim.claim.zh, &claim.better.en, &claim.better.zh})
    if (lower(*each).find(query) != std::string::npos) return true;
  return false;
}

}  // namespace

const content::Claims* ClaimsReader::claims() {
  if (!claims_ && !error_) {
    try {
      claims_.emplace(installation_.assets() / "claims", &left_out_);
      sources_ = content::load_sources(installation_.assets() / "sources.toml");
    } catch (const Error& error) {
      error_ = error.text();
      claims_.reset();
    }
  }
  return claims_ ? &*claims_ : nullptr;
}

std::vector<const content::Claim*> ClaimsReader::listed() {
  std::vector<const content::Claim*> out;
  if (!claims()) return out;
  const std::string wanted = lower(query);
  for (const auto& each : claims_->topics()) {
    if (topic > 0 && each.id != claims_->topics()[topic - 1].id) continue;
    for (const content::Claim& claim : claims_->all())
      if (claim.topic == each.id && (!verdict || claim.verdict == *verdict) && speaks_of(claim, wanted)) out.push_back(&claim);
  }
  return out;
}

void ClaimsReader::next_topic() {
  if (claims()) topic = (topic + 1) % (claims_->topics().size() + 1);
}

void ClaimsReader::next_verdict() {
  using Verdict = content::ClaimVerdict;
  if (!verdict) verdict = Verdict::holds;
  else if (*verdict == Verdict::wrong) verdict.reset();
  else verdict = static_cast<Verdict>(static_cast<int>(*verdict) + 1);
}

void ClaimsReader::open(const std::string& id) {
  if (!claims()) return;
  error_.reset();
  try {
    claim_ = &claims_->at(id);
    ++generation_;
  } catch (const Error& error) {
    error_ = error.text();
  }
}

const content::Claim* ClaimsReader::neighbour(int by) {
  const auto all = listed();
  const auto here = std::find(all.begin(), all.end(), claim_);
  if (here == all.end()) return nullptr;
  const auto at = here - all.begin() + by;
  return at >= 0 && at < static_cast<std::ptrdiff_t>(all.size()) ? all[static_cast<std::size_t>(at)] : nullptr;
}

const ClaimState* ClaimsReader::state(const content::Claim& claim, bool counter) const {
  const auto found = states_.find({claim.id, counter});
  return found == states_.end() ? nullptr : &found->second;
}

/// Numbers are small and stay; traces are not.
void ClaimsReader::forget_pictures() {
  for (auto& [key, state] : states_) {
    if (key.first == claim_->id) continue;
    state.shown.clear();
    state.runner.reset();
  }
}

void ClaimsReader::run(bool counter, const std::string& backend, content::Language language) {
  if (!claim_) return;
  stop();
  forget_pictures();
  ++generation_;
  of_ = {claim_->id, counter};
  ClaimState& state = states_[of_] = ClaimState();
  check::ClaimRequest request;
  request.backend = backend;
  request.counter = counter;
  request.traces = true;
  try {
    state.runner = std::make_unique<check::ClaimRunner>(installation_, language);
    run_ = std::make_unique<check::ClaimRun>(*state.runner, *claim_, request);
    state.state = ClaimState::State::running;
  } catch (const Error& error) {
    state.state = ClaimState::State::failed;
    state.error = error.text();
  }
}

void ClaimsReader::stop() {
  if (!run_) return;
  run_->cancel();
  run_.reset();
  states_.erase(of_);
}

bool ClaimsReader::poll() {
  if (!run_) return false;
  ClaimState& state = states_[of_];
  const std::size_t before = run_->done();
  try {
    if (run_->poll()) return run_->done() != before;
    take(state);
  } catch (const Error& error) {
    state.state = ClaimState::State::failed;
    state.error = error.text();
  }
  run_.reset();
  ++generation_;
  return true;
}

void ClaimsReader::take(ClaimState& state) {
  state.result = run_->result();
  state.state = ClaimState::State::done;
  const auto& experiment = state.result.counter ? state.result.claim->counter : state.result.claim->experiment;
  for (std::size_t i = 0; i < state.result.runs.size(); ++i) {
    ClaimState::Shown shown;
    shown.command = state.result.commands[i];
    const auto& words = experiment->runs[i];
    if (words.front() == "run") shown.demo = words[1];
    if (state.result.runs[i].contains("metrics")) shown.metrics = state.result.runs[i]["metrics"];
    shown.trace_file = state.result.traces[i];
    try {
      shown.trace = std::make_unique<trace::Trace>(trace::open_perfetto(shown.trace_file));
    } catch (const Error&) {
      shown.trace.reset();  // the number is there all the same
    }
    state.shown.push_back(std::move(shown));
  }
}

std::string ClaimsReader::characters() {
  std::string out = query;
  const auto add = [&out](const content::Twin& text) { out += text.en + text.zh; };
  if (!claims()) return out;
  for (const auto& each : claims_->topics()) add(each.title);
  for (const content::Claim& claim : claims_->all()) {
    for (const auto* text : {&claim.claim, &claim.why, &claim.better}) add(*text);
    for (const auto* experiment : {&claim.experiment, &claim.counter})
      if (*experiment) {
        add((*experiment)->shows);
        out += (*experiment)->unit;
      }
  }
  for (const auto& source : sources_) {
    out += source.title;
    for (const auto& [section, status] : source.sections) out += section;
  }
  return out;
}

}  // namespace p2plab::gui
