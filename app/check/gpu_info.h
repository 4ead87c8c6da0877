// What CUDA says of this machine. The lab links no CUDA: p2plab-gpu-info, which is built with the GPU backends, is asked.
#pragma once
#include <string>
#include <vector>

#include "app/launch/installation.h"

namespace p2plab::check {

struct GpuInfo {
  enum class State {
    not_built,   ///< the GPU backends are not part of this installation
    unloadable,  ///< they are, but the CUDA runtime cannot be loaded
    none,        ///< CUDA sees no GPU: `error` of cudaGetDeviceCount, and `why`
    failing,     ///< CUDA fails for another reason: the same two say which
    present,
  };
  State state = State::not_built;
  int error = 0;
  std::string why, driver, runtime, nccl;  ///< versions: "13.0"; nccl "2.28.9" or empty
  std::string cublas;                      ///< version, or empty; only if it was asked for
  std::vector<std::string> names;          ///< of the GPUs
};

/// `with_cublas`: to load it takes a while.
GpuInfo gpu_info(const launch::Installation& installation, bool with_cublas = false);

/// Before anything of a run on `cuda` or `nccl` is started. Throws Error with status 2 and CUDA's own reason when there is
/// no GPU, CUDA fails for another reason, its runtime cannot be loaded, or `nccl` has fewer GPUs than `ranks`; other backends
/// need none. `least_ranks`: with fewer there is nothing to run.
void require_gpu(const launch::Installation& installation, const std::string& backend, int ranks = 1, int least_ranks = 1);

/// The same, and before it that there is such a backend and that it is part of the installation: what every command says of a
/// backend that cannot be had.
void require_backend(const launch::Installation& installation, const std::string& backend, int ranks = 1, int least_ranks = 1);

}  // namespace p2plab::check
