// See verify_build.h.
#include "app/check/verify_build.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>

#include "app/check/program_symbols.h"
#include "app/launch/job.h"

namespace p2plab::check {

namespace {

constexpr std::array<std::string_view, 5> kSources = {".c", ".cc", ".cpp", ".cxx", ".C"};

/// What the compiler leaves behind when it is ended lies in `directory`.
launch::JobSpec compiler_job(const VerifyRequest& request, const std::filesystem::path& directory, std::vector<std::string> words) {
  launch::JobSpec job;
  job.use_mpiexec = false;
  job.limits.wall = std::chrono::minutes{2};
  job.environment["TMPDIR"] = directory.string();
  job.program = std::move(words);
  if (request.compiler) request.compiler(job);
  return job;
}

std::vector<std::string> compiler_words(const VerifyRequest& request, std::initializer_list<std::string> more) {
  std::vector<std::string> words = {mpi_compiler(is_cpp(request.program)).string()};
  words.insert(words.end(), request.cflags.begin(), request.cflags.end());
  // MPICH's MPI_STATUSES_IGNORE looks to gcc like an array without room: a false alarm, and no learner's business.
  words.insert(words.end(), {"-g", "-fdiagnostics-color=never", "-Wno-stringop-overflow"});
  words.insert(words.end(), more);
  return words;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); }

struct Compiled {
  bool ok = false;
  std::string text, limit;
};

Compiled outcome(launch::Job& job, const GoOn& go_on = {}) {
  while (job.poll()) {
    if (go_on && !go_on()) job.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Compiled out;
  out.ok = job.status().exit_status == 0;
  out.text = job.output(0, true).text() + job.output(0, false).text();
  if (!out.ok && out.text.empty()) out.text = job.output(-1, true).text();
  out.limit = limit_of(job.status());
  return out;
}

std::filesystem::path probe_library(const launch::Installation& installation) { return installation.lib() / "libp2plab-probe.so"; }

/// A program that `p2plab cc` has linked, and one whose accesses are told: by names that only those hold.
bool holds(const std::string& bytes, const char* name) { return bytes.find(name) != std::string::npos; }

/// The first line of a script behind "#!".
std::string interpreter(const std::string& bytes) {
  const std::size_t begin = bytes.find_first_not_of(" \t", 2), end = bytes.find_first_of("\r\n", 2);
  return begin == std::string::npos || begin >= end ? "?" : bytes.substr(begin, std::min(end - begin, std::size_t{80}));
}

/// The MPI library that stands among the bytes of a program, as VerifyPrograms::not_mpi has it.
std::string other_mpi(const std::string& bytes) {
  if (holds(bytes, "libmpich.so") || holds(bytes, "libp2plab-probe.so") || holds(bytes, "PMPI_")) return "";
  const std::size_t at = bytes.find("libmpi.so");
  return at == std::string::npos ? "-" : std::string(bytes.c_str() + at);
}

VerifyPrograms executable(const launch::Installation& installation, const VerifyRequest& request) {
  VerifyPrograms out;
  if (std::filesystem::is_directory(request.program)) throw Error("verify.folder", {{"path", request.program.string()}});
  if (::access(request.program.c_str(), X_OK) != 0) {
    throw Error("verify.not_executable", {{"path", request.program.string()}});
  }
  out.plain = out.access = std::filesystem::absolute(request.program);
  std::ifstream in(out.plain, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (bytes.starts_with("#!")) throw Error("verify.script", {{"path", request.program.string()}, {"interpreter", interpreter(bytes)}});
  if (!bytes.starts_with("\x7f""ELF")) throw Error("verify.not_a_binary", {{"path", request.program.string()}});
  out.not_mpi = other_mpi(bytes);
  out.preload = !holds(bytes, "libp2plab-probe.so");
  out.instrumented = !out.preload && holds(bytes, "__tsan_func_entry");
  if (out.not_mpi.empty()) out.around = calls_around(probe_library(installation), out.plain);
  return out;
}

}  // namespace

bool is_source(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return std::find(kSources.begin(), kSources.end(), extension) != kSources.end();
}
bool is_cpp(const std::filesystem::path& file) { return is_source(file) && file.extension() != ".c"; }

std::filesystem::path mpi_compiler(bool cpp) {
  const std::string name = cpp ? "mpicxx.mpich" : "mpicc.mpich";
  std::filesystem::path found = launch::find_program(name);
  if (found.empty()) throw Error("verify.no_compiler", {{"name", name}});
  return found;
}

std::string limit_of(const launch::JobStatus& status) {
  if (status.end == launch::JobEnd::wall_limit) return "time";
  return status.end == launch::JobEnd::memory_limit ? "memory" : "";
}

const std::vector<std::string>& access_flags() {
  static const std::vector<std::string> kFlags = {"-O0", "-g", "-fno-builtin", "-fno-omit-frame-pointer", "-fsanitize=thread", "-Wno-tsan"};
  return kFlags;
}

std::vector<std::string> probe_flags(const launch::Installation& installation) {
  return {"-L" + installation.lib().string(), "-lp2plab-probe", "-Wl,-rpath," + installation.lib().string()};
}

namespace {

/// True when not even an empty program can be built with these flags.
bool refuses_flags(const launch::Installation& installation, VerifyRequest request, const std::filesystem::path& directory) {
  if (request.cflags.empty()) return false;
  request.program = directory / ("empty" + request.program.extension().string());
  std::ofstream(request.program) << "int main(void) { return 0; }\n";
  launch::Job job(installation, compiler_job(request, directory, compiler_words(request, {request.program.string(), "-o", (directory / "empty").string()})));
  return !outcome(job).ok;
}

}  // namespace

VerifyPrograms build_programs(const launch::Installation& installation, const VerifyRequest& request, const std::filesystem::path& directory, const GoOn& go_on) {
  if (request.program.empty()) throw Error("verify.empty_path");
  if (!std::filesystem::exists(request.program)) throw Error("verify.no_program", {{"path", request.program.string()}});
  if (!is_source(request.program)) return executable(installation, request);
  VerifyPrograms out;
  out.plain = directory / "plain";
  out.access = directory / "access";
  const std::string source = request.program.string(), object = (directory / "access.o").string();

  // A call in tail position keeps its line only without that optimization.
  auto plain_words = compiler_words(request, {"-fno-optimize-sibling-calls", source, "-o", out.plain.string()});
  append(plain_words, probe_flags(installation));
  append(plain_words, {"-pthread", "-lm"});
  auto access_words = compiler_words(request, {"-pthread"});
  append(access_words, access_flags());
  append(access_words, {"-c", source, "-o", object});
  launch::Job plain(installation, compiler_job(request, directory, std::move(plain_words)));
  launch::Job access(installation, compiler_job(request, directory, std::move(access_words)));
  const Compiled instrumented = outcome(access, go_on);
  // Linked without -fsanitize: the compiler would add the runtime that the profiling layer stands for.
  auto link_words = compiler_words(request, {object, "-o", out.access.string()});
  append(link_words, probe_flags(installation));
  append(link_words, {"-pthread", "-lm"});
  std::optional<launch::Job> link;
  if (instrumented.ok) link.emplace(installation, compiler_job(request, directory, std::move(link_words)));
  const Compiled first = outcome(plain, go_on);
  if (!first.ok) {
    out.failed = true;
    out.compiler_text = first.text;
    out.limit = first.limit;
    out.bad_flags = first.limit.empty() && !(go_on && !go_on()) && refuses_flags(installation, request, directory);
    return out;
  }
  out.instrumented = link && outcome(*link, go_on).ok;
  if (!out.instrumented) out.access = out.plain;
  out.around = calls_around(probe_library(installation), out.plain);
  return out;
}

}  // namespace p2plab::check
