#include "demos/p2p/rules.h"

namespace p2p {

void finish(World& world, Where where) {
  if (world.nccl_semantics()) world.stream("compute").synchronize(where);
}

void arithmetic(World& world, std::string_view name, const Kernel& kernel, Where where) {
  if (!world.nccl_semantics() && TensorMemory::current == nullptr) return run_on_host(kernel);
  world.launch({Kind::compute, std::string(name)}, {}, {kernel}, nullptr, where);
  if (!world.nccl_semantics()) world.stream("compute").synchronize(where);
}

}  // namespace p2p
