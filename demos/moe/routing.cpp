#include "demos/moe/routing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "demos/p2p/kernels.h"

namespace {

/// Between -1 and 1, the same everywhere (splitmix64).
float noise(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = (seed + 1) * 0x9E3779B97F4A7C15u + (i + 1) * 0xD1B54A32D192ED03u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return static_cast<float>(z >> 40) / static_cast<float>(1 << 23) - 1;
}

constexpr std::uint64_t kRouter = 1000, kSkew = 2000;  ///< seeds of their own

std::size_t size(int n) { return static_cast<std::size_t>(n); }

}  // namespace

int MoeOptions::choices() const { return std::min(top_k, all_experts()); }

int MoeOptions::capacity() const {
  if (capacity_percent == 0) return std::numeric_limits<int>::max();
  const std::int64_t all = std::int64_t{tokens} * choices() * capacity_percent, parts = std::int64_t{all_experts()} * 100;
  return static_cast<int>((all + parts - 1) / parts);
}

std::vector<float> hidden_states(const MoeOptions& options, int rank) {
  std::vector<float> out(size(options.tokens_of(rank)) * size(options.hidden));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = noise(options.seed + 3 * size(rank), i);
  return out;
}

std::vector<Choice> route(const MoeOptions& options, int rank, std::span<const float> states) {
  const std::size_t hidden = size(options.hidden), experts = size(options.all_experts()), k = size(options.choices());
  std::vector<float> router(hidden * experts);
  for (std::size_t i = 0; i < router.size(); ++i) router[i] = noise(options.seed + kRouter, i);
  std::vector<int> taken(experts, 0), order(experts);
  std::vector<Choice> out;
  for (std::size_t token = 0; token * hidden < states.size(); ++token) {
    std::vector<float> logits(experts, 0);
    for (std::size_t i = 0; i < hidden; ++i)
      for (std::size_t e = 0; e < experts; ++e) logits[e] += states[token * hidden + i] * router[i * experts + e];
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return logits[size(a)] > logits[size(b)]; });
    const float drawn = (noise(options.seed + kSkew + size(rank), token) + 1) * 50;
    if (drawn < static_cast<float>(options.skew_percent)) {  // the popular expert comes first, whatever the router says
      order.erase(std::find(order.begin(), order.end(), 0));
      order.insert(order.begin(), 0);
    }
    float sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += std::exp(logits[size(order[i])] - logits[size(order[0])]);
    for (std::size_t i = 0; i < k; ++i) {
      const int expert = order[i];
      out.push_back({static_cast<int>(token), expert, std::exp(logits[size(expert)] - logits[size(order[0])]) / sum, taken[size(expert)] >= options.capacity()});
      if (!out.back().dropped) ++taken[size(expert)];
    }
  }
  return out;
}

void apply_expert(int expert, std::span<const float> in, std::span<float> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = p2p::kernels::expert_output(expert, in.data(), in.size(), i);
}

std::vector<float> serial(const MoeOptions& options, std::span<const float> states, std::span<const Choice> choices) {
  const std::size_t hidden = size(options.hidden);
  std::vector<float> out(states.size(), 0), one(hidden);
  for (const Choice& choice : choices) {
    if (choice.dropped) continue;
    apply_expert(choice.expert, states.subspan(size(choice.token) * hidden, hidden), one);
    for (std::size_t i = 0; i < hidden; ++i) out[size(choice.token) * hidden + i] += choice.weight * one[i];
  }
  return out;
}
