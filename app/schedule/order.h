// The generators, one file each; and the check that what they make is a legal schedule.
#pragma once
#include <string>
#include <vector>

#include "app/schedule/schedule.h"

namespace p2plab::schedule {

/// One microbatch at a time: F and B of a microbatch before the next one enters.
StageOrder naive_stage(Shape shape, int stage);
/// All forwards, then all backwards (GPipe 2.2, Fig. 2c). Every stage keeps all m activations.
StageOrder gpipe_stage(Shape shape, int stage);
/// min(m, p - stage - 1) forwards, then one F and one B in turn, then the backwards that are left
/// (PipeDream-Flush, 2104.04473 2.2.1). Same bubble as GPipe; at most p - stage activations.
StageOrder one_f_one_b_stage(Shape shape, int stage);

/// Throws std::invalid_argument unless 0 <= stage < stages and there is at least one microbatch.
void require_legal(Shape shape, int stage);

/// The orders of all stages.
std::vector<StageOrder> all_stages(const Generator& generator, Shape shape);

/// Why these orders are no legal schedule of this shape; empty if they are one. Legal: every stage runs F and B of every
/// microbatch exactly once, and the run ends when F(s, i) waits for F(s-1, i), and B(s, i) for F(s, i) and B(s+1, i).
std::string find_fault(Shape shape, const std::vector<StageOrder>& stages);

}  // namespace p2plab::schedule
