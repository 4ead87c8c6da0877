// The router and the experts: which token goes where, with what weight, and what an expert makes of it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

struct MoeOptions {
  int ranks = 8;
  int experts = 2;           ///< on each rank; those of rank r are r * experts and the following
  int tokens = 64;           ///< of each rank
  int empty_ranks = 0;       ///< the last ranks, which have no tokens
  int hidden = 64;           ///< numbers of a token
  int top_k = 2;             ///< experts of a token
  int capacity_percent = 0;  ///< of a rank's mean for one expert; 0: no limit
  int skew_percent = 0;      ///< of the tokens: expert 0 comes first
  std::uint64_t seed = 1;

  int all_experts() const { return ranks * experts; }
  int choices() const;                                   ///< of a token: top_k, but no more than there are experts
  int tokens_of(int rank) const { return rank < ranks - empty_ranks ? tokens : 0; }
  /// What one rank may send to one expert: tokens * k / experts times the factor, rounded up. A very large number if there is no limit.
  int capacity() const;
};

/// One token for one expert.
struct Choice {
  int token = 0, expert = 0;
  float weight = 0;     ///< those of a token sum to 1
  bool dropped = false; ///< beyond the capacity: the expert does not see it
};

/// The hidden states of a rank's tokens, one after another.
std::vector<float> hidden_states(const MoeOptions& options, int rank);
/// Softmax over x W, the best k of each token. In the order of the tokens; who comes beyond the capacity is dropped.
std::vector<Choice> route(const MoeOptions& options, int rank, std::span<const float> states);
/// out = tanh(W x), where each row of an expert's W has two numbers of its own.
void apply_expert(int expert, std::span<const float> in, std::span<float> out);
/// What one process alone computes of a rank's tokens: the weighted sum of what their experts make of each.
std::vector<float> serial(const MoeOptions& options, std::span<const float> states, std::span<const Choice> choices);
