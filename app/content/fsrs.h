// FSRS-6 with its default weights: how long a card is remembered, and when it is due. Formulae: the FSRS-6 page of
// open-spaced-repetition; days are whole, nothing is drawn by lot, there are no steps within a day.
#pragma once
#include <array>

namespace p2plab::content::fsrs {

enum class Rating { again = 1, hard, good, easy };

/// The 21 default weights of FSRS-6, w0 … w20.
inline constexpr std::array<double, 21> kWeights{0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001,  1.8722, 0.1666, 0.796,
                                                 1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542};

struct Memory {
  double stability = 0;   ///< days until the chance of recall has fallen to 90 %
  double difficulty = 0;  ///< 1 … 10
};

/// Chance of recall after `days`.
double retrievability(const Memory& memory, double days);
Memory first(Rating rating);
/// After a review `days` whole days after the one before; 0 is the same day.
Memory next(const Memory& memory, int days, Rating rating);
/// Whole days, at least 1, until the chance of recall falls to `retention`.
int interval(const Memory& memory, double retention = 0.9);

}  // namespace p2plab::content::fsrs
