// See verify_build.h.
#include "app/check/verify_build.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

#include "app/launch/job.h"

namespace p2plab::check {

namespace {

constexpr std::array<std::string_view, 5> kSources = {".c", ".cc", ".cpp", ".cxx", ".C"};

std::filesystem::path compiler_for(const std::filesystem::path& source) {
  const std::string name = is_cpp(source) ? "mpicxx.mpich" : "mpicc.mpich";
  std::filesystem::path found = launch::find_program(name);
  if (found.empty()) throw Error("verify.no_compiler", {{"name", name}});
  return found;
}

launch::JobSpec compile(const launch::Installation& installation, const VerifyRequest& request, const std::filesystem::path& output, bool access) {
  launch::JobSpec job;
  job.use_mpiexec = false;
  job.limits.wall = std::chrono::minutes{2};
  auto& words = job.program;
  words = {compiler_for(request.program).string()};
  words.insert(words.end(), request.cflags.begin(), request.cflags.end());
  words.push_back("-g");
  words.push_back("-fdiagnostics-color=never");
  if (access) {
    words.insert(words.end(), access_flags().begin(), access_flags().end());
  } else {
    words.push_back("-fno-optimize-sibling-calls");  // a call in tail position keeps its line
  }
  words.insert(words.end(), {request.program.string(), "-o", output.string(), "-L" + installation.lib().string(), "-lp2plab-probe",
                             "-Wl,-rpath," + installation.lib().string(), "-pthread"});
  if (access) {
    // The compiler would add the runtime of its own that the profiling layer stands for.
    words.push_back("-nodefaultlibs");
    if (is_cpp(request.program)) words.insert(words.end(), {"-lmpichcxx", "-lstdc++"});
    words.insert(words.end(), {"-lmpich", "-lm", "-lpthread", "-lgcc_s", "-lgcc", "-lc"});
  } else {
    words.push_back("-lm");
  }
  return job;
}

struct Compiled {
  bool ok = false;
  std::string text;
};

void wait_for(launch::Job& job) {
  while (job.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

Compiled outcome(launch::Job& job) {
  wait_for(job);
  Compiled out;
  out.ok = job.status().exit_status == 0;
  out.text = job.output(0, true).text() + job.output(0, false).text();
  if (!out.ok && out.text.empty()) out.text = job.output(-1, true).text();
  return out;
}

}  // namespace

bool is_source(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return std::find(kSources.begin(), kSources.end(), extension) != kSources.end();
}
bool is_cpp(const std::filesystem::path& file) { return is_source(file) && file.extension() != ".c"; }

const std::vector<std::string>& access_flags() {
  static const std::vector<std::string> kFlags = {"-O0", "-g", "-fno-builtin", "-fno-omit-frame-pointer", "-fsanitize=thread", "-Wno-tsan"};
  return kFlags;
}

VerifyPrograms build_programs(const launch::Installation& installation, const VerifyRequest& request, const std::filesystem::path& directory) {
  VerifyPrograms out;
  if (!std::filesystem::exists(request.program)) throw Error("verify.no_program", {{"path", request.program.string()}});
  if (!is_source(request.program)) {
    if (std::filesystem::is_directory(request.program) || ::access(request.program.c_str(), X_OK) != 0) {
      throw Error("verify.not_executable", {{"path", request.program.string()}});
    }
    out.plain = out.access = std::filesystem::absolute(request.program);
    out.preload = true;
    return out;
  }
  out.plain = directory / "plain";
  out.access = directory / "access";
  launch::Job plain(installation, compile(installation, request, out.plain, false));
  launch::Job access(installation, compile(installation, request, out.access, true));
  const Compiled first = outcome(plain);
  if (!first.ok) {
    out.failed = true;
    out.compiler_text = first.text;
    return out;
  }
  const Compiled second = outcome(access);
  out.instrumented = second.ok;
  if (!second.ok) out.access = out.plain;
  return out;
}

}  // namespace p2plab::check
