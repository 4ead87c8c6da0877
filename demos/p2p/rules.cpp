#include "demos/p2p/rules.h"

namespace p2p {

void finish(World& world, Where where) {
  if (world.nccl_semantics()) world.stream("compute").synchronize(where);
}

void arithmetic(World& world, std::string_view name, const Kernel& kernel, Where where) {
  arithmetic(world, {Kind::compute, std::string(name)}, {kernel}, where);
}

void arithmetic(World& world, const ComputeLabel& label, std::vector<Kernel> kernels, Where where) {
  if (!world.nccl_semantics() && TensorMemory::current == nullptr) {
    for (const Kernel& kernel : kernels) run_on_host(kernel);
    return;
  }
  world.launch(label, {}, std::move(kernels), nullptr, where);
  if (!world.nccl_semantics()) world.stream("compute").synchronize(where);
}

}  // namespace p2p
