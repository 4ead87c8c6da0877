// Every body of demos/p2p/kernels.h behind the name that its kernel has in demos/p2p/gpu/launch.cu.
#include "kernels.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <type_traits>
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

/// Stands for a member of any type.
struct Any {
  template <class T>
  operator T() const;  // NOLINT
};
template <class Body, class... Members>
constexpr std::size_t members_of() {
  if constexpr (requires { Body{Members{}..., Any{}}; }) return members_of<Body, Members..., Any>();
  else return sizeof...(Members);
}

/// Calls `each` with every member.
template <class Body, class Each>
void for_members(Body& body, Each each) {
  constexpr std::size_t n = members_of<Body>();
  static_assert(n >= 1 && n <= 8, "a body with more members needs another line here");
  const auto all = [&](auto&... member) { (each(member), ...); };
  if constexpr (n == 1) { auto& [a] = body; all(a); }
  if constexpr (n == 2) { auto& [a, b] = body; all(a, b); }
  if constexpr (n == 3) { auto& [a, b, c] = body; all(a, b, c); }
  if constexpr (n == 4) { auto& [a, b, c, d] = body; all(a, b, c, d); }
  if constexpr (n == 5) { auto& [a, b, c, d, e] = body; all(a, b, c, d, e); }
  if constexpr (n == 6) { auto& [a, b, c, d, e, f] = body; all(a, b, c, d, e, f); }
  if constexpr (n == 7) { auto& [a, b, c, d, e, f, g] = body; all(a, b, c, d, e, f, g); }
  if constexpr (n == 8) { auto& [a, b, c, d, e, f, g, h] = body; all(a, b, c, d, e, f, g, h); }
}

template <class Body>
std::vector<std::size_t> pointers_of() {
  Body body{};
  std::vector<std::size_t> out;
  for_members(body, [&](auto& member) {
    if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(member)>>) {
      out.push_back(static_cast<std::size_t>(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&body)));
    }
  });
  return out;
}

using Table = std::map<std::string, KernelBody>;

template <class Body>
void add(Table& table) {
  char* text = abi::__cxa_demangle(typeid(Body).name(), nullptr, nullptr, nullptr);
  const std::string body = text;
  std::free(text);
  table["void p2p::gpu::each<" + body + ">(" + body + ", unsigned long)"] = {{sizeof(Body), sizeof(std::size_t)}, pointers_of<Body>(), each<Body>};
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
