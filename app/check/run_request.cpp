// Makes a run request whole, and refuses what is not legal before anything is started.
#include <algorithm>
#include <charconv>
#include <fstream>

#include "app/check/conditions.h"
#include "app/check/demo_run.h"
#include "app/check/lab_formula.h"
#include "app/check/unknown.h"
#include "app/schedule/edge_list.h"
#include "app/trace/control.h"

namespace p2plab::check {

namespace {

using Words = std::vector<std::string>;

void require_known(const std::string& error, const std::string& value, const Words& known, Params more = {}) {
  if (std::find(known.begin(), known.end(), value) == known.end()) throw unknown(error, value, known, std::move(more));
}

/// What exists but not for this demo: the first that does is named instead.
void require_supported(const std::string& error, const std::string& value, const Words& supported, const DemoManifest& demo) {
  if (std::find(supported.begin(), supported.end(), value) != supported.end()) return;
  throw Error(error, {{"value", value}, {"demo", demo.id}, {"known", content::join(supported)}, {"nearest", supported.front()}});
}

std::string legal_value(const DemoManifest& demo, const Knob& knob, const std::string& value) {
  if (knob.type == Knob::Type::choice) {
    require_known("run.bad_choice", value, knob.choices, {{"knob", knob.id}, {"demo", demo.id}});
    return value;
  }
  if (knob.type == Knob::Type::file) {
    if (value.empty()) return value;
    // The ranks run in another directory.
    if (!std::filesystem::is_regular_file(value)) throw Error("run.no_file", {{"knob", knob.id}, {"value", value}});
    return std::filesystem::absolute(value).string();
  }
  const auto amount = parse_amount(value);
  if (!amount) throw Error("run.bad_value", {{"knob", knob.id}, {"value", value}});
  if (*amount < knob.minimum || *amount > knob.maximum) {
    throw Error("run.out_of_range", {{"knob", knob.id},
                                     {"value", value},
                                     {"minimum", std::to_string(knob.minimum)},
                                     {"maximum", std::to_string(knob.maximum)}});
  }
  return std::to_string(*amount);
}

/// A knob that names a rank of this run.
void require_rank(const DemoManifest& demo, const Knob& knob, const RunRequest& request) {
  const std::string& value = request.knobs.at(knob.id);
  if (!knob.is_rank || parse_amount(value).value_or(0) < request.ranks) return;
  throw Error("run.no_such_rank", {{"demo", demo.id}, {"knob", knob.id}, {"value", value}, {"ranks", std::to_string(request.ranks)}, {"last", std::to_string(request.ranks - 1)}});
}

/// A knob that may not exceed another one, as the smallest size of a sweep may not exceed the largest.
void require_order(const DemoManifest& demo, const Knob& knob, const std::map<std::string, std::string>& values) {
  if (knob.at_most.empty()) return;
  const std::string &low = values.at(knob.id), &high = values.at(knob.at_most);
  if (parse_amount(low).value_or(0) > parse_amount(high).value_or(0))
    throw Error("run.knob_order", {{"demo", demo.id}, {"knob", knob.id}, {"value", low}, {"other", knob.at_most}, {"limit", high}});
}

/// A file of edges is read whole, so that no rank starts for a wrong line in it.
void require_edges(const DemoManifest& demo, const Knob& knob, const RunRequest& request) {
  const std::string& file = request.knobs.at(knob.id);
  if (!knob.holds_edges || file.empty()) return;
  static const std::map<schedule::EdgeFault, std::string> kFaults{{schedule::EdgeFault::words, "words"}, {schedule::EdgeFault::number, "number"},
      {schedule::EdgeFault::rank, "rank"}, {schedule::EdgeFault::itself, "itself"}, {schedule::EdgeFault::size, "size"}};
  std::ifstream in(file);
  if (!in) throw Error("edges.unreadable", {{"demo", demo.id}, {"knob", knob.id}, {"file", file}});
  bool any = false;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const schedule::EdgeFault fault = schedule::read_edge(line, request.ranks).fault;
    any = any || fault == schedule::EdgeFault::none;
    if (const auto found = kFaults.find(fault); found != kFaults.end())
      throw Error("edges." + found->second, {{"demo", demo.id}, {"knob", knob.id}, {"file", file}, {"line", std::to_string(number)},
                                             {"ranks", std::to_string(request.ranks)}, {"last", std::to_string(request.ranks - 1)}});
  }
  if (!any) throw Error("edges.none", {{"demo", demo.id}, {"knob", knob.id}, {"file", file}});
}

/// What the demo cannot be run with, or a knob above what the ranks and the other knobs leave for it.
void refuse(const DemoManifest& demo, const Refusal& refusal, const RunRequest& request) {
  if (!hold(refusal.when, request)) return;
  Params params{{"demo", demo.id}, {"ranks", std::to_string(request.ranks)}};
  if (!refusal.knob.empty()) {
    LabValues values{{"ranks", request.ranks}};
    for (const std::string& name : names_in(refusal.above))
      if (name != "ranks") values[name] = static_cast<double>(parse_amount(request.knobs.at(name)).value_or(0));
    const auto limit = static_cast<std::int64_t>(evaluate(refusal.above, values));
    const std::string& value = request.knobs.at(refusal.knob);
    if (parse_amount(value).value_or(0) <= limit) return;
    params.insert(params.end(), {{"knob", refusal.knob}, {"value", value}, {"limit", std::to_string(limit)}});
  }
  throw Error(refusal.text, std::move(params));
}

}  // namespace

std::optional<std::int64_t> parse_amount(std::string_view text) {
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  if (unit.empty() || unit == "B") return number;
  const std::size_t power = std::string_view("KMGT").find(static_cast<char>(unit.front() & ~0x20));  // upper case
  if (power == std::string_view::npos) return std::nullopt;
  unit.remove_prefix(1);
  if (!unit.empty() && unit != "B" && unit != "iB") return std::nullopt;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(number, std::int64_t{1} << (10 * (power + 1)), &product)) return std::nullopt;
  return product;
}

const std::vector<Knob>& world_knobs() {
  static const std::vector<Knob> knobs = [] {
    Knob eager, poll, progress;
    eager.id = "eager_limit";
    eager.default_value = std::to_string(kSimEagerLimit);
    eager.title = {"Largest message that is sent before its receive is posted", "接收尚未发起就能发出的最大消息"};
    eager.type = Knob::Type::bytes;
    eager.maximum = std::int64_t{1} << 40;
    poll.id = "poll_ns";
    poll.unit = "ns";
    poll.default_value = "1000";
    poll.title = {"Virtual time that a test costs when it finds nothing", "一次没有结果的 test 所花的虚拟时间"};
    poll.minimum = 1;
    poll.maximum = 1'000'000'000;
    progress.id = "progress";
    progress.type = Knob::Type::choice;
    progress.choices = {"by-itself", "in-calls"};
    progress.default_value = "by-itself";
    progress.title = {"What moves a message above the eager limit: the link by itself, or calls and tests of both ranks",
                      "超过 eager 阈值的消息由谁推进：链路自行推进，或只在两端的调用与 test 中推进"};
    return std::vector<Knob>{eager, poll, progress};
  }();
  return knobs;
}

const Knob* world_knob(std::string_view id) {
  const auto found = std::find_if(world_knobs().begin(), world_knobs().end(), [&](const Knob& knob) { return knob.id == id; });
  return found == world_knobs().end() ? nullptr : &*found;
}

RunRequest complete(const DemoManifest& demo, RunRequest request) {
  require_known("run.unknown_backend", request.backend, {"sim", "host", "cuda", "nccl"});
  require_supported("run.backend_not_supported", request.backend, demo.backends, demo);
  if (request.backend == "nccl") request.semantics = "nccl";  // it has no other
  require_known("run.unknown_semantics", request.semantics, {"mpi", "nccl"});
  require_supported("run.semantics_not_supported", request.semantics, demo.semantics, demo);
  require_known("run.unknown_compute", request.compute, {"paced", "real"});

  if (request.ranks == 0) request.ranks = demo.ranks;
  const int most = demo.most_ranks(request.backend);
  const Params ranks{{"demo", demo.id}, {"value", std::to_string(request.ranks)}, {"minimum", std::to_string(demo.min_ranks)},
                     {"maximum", std::to_string(most)}};
  if (request.ranks < demo.min_ranks) throw Error("run.too_few_ranks", ranks);
  if (request.ranks > most) throw Error("run.too_many_ranks", ranks);
  if (!(request.timeout_s > 0 && request.timeout_s <= kMostSeconds)) throw Error("run.bad_timeout", {{"most", std::to_string(kMostSeconds)}});

  Words known;
  for (const Knob& knob : demo.knobs) known.push_back(knob.id);
  for (auto& [id, value] : request.knobs) {
    const Knob* knob = demo.knob(id);
    if (knob == nullptr && request.backend == "sim") knob = world_knob(id);
    if (knob == nullptr) throw unknown("run.unknown_knob", id, known, {{"demo", demo.id}});
    value = legal_value(demo, *knob, value);
  }
  for (const Knob& knob : demo.knobs) request.knobs.emplace(knob.id, knob.default_value);
  for (const Knob& knob : demo.knobs) {
    require_order(demo, knob, request.knobs);
    require_rank(demo, knob, request);
    require_edges(demo, knob, request);
  }
  for (const Refusal& refusal : demo.refusals) refuse(demo, refusal, request);
  if (request.backend == "sim" && request.link == "raw") request.link = demo.sim_link;
  return request;
}

}  // namespace p2plab::check
