// See claim_run.h.
#include "app/check/claim_run.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/check/gpu_info.h"
#include "app/content/live_block.h"
#include "app/trace/error.h"

namespace p2plab::check {

namespace {

using content::ClaimOutcome;
using content::Experiment;
using nlohmann::ordered_json;

constexpr std::chrono::minutes kLongest{5};  ///< of one command; the demos' own limit is a minute

/// "key", "key[a=1,b=x]" or an index, one level down; nullptr when it is not there.
const ordered_json* step_into(const ordered_json& at, const std::string& segment) {
  const auto bracket = segment.find('[');
  const std::string key = segment.substr(0, bracket);
  const ordered_json* found = nullptr;
  if (at.is_array() && !key.empty() && key.find_first_not_of("0123456789") == std::string::npos && std::stoul(key) < at.size()) found = &at[std::stoul(key)];
  if (at.is_object() && at.contains(key)) found = &at[key];
  if (found == nullptr || bracket == std::string::npos) return found;
  if (!found->is_array() || segment.back() != ']') return nullptr;
  for (const ordered_json& row : *found) {
    std::istringstream wanted(segment.substr(bracket + 1, segment.size() - bracket - 2));
    bool fits = row.is_object();
    for (std::string each; fits && std::getline(wanted, each, ',');) {
      const auto equals = each.find('=');
      const std::string column = each.substr(0, equals), value = equals == std::string::npos ? "" : each.substr(equals + 1);
      fits = row.contains(column) && (row[column].is_string() ? row[column].get<std::string>() : row[column].dump()) == value;
    }
    if (fits) return &row;
  }
  return nullptr;
}

/// A whole number without a point, else three significant digits or more.
std::string plain_number(double value) { return std::fabs(value) >= 100 || value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value); }

/// Three digits that tell it from 1 where it is near: "13.9", "1.56", "1.005", "1.00".
std::string times_of(double value) {
  const double from_one = std::fabs(value - 1);
  if (value >= 10) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, from_one >= 0.0005 && from_one < 0.05 ? 3 : 2);
}

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) out = line;
  return out;
}

std::string whole_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

ClaimOutcome opposite(ClaimOutcome outcome) {
  if (outcome == ClaimOutcome::confirmed) return ClaimOutcome::refuted;
  return outcome == ClaimOutcome::refuted ? ClaimOutcome::confirmed : outcome;
}

/// The number of an experiment, from the JSON of its runs.
ordered_json number_of(const content::ClaimNumber& experiment, const std::vector<ordered_json>& runs) {
  ordered_json first = value_in(runs.front(), experiment.metric);
  const std::string& other = experiment.over.empty() ? experiment.minus : experiment.over;
  if (other.empty()) return first;
  const ordered_json second = value_in(runs.back(), other);
  if (!first.is_number() || !second.is_number()) return nullptr;
  const double a = first.get<double>(), b = second.get<double>();
  if (!experiment.minus.empty()) return a - b;
  return b == 0 ? ordered_json(nullptr) : ordered_json(a / b);
}

}  // namespace

ordered_json value_in(const ordered_json& json, std::string_view path) {
  const ordered_json* at = &json;
  while (at != nullptr && !path.empty()) {
    const auto bracket = path.find('['), end = path.find('.', bracket < path.find('.') ? path.find(']') : 0);  // a row may be named by 0.5
    at = step_into(*at, std::string(path.substr(0, end)));
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
  }
  return at == nullptr ? ordered_json(nullptr) : *at;
}

ClaimRunner::ClaimRunner(const launch::Installation& installation, content::Language language) : installation_(installation), language_(language) {
  std::string name = (std::filesystem::temp_directory_path() / "p2plab-claim-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw Error("job.cannot_create", {{"path", name}, {"why", std::strerror(errno)}}, 3);
  folder_ = name;
}

ClaimRunner::~ClaimRunner() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

ClaimResult ClaimRunner::run(const content::Claim& claim, const ClaimRequest& request) {
  ClaimRun run(*this, claim, request);
  while (run.poll()) {
    if (request.stop && request.stop()) run.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return run.result();
}

ClaimRun::ClaimRun(ClaimRunner& runner, const content::Claim& claim, ClaimRequest request) : runner_(runner), request_(std::move(request)) {
  if (request_.backend != "sim" && request_.backend != "host") {
    require_backend(runner_.installation_, request_.backend, 2, 2);
    throw Error("claim.bad_backend", {{"value", request_.backend}});
  }
  if (request_.counter && !claim.counter) throw Error("claim.no_counter", {{"claim", claim.id}});
  result_.claim = &claim;
  result_.counter = request_.counter;
  result_.asked = request_.backend;
  result_.wanted = result_.other_sentence() ? ClaimOutcome::confirmed : request_.counter ? opposite(claim.declared()) : claim.declared();
  const auto& experiment = result_.experiment();
  if (!experiment) {
    result_.outcome = claim.declared();
    if (!claim.awaits.empty()) result_.why = {"claim.awaits", {{"what", claim.awaits}}};
    over_ = true;
    return;
  }
  experiment_ = &*experiment;
  for (std::vector<std::string> words : experiment->runs) {
    if (words.front() == "run") {
      if (!std::filesystem::exists(runner_.installation_.demos() / words[1] / "demo.toml")) {
        result_.why = {"claim.no_demo", {{"demo", words[1]}}};
        over_ = true;
        return;
      }
      result_.backend = claim.host ? request_.backend : "sim";
      words.insert(words.end(), {"--backend", result_.backend, "--seed", std::to_string(request_.seed)});
    }
    words_.push_back(std::move(words));
  }
}

void ClaimRun::start(const std::vector<std::string>& words) {
  const auto file = [&](const char* ending) { return runner_.folder_ / (std::to_string(runner_.count_) + ending); };
  ++runner_.count_;
  json_ = file(".json");
  picture_ = file(".svg");
  running_ = {};
  launch::JobSpec job;
  job.use_mpiexec = false;
  job.limits.wall = kLongest;
  job.program = {(runner_.installation_.prefix / "bin/p2plab").string()};
  job.program.insert(job.program.end(), words.begin(), words.end());
  job.program.insert(job.program.end(), {"--json", json_.string(), "--lang", runner_.language_ == content::Language::zh ? "zh" : "en"});
  if (request_.pictures) job.program.insert(job.program.end(), {"--svg", picture_.string()});
  if (request_.traces) job.program.insert(job.program.end(), {"--trace", (running_.trace = file(".pftrace")).string()});
  if (!request_.pictures && !request_.traces && words.front() == "sim") job.program.push_back("--summary");
  job_.emplace(runner_.installation_, std::move(job));
}

void ClaimRun::take(const ClaimRunner::Done& done) {
  result_.runs.push_back(done.json);
  if (!done.picture.empty()) result_.pictures.push_back(done.picture);
  if (!done.trace.empty()) result_.traces.push_back(done.trace);
}

bool ClaimRun::poll() {
  if (over_) return false;
  if (job_ && job_->poll()) return true;
  if (job_) {
    const auto& words = words_[done()];
    std::ifstream in(json_);
    running_.json = ordered_json::parse(in, nullptr, false);
    if (job_->status().exit_status.value_or(3) > 1 || !running_.json.is_object()) {
      over_ = true;
      throw Error("claim.failed", {{"claim", result_.claim->id}, {"command", content::typed_command(words)}, {"why", last_line(job_->output(0, true).text())}}, 3);
    }
    job_.reset();
    if (request_.pictures) running_.picture = whole_file(picture_);
    take(runner_.done_[words] = std::move(running_));
  }
  while (done() < words_.size()) {
    const auto& words = words_[done()];
    result_.commands.push_back(content::typed_command(words));
    const auto before = runner_.done_.find(words);
    if (before == runner_.done_.end() || (request_.pictures && before->second.picture.empty()) || (request_.traces && before->second.trace.empty())) {
      start(words);
      return true;
    }
    take(before->second);
  }
  over_ = true;
  judge();
  return false;
}

void ClaimRun::cancel() {
  if (over_) return;
  if (job_) job_->cancel();
  job_.reset();
  result_.stopped = over_ = true;
}

void ClaimRun::judge() {
  const Experiment& experiment = *experiment_;
  result_.number = number_of(experiment, result_.runs);
  if (result_.number.is_number() && experiment.unit != "word") {
    const double number = result_.number.get<double>();
    result_.shown = claim_number(number, experiment.unit);
    result_.outcome = experiment.predicts.right(number) ? ClaimOutcome::confirmed : ClaimOutcome::refuted;
  } else if (result_.number.is_string() && experiment.unit == "word") {
    if (!is_evidence(result_.runs.front())) throw Error("claim.not_promised", {{"claim", result_.claim->id}, {"command", result_.commands.back()}}, 3);
    result_.shown = result_.number.get<std::string>();
    result_.outcome = experiment.predicts.right(result_.shown) ? ClaimOutcome::confirmed : ClaimOutcome::refuted;
  } else {
    no_number(experiment.metric);
  }
  for (const auto& [name, each] : experiment.also) {
    const ordered_json number = number_of(each, result_.runs);
    if (!number.is_number()) no_number(each.metric);
    result_.also[name] = claim_number(number.get<double>(), each.unit);
  }
}

void ClaimRun::no_number(const std::string& metric) const {
  throw Error("claim.no_number", {{"claim", result_.claim->id}, {"command", result_.commands.back()}, {"metric", metric}}, 3);
}

bool is_evidence(const ordered_json& run) { return run.value("as_promised", true); }

std::string claim_number(double value, const std::string& unit) {
  if (unit == "us" && std::fabs(value) < 1e6) return fmt::format("{:.4g} µs", value / 1e3);
  if (unit == "ms" || unit == "us") return fmt::format("{:.4g} ms", value / 1e6);
  if (unit == "%") return fmt::format("{:.3g} %", value * 100);
  if (unit == "times") return times_of(value) + " ×";
  if (unit == "GB/s") return fmt::format("{:.3g} GB/s", value / 1e9);
  if (unit == "bytes") return fmt::format("{:.0f}", value);
  return plain_number(value);
}

ordered_json to_json(const ClaimResult& result) {
  const content::Claim& claim = *result.claim;
  return {{"id", claim.id},
          {"verdict", to_string(claim.verdict)},
          {"verdict_why", {{"en", claim.why.en}, {"zh", claim.why.zh}}},
          {"counter", result.counter},
          {"sentence", result.other_sentence() ? ordered_json{{"en", claim.counter->says.en}, {"zh", claim.counter->says.zh}} : ordered_json(nullptr)},
          {"outcome", to_string(result.outcome)},
          {"as_declared", result.as_declared()},
          {"number", result.number},
          {"shown", result.shown},
          {"also", result.also},
          {"backend", result.backend.empty() ? ordered_json(nullptr) : ordered_json(result.backend)},
          {"commands", result.commands},
          {"better", {{"en", claim.better.en}, {"zh", claim.better.zh}}},
          {"sources", claim.sources},
          {"why", result.why.id.empty() ? ordered_json(nullptr) : ordered_json(result.why.id)}};
}

}  // namespace p2plab::check
