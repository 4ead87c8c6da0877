// Finds and loads a backend: libp2plab-NAME.so in the folder of the runtime itself.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "demos/p2p/backend.h"

namespace p2p {
namespace {

std::filesystem::path own_folder() {
  Dl_info info{};
  ::dladdr(reinterpret_cast<void*>(&own_folder), &info);
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

// What a backend stands on, for the sentence that says it is missing.
std::string_view needs(std::string_view backend) {
  if (backend == "host") return "it needs MPICH (apt install mpich libmpich-dev)";
  if (backend == "cuda") return "it needs the CUDA Toolkit";
  if (backend == "nccl") return "it needs the CUDA Toolkit and NCCL";
  if (backend == "sim") return "this build was made without it";
  return "the backends are sim, host, cuda and nccl";
}

}  // namespace

std::unique_ptr<Backend> load_backend(const Options& options) {
  const std::filesystem::path path = own_folder() / fmt::format("libp2plab-{}.so", options.backend);
  if (!std::filesystem::exists(path)) {
    throw Error(fmt::format("The backend '{}' is not here: there is no {}; {}. Install that and build again, or run with "
                            "--backend host.", options.backend, path.string(), needs(options.backend)), 2);
  }
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* why = library == nullptr ? ::dlerror() : nullptr;
  auto* make = library == nullptr
                   ? nullptr
                   : reinterpret_cast<decltype(&p2plab_make_backend)>(::dlsym(library, "p2plab_make_backend"));
  if (make == nullptr) {
    throw Error(fmt::format("The backend '{}' cannot be loaded: {}; {}. Install that, or run with --backend host.",
                            options.backend, why != nullptr ? why : "it exports no p2plab_make_backend",
                            needs(options.backend)), 2);
  }
  return std::unique_ptr<Backend>(make(options));
}

}  // namespace p2p
