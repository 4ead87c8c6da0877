// The bodies behind the kernels' names.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace standin {

struct KernelBody {
  std::vector<std::size_t> sizes;     ///< of the arguments
  std::vector<std::size_t> pointers;  ///< where they lie in the first one; other words may look like an address by chance
  void (*run)(void** arguments, std::size_t threads);
};

/// By the name as c++filt writes it; null when there is none.
const KernelBody* find_kernel(const std::string& name);

}  // namespace standin
