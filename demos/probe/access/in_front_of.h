// Standing in front of a function of the C library.
#pragma once
#include <dlfcn.h>

#include <atomic>

namespace p2plab::probe::access {

/// The function of that name behind ours in the order of lookup, found on first use.
template <class Function>
class Next {
 public:
  constexpr explicit Next(const char* name) : name_(name) {}
  /// Null when there is none, or when the search for it comes back to us.
  Function* get() {
    Function* function = function_.load(std::memory_order_relaxed);
    if (function != nullptr) return function;
    static constinit thread_local bool searching = false;
    if (searching) return nullptr;
    searching = true;
    function = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name_));
    searching = false;
    function_.store(function, std::memory_order_relaxed);
    return function;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }

 private:
  const char* name_;
  std::atomic<Function*> function_{nullptr};
};

}  // namespace p2plab::probe::access

/// Defines `result name(parameters…)`, with `next_NAME` to call the original. The assembler's name keeps the headers'
/// overloads and attributes, and what the compiler believes of such a function, out of our definition.
#define IN_FRONT_OF(result, name, ...)                                                                   \
  [[maybe_unused]] static constinit p2plab::probe::access::Next<result(__VA_ARGS__)> next_##name{#name}; \
  extern "C" [[gnu::visibility("default")]] result in_front_of_##name(__VA_ARGS__) __asm__(#name);       \
  result in_front_of_##name(__VA_ARGS__)

/// The return address in the code that called the function in which this stands.
#define CALLER __builtin_return_address(0)
