// Every body of demos/p2p/kernels.h behind the name that its kernel has in demos/p2p/gpu/launch.cu.
#include "kernels.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <typeinfo>

#include "demos/p2p/kernels.h"

namespace standin {
namespace {

template <class Body>
void each(void** arguments, std::size_t threads) {
  const Body& body = *static_cast<const Body*>(arguments[0]);
  const std::size_t count = *static_cast<const std::size_t*>(arguments[1]);
  for (std::size_t i = 0; i < count && i < threads; ++i) body(i);
}

using Table = std::map<std::string, KernelBody>;

template <class Body>
void add(Table& table) {
  char* text = abi::__cxa_demangle(typeid(Body).name(), nullptr, nullptr, nullptr);
  const std::string body = text;
  std::free(text);
  table["void p2p::gpu::each<" + body + ">(" + body + ", unsigned long)"] = {{sizeof(Body), sizeof(std::size_t)}, each<Body>};
}

template <class... Bodies>
Table table_of(const std::variant<Bodies...>*) {
  Table table;
  (add<Bodies>(table), ...);
  return table;
}

}  // namespace

const KernelBody* find_kernel(const std::string& name) {
  static const auto* table = new Table(table_of(static_cast<const p2p::kernels::Body*>(nullptr)));
  const auto it = table->find(name);
  return it == table->end() ? nullptr : &it->second;
}

}  // namespace standin
