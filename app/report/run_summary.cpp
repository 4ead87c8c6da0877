// See run_summary.h.
#include "app/report/run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/analysis/pipeline.h"
#include "app/check/judge.h"
#include "app/check/pipeline_ideal.h"
#include "app/report/conditions.h"
#include "app/report/finding_text.h"
#include "app/report/quantity.h"
#include "app/report/result_charts.h"
#include "app/report/run_sentence.h"
#include "app/report/words.h"

namespace p2plab::report {

namespace {

using analysis::Verdict;
using nlohmann::ordered_json;

/// A metric's number: itself, or its median with the spread of --repeat.
struct Reading {
  bool known = false;
  double value = 0;
  double low = 0, high = 0;
  int runs = 1;
};

Reading read(const ordered_json& metric) {
  Reading out;
  const bool spread = metric.is_object() && metric.contains("median");
  const ordered_json& middle = spread ? metric["median"] : metric;
  if (!middle.is_number()) return out;
  out.known = true;
  out.value = out.low = out.high = middle.get<double>();
  if (!spread) return out;
  out.low = metric["min"].get<double>();
  out.high = metric["max"].get<double>();
  out.runs = metric["n"].get<int>();
  return out;
}

struct Writer {
  const check::DemoManifest& demo;
  const check::RunRequest& request;
  const check::RunResult& result;
  const trace::Trace& trace;
  const content::Text& text;
  RunSummary& out;

  Reading metric(const std::string& name) const {
    return result.metrics.is_object() && result.metrics.contains(name) ? read(result.metrics[name]) : Reading{};
  }
  std::string word(const std::string& id, const Params& params = {}) const { return text("summary." + id, params); }
  std::int64_t knob(const std::string& id) const {
    const auto found = request.knobs.find(id);
    return found == request.knobs.end() ? 0 : check::parse_amount(found->second).value_or(0);
  }

  template <class Format>
  std::string shown(const Reading& reading, Format format) const {
    std::string value = format(reading.value);
    if (reading.runs > 1) {
      value = word("spread", {{"median", value}, {"low", format(reading.low)}, {"high", format(reading.high)},
                              {"n", std::to_string(reading.runs)}});
    }
    return value;
  }
  static std::string ratio(double value) { return fmt::format("{:.3f}", value); }
  static std::string percent(double value) { return fmt::format("{:.1f} %", value * 100); }
  static std::string time(double ns) { return duration(static_cast<trace::Ns>(ns)); }
  static std::string size(double count) { return bytes(static_cast<std::uint64_t>(count)); }
  static std::string count(double value) { return fmt::format("{:.0f}", value); }

  template <class Format>
  void number(const std::string& metric_name, const std::string& id, Format format, const std::string& beside) const {
    const Reading reading = metric(metric_name);
    if (reading.known) out.numbers.push_back({word(id), shown(reading, format), beside});
  }

  void verdict() const {
    out.verdict = text(check::verdict_id(result));
    const bool none = result.verdict == Verdict::not_run || result.verdict == Verdict::infra_error;
    const bool doubtful = none || result.verdict == Verdict::unsafe || result.verdict == Verdict::unstable;
    out.tone = result.verdict == Verdict::pass ? RunSummary::Tone::good : doubtful ? RunSummary::Tone::unsure : RunSummary::Tone::bad;
    out.sign = result.verdict == Verdict::pass ? "✓" : none ? "?" : doubtful ? "!" : "✗";
    if (result.not_shown) {
      out.promised = word("not_shown");
      out.tone = RunSummary::Tone::unsure;
      out.sign = "!";
    } else if (result.as_promised) {
      out.promised = word("as_promised");
    } else if (result.promised) {
      out.promised = word("not_as_promised", {{"verdict", text(check::verdict_id(result, *result.promised))}});
    } else {
      out.promised = word("nothing_promised");
    }
    if (!result.why.id.empty()) {
      out.says = text(result.why);
    } else {
      out.says = run_sentence(demo, result, text);
    }
  }

  void eager() const {
    const Reading limit = metric("eager_limit_bytes");
    if (!limit.known || request.backend == "nccl") return;  // NCCL has no such limit
    const auto message = static_cast<double>(knob("bytes"));
    const std::string what = buffer_is_knob(request) ? "buffer" : "eager";
    const std::string id = (request.strict ? "strict_" : message > limit.value ? "above_" : "within_") + what;
    const char* origin = request.backend == "sim" ? "eager_set" : "eager_measured";  // the virtual machine has what it was given
    out.numbers.push_back({word("message"), size(message), word(id, {{"limit", size(limit.value)}, {"origin", word(origin)}})});
  }

  void pipeline() const {
    const int p = request.ranks;
    const auto m = static_cast<int>(check::pipeline_units(request).microbatches);
    const Reading ideal = metric("bubble_ideal_ratio");
    const std::string name = check::pipeline_schedule(request);
    const bool flush = name == "gpipe" || name == "1f1b" || name == "eager-1f1b";  // (p-1)/(m+p-1)
    number("bubble_ratio", "bubble", ratio, word(flush ? "bubble_beside" : "bubble_beside_other", {{"ideal", ratio(ideal.value)}}));
    if (name != "naive") {
      number("bubble_over_ideal", "over_ideal", ratio,
             word(flush ? "over_ideal_beside" : "bubble_beside_other", {{"ideal", ratio(ideal.value / (1 - ideal.value))}}));
    }
    number("step_ns", "step", time, ideal.known ? step_ideal(m, ideal.value) : std::string());
    number("overlap", "overlap", percent, word("overlap_beside", {{"exposed", exposed()}}));
    in_flight(p, m);
    number("grad_error", "gradient", [](double v) { return fmt::format("{:.2g}", v); }, word("gradient_beside"));
    number("gain_over_blocking", "gain", [](double v) { return fmt::format("{:.3f} ×", v); }, word("gain_beside"));
  }
  std::string exposed() const {
    const Reading reading = metric("exposed_ns");
    return reading.known ? time(reading.value) : "–";
  }
  /// The step without communication: m(F+B) of work a rank, and the schedule's own share of idle time.
  std::string step_ideal(int m, double ideal_bubble) const {
    if (demo.knob("forward_us") == nullptr || demo.knob("backward_us") == nullptr || request.compute != "paced") return {};
    const check::PipelineUnits units = check::pipeline_units(request);
    const double unit = (units.forward_us + units.backward_us) * 1000;
    return word("step_beside", {{"ideal", time(unit * m / (1 - ideal_bubble))}});
  }
  void in_flight(int p, int m) const {
    if (!result.metrics.contains("peak_in_flight")) return;
    const ordered_json& metric = result.metrics["peak_in_flight"];
    const ordered_json& peaks = metric.is_object() && metric.contains("median") ? metric["median"] : metric;
    if (!peaks.is_array()) return;
    std::vector<std::string> ideal;
    for (int stage = 0; stage < p; ++stage) ideal.push_back(std::to_string(std::min(m, p - stage)));
    out.numbers.push_back({word("in_flight"), peaks.dump(), word("in_flight_beside", {{"ideal", fmt::format("[{}]", fmt::join(ideal, ","))}, {"m", std::to_string(m)}})});
  }

  /// What demo.toml names, with its words; the first is the decisive one.
  void declared() const {
    for (const check::NumberSpec& number : demo.results.numbers) {
      if (!metric(number.metric).known) continue;
      NumberWords words = number_words(number, result.metrics, text);
      out.numbers.push_back({std::move(words.title), std::move(words.value), std::move(words.beside)});
    }
  }

  void numbers() const {
    if (!demo.results.numbers.empty()) return declared();
    eager();
    number("detect_ns", "detect", time, text(beside_proof(metric("detect_ns").value, request.backend)));
    number("corrupt_bytes", "corrupt", count, word("corrupt_beside", {{"bytes", std::to_string(knob("bytes"))}}));
    number("hash_mismatches", "hashes", count, word("hashes_beside"));
    if (metric("bubble_ratio").known) pipeline();
  }

  std::string call(const analysis::Site& site) const {
    std::string out_line = fmt::format("rank {}  {}", site.rank, site.call.empty() ? "–" : shown_name(site.call, text));
    std::vector<std::string> arguments;
    if (site.peer != trace::kNone) arguments.push_back(fmt::format("peer {}", site.peer));
    if (site.tag != trace::kNone) arguments.push_back(fmt::format("tag {}", site.tag));
    if (site.bytes > 0) arguments.push_back(bytes(site.bytes));
    if (!arguments.empty()) out_line += fmt::format("({})", fmt::join(arguments, ", "));
    if (!site.file.empty()) out_line += fmt::format("  {}:{}", site.file, site.line);
    return out_line;
  }

  void finding(const analysis::Finding& found) const {
    const bool cycle = is_cycle(found);
    std::string head = text("kind." + found.kind);
    if (found.certainty == analysis::Certainty::possible) head += " (" + text("certainty.possible") + ")";
    if (found.count > 1) head += fmt::format(" × {}", found.count);
    if (!found.detail.id.empty()) head += colon(text) + text(found.detail);
    out.evidence.push_back(head);
    for (std::size_t i = 0; i < found.sites.size(); ++i) {
      const char* mark = !cycle ? "  " : i == 0 ? "┌▶ " : "│  ";
      out.evidence.push_back("  " + std::string(mark) + call(found.sites[i]));
      if (cycle && i + 1 < found.sites.size()) out.evidence.push_back("  │    ↓ " + word("waits_for"));
    }
    if (cycle) out.evidence.push_back("  └──── ↓ " + word("waits_for_first", {{"rank", std::to_string(found.sites.front().rank)}}));
  }

  /// "af01" as "af 01".
  static std::string spaced(const std::string& hex) {
    std::string line;
    for (std::size_t i = 0; i < hex.size(); i += 2) line += (i == 0 ? "" : " ") + hex.substr(i, 2);
    return line;
  }
  /// What a rank left as evidence: the first bytes that differ, sent over received.
  void difference(const trace::Note& note) const {
    const auto seen = ordered_json::parse(trace.name(note.text), nullptr, false);
    if (!seen.is_object() || !seen.contains("offset") || !seen.contains("sent") || !seen.contains("received")) return;
    if (!seen["sent"].is_string() || !seen["received"].is_string()) return;
    out.evidence.push_back("  " + word("first_difference", {{"offset", seen["offset"].dump()}, {"rank", std::to_string(note.rank)}}));
    out.evidence.push_back("      " + word("sent_hex", {{"bytes", spaced(seen["sent"].get<std::string>())}}));
    out.evidence.push_back("      " + word("received_hex", {{"bytes", spaced(seen["received"].get<std::string>())}}));
  }
  void notes() const {
    for (const trace::Note& note : trace.notes()) {
      const std::string& name = trace.name(note.name);
      if (name == "first_difference") difference(note);
      if (name == "gpu") out.evidence.push_back("GPU: " + trace.name(note.text));
      if (name == "strict") out.evidence.push_back("--strict: " + trace.name(note.text));
      if (name == "error") out.evidence.push_back(fmt::format("rank {}: {}", note.rank, trace.name(note.text)));
    }
  }

  void warnings() const {
    for (const TextRef& warning : result.warnings) out.warnings.push_back(text(warning));
    if (const auto lost = trace.dropped(); lost > 0) out.warnings.push_back(word("dropped", {{"count", std::to_string(lost)}}));
    const bool on_gpu = trace.run.backend == "cuda" || trace.run.backend == "nccl";  // said among the conditions
    if (trace.run.clock_error_ns != 0 && !on_gpu) out.warnings.push_back(word("clock", {{"error", duration(trace.run.clock_error_ns)}}));
  }
};

}  // namespace

bool buffer_is_knob(const check::RunRequest& request) { return request.semantics == "nccl" && request.backend != "nccl"; }

std::string beside_proof(double detect_ns, std::string_view backend) {
  if (backend == "sim") return "summary.detect_virtual";
  return detect_ns <= 100e6 ? "summary.detect_beside" : "summary.detect_late";
}

RunSummary summarize(const check::DemoManifest& demo, const check::RunRequest& request, const check::RunResult& result,
                     const trace::Trace& trace, const content::Text& text) {
  RunSummary out;
  const Writer writer{demo, request, result, trace, text, out};
  writer.verdict();
  writer.numbers();
  for (const analysis::Finding& finding : result.findings) writer.finding(finding);
  writer.notes();
  writer.warnings();
  out.conditions = conditions(trace.run, text, &demo);
  return out;
}

}  // namespace p2plab::report
