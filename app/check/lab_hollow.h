// A run as it would be if nothing had been sent: a lab that such a run passes demands no evidence.
#pragma once
#include "app/check/lab_rules.h"

namespace p2plab::check {

enum class Hollow { silent, empty };  ///< no message at all; every message, but without bytes

/// The trace of a run without what its messages and collectives carried; all else as it was.
trace::Trace hollow(const trace::Trace& full, Hollow how);

/// True if no check of `lab` for this run fails though nothing was sent. Numbers that a program hands over are no evidence:
/// checks of those alone count as held.
bool passes_hollow(const LabManifest& lab, const LabEvidence& evidence, Hollow how);

}  // namespace p2plab::check
