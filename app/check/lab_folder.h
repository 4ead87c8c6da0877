// A learner's folder of a lab: made, found again, put back to the start. His own work is never overwritten.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "app/check/lab_manifest.h"

namespace p2plab::check {

/// Copies starter, read-only files and task into `folder`. A file that is there and differs is left as it is, and is an
/// Error "lab.would_overwrite". True when anything was copied.
bool start_lab(const LabManifest& lab, const std::filesystem::path& folder, std::string_view language);

/// Where his work is: here, in the folder of the lab's name here, or where it was started last; empty when nowhere.
std::filesystem::path started_folder(const LabManifest& lab, const std::filesystem::path& last);

/// Puts the starter and the read-only files back; what the learner wrote is kept beside it under the name that is returned
/// (empty if it was the starter still).
std::filesystem::path reset_lab(const LabManifest& lab, const std::filesystem::path& folder, std::string_view language);

}  // namespace p2plab::check
