// A trace without the order in which its records happened to arrive.
#pragma once
#include "app/trace/trace.h"

namespace p2plab::trace {

/// The same trace with tracks by rank and lane, spans by begin and track, and everything else by what it belongs to: two
/// runs with the same records are equal to the byte when saved. Rings are read as they fill, so that a live trace is not.
Trace in_order(const Trace& trace);

}  // namespace p2plab::trace
