// SM-2 (Woźniak 1990), the cross-check of FSRS: two algorithms that read the same review log must agree on what is young
// and what is old.
#pragma once
namespace p2plab::content::sm2 {

struct Memory {
  int repetitions = 0;   ///< good answers in a row
  double ease = 2.5;     ///< the factor EF, at least 1.3
  int interval = 0;      ///< days until the next review
};

/// quality 0 … 5. Below 3 the card starts again with its ease untouched.
Memory next(const Memory& memory, int quality);

}  // namespace p2plab::content::sm2
