// Schedules as PyTorch writes them (torch.distributed.pipelining): a row for each rank, a cell for each action, STAGE ACTION
// MICROBATCH, as in "1F3". F: forward; I: gradient of the input; W: of the weights; B: both; SEND_F, RECV_F, SEND_B, RECV_B:
// messages. A "stage" there is a part of the model here, a row is a stage here. An empty cell is a step without an action.
// UNSHARD, RESHARD and REDUCE_GRAD (FSDP) take no place in a pipeline and are left out. "(0F1;2B0)OVERLAP_F_B" is read as
// its two actions, one after the other.
#pragma once
#include <string>
#include <string_view>

#include "app/schedule/schedule.h"

namespace p2plab::schedule {

/// Throws Error "schedule.csv.*" with row and column where the text is no schedule: an unknown action, a part on two rows,
/// a part that nobody holds. Whether the schedule is legal is for find_fault to say.
Schedule read_csv(std::string_view text, std::string name);
std::string write_csv(const Schedule& schedule);

}  // namespace p2plab::schedule
