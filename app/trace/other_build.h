// A rank's library and the lab share memory, so they must lay it out alike. One of another build is told, not run into.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace p2plab::trace {

/// What the layouts of the control page and of the feed come to; the first word of a control page. Another number means
/// another build of the lab.
std::uint64_t shared_layout();

/// Called in a rank that has found another layout: leaves the name of the library (or program) this is part of in the
/// job's directory, for the lab to read.
void tell_other_build(const std::filesystem::path& job);
/// That name, or empty.
std::string other_build(const std::filesystem::path& job);

}  // namespace p2plab::trace
