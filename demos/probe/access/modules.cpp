// Who called: by the loaded module that holds a return address.
#include "demos/probe/access/modules.h"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace p2plab::probe::access {
namespace {

/// Modules that copy messages or manage memory for themselves. UCX has a thread of its own.
constexpr std::string_view kMpi[] = {"libmpi",    "libmpich",     "libucp.",  "libucs.",    "libuct",
                                     "libucm",    "libc.so",      "libc-",    "libpthread", "ld-linux",
                                     "libfabric", "libpmi",       "libhwloc", "libibverbs", "librdmacm",
                                     "libnl-",    "libnl-route-", "libslurm", "libdl.",     "libgcc_s"};
constexpr std::string_view kSystem[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/", "/opt/"};

struct Module {
  std::uintptr_t begin, end;
  Caller caller;
};

Caller classify(std::string_view path, bool first) {
  if (first) return Caller::program;  // the executable; its name is empty
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto begins = [](std::string_view text) {
    return [text](std::string_view prefix) { return text.starts_with(prefix); };
  };
  if (std::any_of(std::begin(kMpi), std::end(kMpi), begins(name)) || path.find("/ucx/") != path.npos ||
      name.starts_with("linux-vdso"))
    return Caller::mpi;
  return std::any_of(std::begin(kSystem), std::end(kSystem), begins(path)) ? Caller::library : Caller::program;
}

/// The modules as of the last dlopen or dlclose.
class Modules {
 public:
  Caller find(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    if (const Module* module = look(address)) return module->caller;
    modules_.clear();
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) {
          static_cast<Modules*>(self)->add(*info);
          return 0;
        },
        this);
    const Module* module = look(address);
    return module != nullptr ? module->caller : Caller::program;  // code made at run time is the program's
  }

 private:
  const Module* look(std::uintptr_t address) const {
    const auto found = std::find_if(modules_.begin(), modules_.end(), [address](const Module& module) {
      return address > module.begin && address <= module.end;  // a return address may be the first byte behind a call
    });
    return found == modules_.end() ? nullptr : &*found;
  }
  void add(const dl_phdr_info& info) {
    Caller caller = classify(info.dlpi_name, modules_.empty());
    const std::size_t first = modules_.size();
    bool ours = false;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const auto& segment = info.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD) continue;
      const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
      modules_.push_back({begin, begin + segment.p_memsz, caller});
      const auto here = reinterpret_cast<std::uintptr_t>(&caller_of);
      ours = ours || (here >= begin && here < begin + segment.p_memsz);
    }
    for (std::size_t i = first; ours && i < modules_.size(); ++i) modules_[i].caller = Caller::mpi;
  }

  std::mutex mutex_;
  std::vector<Module> modules_;
};

Modules& modules() {
  union Immortal {  // accesses go on while the program's static objects are destroyed
    Modules value;
    Immortal() : value() {}
    ~Immortal() {}
  };
  static Immortal immortal;
  return immortal.value;
}

struct Walk {
  std::array<void*, 16> stack{};
  std::size_t count = 0;
  std::uintptr_t wanted;
};

}  // namespace

Caller caller_of(void* pc) { return modules().find(reinterpret_cast<std::uintptr_t>(pc)); }

std::array<void*, 16> call_stack(void* pc) {
  Walk walk;
  walk.wanted = reinterpret_cast<std::uintptr_t>(pc);
  ::_Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& state = *static_cast<Walk*>(data);
        const std::uintptr_t address = ::_Unwind_GetIP(context);
        if (state.count == 0 &&
            (state.wanted != 0 ? address != state.wanted : caller_of(reinterpret_cast<void*>(address)) == Caller::mpi))
          return _URC_NO_REASON;
        if (state.count + 1 >= state.stack.size()) return _URC_END_OF_STACK;
        state.stack[state.count++] = reinterpret_cast<void*>(address);
        return _URC_NO_REASON;
      },
      &walk);
  if (walk.count == 0) walk.stack[0] = pc;
  return walk.stack;
}

void* program_in(const std::array<void*, 16>& stack) {
  for (void* pc : stack) {
    const Caller caller = pc == nullptr ? Caller::mpi : caller_of(pc);
    if (caller == Caller::program) return pc;
    if (caller == Caller::mpi) break;
  }
  return nullptr;
}

std::uintptr_t frame_end_of(void* pc) {
  struct Search {
    std::uintptr_t wanted, end;
    bool passed;
  } search{reinterpret_cast<std::uintptr_t>(pc), 0, false};
  ::_Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& state = *static_cast<Search*>(data);
        if (state.passed) {  // seen from its caller, a function's frame ends where the unwinder stands
          state.end = ::_Unwind_GetCFA(context);
          return _URC_END_OF_STACK;
        }
        state.passed = ::_Unwind_GetIP(context) == state.wanted;
        return _URC_NO_REASON;
      },
      &search);
  return search.end;
}

}  // namespace p2plab::probe::access
