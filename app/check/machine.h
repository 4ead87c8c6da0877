// What the lab knows of the machine it runs on.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace p2plab::check {

/// What a short command printed; nothing when it could not be started, failed or took too long. Never a shell string.
std::optional<std::string> output_of(const std::vector<std::string>& command, std::chrono::milliseconds limit = std::chrono::seconds(5));

/// Cores that this process may use.
int usable_cores();

/// "MPICH 4.0.2" of the mpiexec that runs the host backend; empty when there is none. Asked once.
const std::string& mpi_name();

}  // namespace p2plab::check
