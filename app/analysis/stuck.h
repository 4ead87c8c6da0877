// Which nodes of a wait-for graph nothing can ever release, and a shortest cycle among them.
#pragma once
#include "app/analysis/wait_for.h"

namespace p2plab::analysis {

/// Fills in `stuck` and `cycle` from `nodes`. `moving` says of each track whether a thread of it runs; tracks beyond
/// its end do not. Least fixpoint of "can move": a node moves when all (or any) of its needs have a track that moves.
/// For needs of all kinds alike: an AND-only graph is stuck by a cycle, an OR-only graph by a knot.
void find_stuck(WaitForGraph& graph, std::vector<bool> moving);

/// The need that keeps a stuck node: none of its tracks can move. Null if the node is not stuck.
const Requirement* unsatisfiable_need(const WaitForGraph& graph, const WaitNode& node);

/// The node of a track; null if it does not stand still.
const WaitNode* node_of(const WaitForGraph& graph, trace::TrackId track);

}  // namespace p2plab::analysis
