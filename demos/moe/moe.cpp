// A layer of experts spread over the ranks: each token's hidden state goes to its experts (dispatch), and what they make of
// it comes back and is added up by the router's weights (combine). The tokens are the same in every variant; the messages are not.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "demos/moe/exchange.h"
#include "demos/moe/routing.h"
#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"
#include "demos/p2p/world.h"

using namespace p2p;

namespace {

/// One rank's part of the layer.
class Layer {
 public:
  Layer(World& world, const MoeOptions& options, Shape shape)
      : world_(world), options_(options), shape_(shape), compute_(world.stream("compute")),
        states_(hidden_states(options, world.rank())), choices_(route(options, world.rank(), states_)) {
    std::vector<float> rows, weights;
    for (std::size_t slot = 0; slot < choices_.size(); ++slot) {
      const Choice& choice = choices_[slot];
      weights.push_back(choice.weight);
      if (choice.dropped) continue;
      const Label label{choice.expert / options.experts, world.rank(), choice.expert, static_cast<int>(slot)};
      items_.labels.push_back(label);
      for (const int part : {label.to, label.source, label.expert, label.slot}) rows.push_back(static_cast<float>(part));
      const auto state = state_of(choice.token);
      rows.insert(rows.end(), state.begin(), state.end());
    }
    items_.rows = Tensor::of(rows);
    weights_ = Tensor::of(weights);
    std::vector<int> to(static_cast<std::size_t>(options.ranks), 0);
    for (const Label& label : items_.labels) ++to[static_cast<std::size_t>(label.to)];
    const int most = to.empty() ? 0 : *std::max_element(to.begin(), to.end());
    shape_.most_items = options.capacity_percent > 0 ? options.capacity() * options.experts : static_cast<int>(largest_of_all_ranks(world, most));
  }

  const std::vector<Choice>& choices() const { return choices_; }
  const std::vector<Label>& labels() const { return items_.labels; }

  /// Dispatch, experts, combine. The experts change nothing if `idle`: then what comes back must be what went out.
  Tensor forward(Way way, bool idle, Sent& sent) {
    const Items here = exchange(world_, way, shape_, items_, sent);
    Items made{here.labels, Tensor::zeros({static_cast<std::int64_t>(here.rows.numel())})};
    for (Label& label : made.labels) label.to = label.source;
    world_.launch({Kind::compute, "experts"}, std::chrono::nanoseconds(world_.knob("token_ns", 500)) * here.labels.size(),
                  {{kernels::Experts{numbers(here.rows), numbers(made.rows), hidden(), idle}, here.rows.numel()}});
    compute_.synchronize();
    return combined(exchange(world_, way, shape_, made, sent), idle);
  }

 private:
  static float* numbers(const Tensor& tensor) { return reinterpret_cast<float*>(tensor.data()); }
  std::size_t hidden() const { return static_cast<std::size_t>(options_.hidden); }
  std::span<const float> state_of(int token) const {
    return std::span(states_).subspan(static_cast<std::size_t>(token) * hidden(), hidden());
  }

  /// Combine is the inverse of dispatch: each choice that was sent comes back once, to its own token.
  Tensor combined(const Items& back, bool unchanged) {
    std::vector<int> row(choices_.size(), -1);  // in which each choice came back
    for (std::size_t i = 0; i < back.labels.size(); ++i) {
      const Label& label = back.labels[i];
      const Choice& choice = choices_.at(static_cast<std::size_t>(label.slot));
      if (label.source != world_.rank() || label.expert != choice.expert || choice.dropped || row[static_cast<std::size_t>(label.slot)] >= 0)
        throw std::runtime_error("Combine brought back a token that was not sent.");
      row[static_cast<std::size_t>(label.slot)] = static_cast<int>(i);
    }
    if (back.labels.size() != items_.labels.size()) throw std::runtime_error("Combine did not bring back every token.");
    if (unchanged) check_unchanged(back);
    Tensor rows = Tensor::bytes_of(row.size() * sizeof(int));
    rows.put(std::as_bytes(std::span(row)));
    Tensor out = Tensor::zeros({static_cast<std::int64_t>(states_.size())});
    arithmetic(world_, {Kind::compute, "combine"}, {{kernels::Combine{numbers(back.rows), reinterpret_cast<const int*>(rows.data()), numbers(weights_),
                                                                      numbers(out), hidden(), static_cast<std::size_t>(options_.choices())}, out.numel()}});
    finish(world_);
    return out;
  }
  void check_unchanged(const Items& back) const {
    const Tensor here = back.rows.host();
    for (std::size_t i = 0; i < back.labels.size(); ++i) {
      const auto state = state_of(choices_[static_cast<std::size_t>(back.labels[i].slot)].token);
      if (!std::equal(state.begin(), state.end(), here.f32().subspan(i * shape_.width() + kLabel).begin())) throw std::runtime_error("A token came back changed.");
    }
  }

 public:
  /// Against what one process alone would compute; the order of adding may differ.
  void check(const Tensor& out) const {
    const auto wanted = serial(options_, states_, choices_);
    const Tensor here = out.host();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (std::abs(here.f32()[i] - wanted[i]) > 1e-5F) throw std::runtime_error("The experts' sum is not that of one process alone.");
  }

 private:
  World& world_;
  const MoeOptions& options_;
  Shape shape_;
  Stream compute_;
  std::vector<float> states_;
  std::vector<Choice> choices_;
  Items items_;
  Tensor weights_;  ///< of the choices
};

struct Measured {
  double time_ns = 0, messages = 0, between_nodes = 0, counts = 0, bytes = 0;  ///< of all ranks together
};

double sum_of_all_ranks(World& world, double value) {
  double sum = 0;
  for (const double each : of_all_ranks(world, value)) sum += each;
  return sum;
}

Measured measure(World& world, Layer& layer, Way way) {
  Sent sent;
  layer.forward(way, true, sent);  // makes the connections, and checks the way there and back
  const auto rounds = static_cast<int>(world.knob("iterations", 3));
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    sent = {};
    world.barrier();
    const std::int64_t begin = world.now_ns();
    const auto out = layer.forward(way, false, sent);
    times.push_back(largest_of_all_ranks(world, static_cast<double>(world.now_ns() - begin)));
    layer.check(out);
    let_lab_catch_up();
  }
  return {median(times), sum_of_all_ranks(world, sent.messages), sum_of_all_ranks(world, sent.between_nodes), sum_of_all_ranks(world, sent.counts),
          sum_of_all_ranks(world, sent.bytes)};
}

/// What each rank sends each other one in dispatch, and how many tokens each expert gets and loses. On rank 0 it says how many
/// they all get together.
double report_routing(World& world, const MoeOptions& options, const Layer& layer) {
  const auto p = static_cast<std::size_t>(world.size()), experts = static_cast<std::size_t>(options.all_experts());
  std::vector<float> mine(p + 2 * experts, 0);
  for (const Label& label : layer.labels()) ++mine[static_cast<std::size_t>(label.to)];
  for (const Choice& choice : layer.choices()) ++mine[p + (choice.dropped ? experts : 0) + static_cast<std::size_t>(choice.expert)];
  const Tensor own = Tensor::of(mine);
  Tensor gathered = Tensor::zeros({static_cast<std::int64_t>(p * mine.size())});
  world.all_gather(gathered, own);
  finish(world);
  const Tensor all = gathered.host();
  if (world.rank() != 0) return 0;
  const auto at = [&](std::size_t rank, std::size_t i) { return static_cast<double>(all.f32()[rank * (p + 2 * experts) + i]); };
  const double token = static_cast<double>(options.hidden) * sizeof(float);
  double total = 0, busiest = 0, dropped = 0, chosen = 0, kept_of_all = 0;
  int pairs = 0;
  for (std::size_t from = 0; from < p; ++from) {
    double out = 0, in = 0;
    for (std::size_t to = 0; to < p; ++to) {
      const double bytes = from == to ? 0 : at(from, to) * token;
      row(world, "matrix", {{"from", "rank " + std::to_string(from)}, {"to", std::to_string(to)}, {"bytes", bytes}});
      out += bytes;
      in += from == to ? 0 : at(to, from) * token;
      if (bytes > 0) ++pairs;
    }
    total += out;
    busiest = std::max({busiest, out, in});
  }
  for (std::size_t expert = 0; expert < experts; ++expert) {
    double kept = 0, lost = 0;
    for (std::size_t rank = 0; rank < p; ++rank) kept += at(rank, p + expert), lost += at(rank, p + experts + expert);
    row(world, "experts", {{"expert", std::to_string(expert)}, {"kept_count", kept}, {"dropped_count", lost}});
    dropped += lost;
    chosen += kept + lost;
    kept_of_all += kept;
  }
  world.metric("dropped_count", dropped);
  if (chosen > 0) world.metric("dropped_ratio", dropped / chosen);
  world.metric("pair_count", pairs);
  world.metric("dispatch_bytes", total);
  world.metric("busiest_bytes", busiest);
  // 1: every port carries the same; p: all of it passes one port; where nothing moves there is none that is busier.
  if (total > 0) world.metric("imbalance_times", busiest * static_cast<double>(p) / total);
  world.metric("kept_count", kept_of_all);
  return kept_of_all;
}

void run_layer(World& world) {
  MoeOptions options;
  options.ranks = world.size();
  options.experts = static_cast<int>(world.knob("experts", 2));
  options.tokens = static_cast<int>(world.knob("tokens", 64));
  options.empty_ranks = std::min(static_cast<int>(world.knob("empty_ranks", 0)), world.size());
  options.hidden = static_cast<int>(world.knob("hidden", 64));
  options.top_k = static_cast<int>(world.knob("top_k", 2));
  options.capacity_percent = static_cast<int>(world.knob("capacity_percent", 0));
  options.skew_percent = static_cast<int>(world.knob("skew_percent", 0));
  options.seed = world.seed();
  Shape shape;
  shape.hidden = options.hidden;
  shape.node_size = static_cast<int>(world.knob("node_size", 4));
  shape.window = static_cast<int>(world.knob("window", 1));
  const auto variant = world.knob("variant", "all");

  Layer layer(world, options, shape);
  std::map<Way, Measured> found;
  for (const Way way : {Way::per_token, Way::per_expert, Way::all_to_all, Way::two_level, Way::padded})
    if (variant == "all" || variant == to_string(way)) found[way] = measure(world, layer, way);
  if (found.empty()) throw std::runtime_error("The demo moe has no variant '" + variant + "'; see p2plab demos.");
  const bool layer_is_empty = report_routing(world, options, layer) == 0;
  if (world.rank() != 0) return;
  for (const auto& [way, m] : found)
    row(world, "ways", {{"way", to_string(way)}, {"time_ns", m.time_ns}, {"message_count", m.messages}, {"counts_count", m.counts}, {"between_count", m.between_nodes}, {"sent_bytes", m.bytes}});
  const Measured& shown = variant == "all" ? found.at(Way::all_to_all) : found.begin()->second;
  world.metric("layer_ns", shown.time_ns);
  world.metric("message_count", shown.messages);
  world.metric("counts_count", shown.counts);
  world.metric("between_count", shown.between_nodes);
  world.metric("sent_bytes", shown.bytes);
  if (variant != "all" || layer_is_empty) return;
  const auto over = [&](std::string_view name, Way way, double Measured::*what) {
    if (shown.*what > 0) world.metric(name, found.at(way).*what / shown.*what);
  };
  over("per_token_times", Way::per_token, &Measured::time_ns);
  over("per_expert_times", Way::per_expert, &Measured::time_ns);
  over("two_level_times", Way::two_level, &Measured::time_ns);
  over("padded_times", Way::padded, &Measured::time_ns);
  over("per_token_messages_times", Way::per_token, &Measured::messages);
  over("padded_bytes_times", Way::padded, &Measured::bytes);
  world.metric("per_token_count", found.at(Way::per_token).messages);
  world.metric("per_token_bytes", found.at(Way::per_token).bytes);
  world.metric("padded_bytes", found.at(Way::padded).bytes);
  world.metric("padded_count", found.at(Way::padded).messages);
  world.metric("two_level_between_count", found.at(Way::two_level).between_nodes);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, run_layer); }
