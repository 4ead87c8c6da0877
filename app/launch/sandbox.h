// Bubblewrap around a whole job: no network but loopback, a read-only system, a private /tmp, nothing written outside, no
// process of others in sight.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace p2plab::launch {

/// Stands in a wrapper for the job's directory, which is made when the job starts.
constexpr const char* kOwnDirectory = "{job}";

/// The words that go before a job's command (JobSpec::wrapper); empty where bubblewrap is not installed, or is refused, as
/// in many containers: a trial run decides, once per process. `visible` are files and folders that a private /tmp would hide, `hidden` are
/// folders that are empty there, `writable` is the one folder outside that the job may write to. P2PLAB_SANDBOX=off asks for none.
std::vector<std::string> sandbox(const std::vector<std::filesystem::path>& visible, const std::vector<std::filesystem::path>& hidden,
                                 const std::filesystem::path& writable);

/// Why there is none: "off", "missing" or "refused"; empty when there is one.
const std::string& no_sandbox_reason();

}  // namespace p2plab::launch
