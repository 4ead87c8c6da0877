// The compiler's command line.
#include "app/launch/compile.h"

#include <unistd.h>

#include <algorithm>

#include "app/trace/error.h"

namespace p2plab::launch {
namespace {

std::filesystem::path find_compiler() {
  if (::access(P2PLAB_CXX, X_OK) == 0) return P2PLAB_CXX;  // the one that built the runtime
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (auto found = find_program(name); !found.empty()) return found;
  }
  throw Error("compile.no_compiler");
}

}  // namespace

JobSpec compile_job(const Installation& installation, const Compilation& what) {
  const std::filesystem::path headers = installation.share() / "include";
  if (!std::filesystem::exists(headers / "demos/p2p/world.h")) {
    throw Error("compile.no_headers", {{"path", headers.string()}}, 3);
  }
  std::vector<std::filesystem::path> sources;
  for (const auto& entry : std::filesystem::directory_iterator(what.demo)) {
    if (entry.path().extension() == ".cpp" && entry.path().filename() != what.replaced) sources.push_back(entry.path());
  }
  if (!what.shares.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(what.demo.parent_path() / what.shares)) {
      if (entry.path().extension() == ".cpp" && entry.path().filename() != "main.cpp") sources.push_back(entry.path());
    }
  }
  sources.push_back(what.copy);
  std::sort(sources.begin(), sources.end());

  // Spans and messages of the copy name the demo's file, so that the code pane finds its lines.
  const std::string shown = "demos/" + what.demo.filename().string() + "/" + what.replaced;
  JobSpec job;
  job.use_mpiexec = false;
  job.limits.wall = std::chrono::minutes{5};
  job.program = {find_compiler().string(), "-std=c++20", "-O1", "-g1", "-Wall", "-Wextra", "-fdiagnostics-color=never",
                 "-ffile-prefix-map=" + what.copy.string() + "=" + shown, "-iquote", what.demo.string(),
                 "-I" + headers.string()};
  if (const std::string sanitize = P2PLAB_SANITIZE; !sanitize.empty()) job.program.push_back("-fsanitize=" + sanitize);
  for (const auto& source : sources) job.program.push_back(source.string());
  for (const std::string& word : {std::string("-o"), what.output.string(), "-L" + installation.lib().string(),
                                  std::string("-lp2plab-p2p"), std::string("-pthread"), std::string("-Xlinker"),
                                  std::string("-rpath"), std::string("-Xlinker"), installation.lib().string()}) {
    job.program.push_back(word);
  }
  return job;
}

}  // namespace p2plab::launch
