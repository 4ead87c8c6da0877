// See lab_program.h.
#include "app/check/lab_program.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/check/program_symbols.h"
#include "app/check/verify_build.h"
#include "app/content/nearest.h"
#include "app/launch/compile.h"
#include "app/launch/job.h"
#include "app/launch/sandbox.h"

namespace p2plab::check {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestSource = 4u << 20;
constexpr std::uint64_t kCompilerBytes = 2ull << 30;  ///< a source that asks for more is made to
constexpr std::chrono::minutes kCompilerPatience{2};

std::string bytes_of_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Line ends of another system are no change.
std::string unix_lines(std::string text) {
  std::erase(text, '\r');
  return text;
}

bool is_litter(const std::string& name) { return name == "__MACOSX" || name == ".DS_Store" || name == "Thumbs.db" || name == "desktop.ini"; }

/// A link in what was handed in that shows a file of somebody else.
bool leads_out(const fs::path& file, const fs::path& folder) {
  std::error_code none;
  const fs::path inside = fs::weakly_canonical(file, none).lexically_relative(fs::weakly_canonical(folder, none));
  return inside.empty() || *inside.begin() == "..";
}

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::symlink_status(path, none).type() != fs::file_type::not_found;
}

/// The lab's file in a folder that was handed in, or in the one folder within it that holds it.
TextRef find_file(const LabManifest& lab, const fs::path& given, LabWork& work) {
  work.folder = given;
  work.file = given / lab.file;
  if (is_there(work.file)) return {};
  std::vector<std::string> wrapping, sources;
  std::error_code failure;
  for (fs::directory_iterator entry(given, failure), end; !failure && entry != end; entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    std::error_code none;
    if (is_litter(name)) work.ignored.push_back(name);
    else if (entry->is_directory(none) && is_there(entry->path() / lab.file)) wrapping.push_back(name);
    else if (entry->path().extension() == ".cpp") sources.push_back(name);
  }
  if (failure) return {"lab.unreadable", {{"path", given.string()}, {"why", failure.message()}}};
  std::sort(sources.begin(), sources.end());
  std::sort(wrapping.begin(), wrapping.end());
  if (wrapping.empty() && sources.empty()) return {"lab.no_file", {{"path", given.string()}, {"file", lab.file}, {"lab", lab.id}}};
  if (wrapping.empty()) return {"lab.other_name", {{"path", given.string()}, {"file", lab.file}, {"found", content::join(sources)}}};
  if (wrapping.size() > 1) return {"lab.several", {{"path", given.string()}, {"file", lab.file}, {"found", content::join(wrapping)}}};
  work.folder = given / wrapping.front();
  work.file = work.folder / lab.file;
  work.ignored.push_back(wrapping.front() + "/");
  return {};
}

/// Why a file cannot be taken for a source.
TextRef no_source(const fs::path& file) {
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::not_found) return {"lab.leads_nowhere", {{"path", file.string()}}};
  if (failure) return {"lab.unreadable", {{"path", file.string()}, {"why", failure.message()}}};
  if (!fs::is_regular_file(status)) return {"lab.no_source", {{"path", file.string()}}};
  const std::uintmax_t size = fs::file_size(file, failure);
  if (!failure && size > kLargestSource) return {"lab.too_large", {{"path", file.string()}, {"most", std::to_string(kLargestSource)}}};
  if (::access(file.c_str(), R_OK) != 0) return {"lab.unreadable", {{"path", file.string()}, {"why", std::strerror(errno)}}};
  return {};
}

/// What the learner calls his file, so that compiler, findings and timeline speak of it by that name; the lab's own name where
/// his is no name of a source, or that of a file which the lab brings along.
std::string name_of_copy(const LabManifest& lab, const fs::path& file) {
  const std::string name = file.filename().string();
  const bool plain = file.extension() == ".cpp" && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") == std::string::npos && name.front() != '-';
  const bool taken = std::any_of(lab.given.begin(), lab.given.end(), [&](const fs::path& given) { return given.filename() == file.filename(); });
  return plain && !taken ? name : lab.file;
}

void copy_given(const LabManifest& lab, const fs::path& folder) {
  fs::create_directories(folder);
  for (const fs::path& file : lab.given) fs::copy_file(file, folder / file.filename(), fs::copy_options::overwrite_existing);
}

/// A compiler of what somebody else has written: no more time and memory than a program needs, and within walls.
std::function<void(launch::JobSpec&)> held(const launch::Installation& installation, const LabManifest& lab, const LabDesk& desk) {
  std::error_code none;
  const fs::path headers = fs::canonical(installation.share() / "include", none);
  return [=, prefix = installation.prefix, hidden = hidden_folders(installation, lab), desk = desk.path()](launch::JobSpec& job) {
    job.limits.wall = kCompilerPatience;
    job.limits.memory_bytes = kCompilerBytes;
    job.environment["TMPDIR"] = desk.string();
    job.wrapper = launch::sandbox({prefix, headers, desk}, hidden, desk);
    job.bare_environment = true;
  };
}

/// A program on the p2p runtime; its lines are told by the name that the learner knows.
launch::Job runtime_compiler(const launch::Installation& installation, const fs::path& folder, const fs::path& file, const fs::path& output,
                             const std::function<void(launch::JobSpec&)>& hold) {
  launch::JobSpec job = launch::compile_job(installation, {folder, file.filename().string(), file, output});
  hold(job);
  for (std::string& word : job.program) {
    if (word.starts_with("-ffile-prefix-map=")) word = "-ffile-prefix-map=" + folder.string() + "/=";
  }
  return launch::Job(installation, std::move(job));
}

std::string end_of(launch::Job& job, bool& good, const GoOn& go_on) {
  while (job.poll()) {
    if (go_on && !go_on()) job.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  good = job.status().exit_status == 0;
  const std::string text = job.output(0, true).text() + job.output(0, false).text();
  return text.empty() ? job.output(-1, true).text() : text;
}

/// The learner's file is told by its name, not by where its copy lies.
std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at; (at = text.find(folder + "/")) != std::string::npos;) text.erase(at, folder.size() + 1);
  return text;
}

void build_sim(const launch::Installation& installation, const LabManifest& lab, const LabDesk& desk, LabProgram& out, const GoOn& go_on) {
  const auto hold = held(installation, lab, desk);
  const fs::path other = desk.path() / "reference", reference = desk.path() / "reference-program";
  std::optional<launch::Job> serial;
  if (lab.reference) {
    fs::create_directories(other);
    for (const fs::path& file : lab.given)  // the serial program has a main of its own
      if (file.filename() != "main.cpp") fs::copy_file(file, other / file.filename());
    fs::copy_file(*lab.reference, other / "reference.cpp");
    serial.emplace(runtime_compiler(installation, other, other / "reference.cpp", reference, hold));
  }
  launch::Job job = runtime_compiler(installation, out.source.parent_path(), out.source, out.plain, hold);
  out.compiler_text = without_folder(end_of(job, out.built, go_on), out.source.parent_path().string());
  out.limit = limit_of(job.status());
  out.access = out.plain;
  if (!serial) return;
  bool good = false;
  const std::string text = end_of(*serial, good, go_on);
  if (!good && go_on && !go_on()) out.built = false;
  else if (!good) throw Error("lab.bad_reference", {{"file", lab.reference->string()}, {"text", text}}, 2);
  out.reference = reference;
}

void build_mpi(const launch::Installation& installation, const LabManifest& lab, LabProgram& out, const LabDesk& desk, const GoOn& go_on) {
  VerifyRequest request;
  request.program = out.source;
  const std::string folder = out.source.parent_path().string();
  request.compiler = held(installation, lab, desk);
  request.cflags = {"-std=c++20", "-O1", "-Wall", "-Wextra", "-I" + folder};
  const VerifyPrograms programs = build_programs(installation, request, desk.path(), go_on);
  out.built = !programs.failed;
  out.limit = programs.limit;
  out.compiler_text = without_folder(programs.compiler_text, folder);
  out.plain = programs.plain;
  out.access = programs.access;
  out.instrumented = programs.instrumented;
}

}  // namespace

std::vector<fs::path> hidden_folders(const launch::Installation& installation, const LabManifest& lab) {
  std::error_code none;
  return {fs::canonical(installation.share() / "labs", none), fs::canonical(lab.folder, none)};
}

LabDesk::LabDesk() {
  std::string name = (fs::temp_directory_path() / "p2plab-check-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw Error("job.cannot_create", {{"path", name}, {"why", std::strerror(errno)}}, 3);
  path_ = name;
}

LabDesk::~LabDesk() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path LabDesk::work_folder() {
  const fs::path folder = path_ / ("run-" + std::to_string(++runs_));
  fs::create_directory(folder);
  return folder;
}

LabWork find_work(const LabManifest& lab, const fs::path& given) {
  LabWork work;
  work.file = given;
  work.missing = !is_there(given);
  if (work.missing) work.fault = {"lab.no_work", {{"path", given.string()}, {"lab", lab.id}}};
  if (work.missing) return work;
  std::error_code none;
  if (fs::is_directory(given, none)) work.fault = find_file(lab, given, work);
  if (work.fault.id.empty()) work.fault = no_source(work.file);
  if (work.fault.id.empty() && !work.folder.empty() && leads_out(work.file, given)) work.fault = {"lab.leads_out", {{"path", work.file.string()}, {"folder", given.string()}}};
  return work;
}

std::vector<std::string> changed_files(const LabManifest& lab, const LabWork& work) {
  std::vector<std::string> changed;
  if (work.folder.empty()) return changed;
  for (const fs::path& file : lab.given) {
    const fs::path theirs = work.folder / file.filename();
    if (!is_there(theirs)) continue;
    const bool readable = !leads_out(theirs, work.folder) && no_source(theirs).id.empty();  // a pipe would never end
    if (!readable || unix_lines(bytes_of_file(theirs)) != unix_lines(bytes_of_file(file))) changed.push_back(file.filename().string());
  }
  return changed;
}

LabProgram build_lab(const launch::Installation& installation, const LabManifest& lab, const fs::path& file, LabDesk& desk, const GoOn& go_on) {
  const fs::path folder = desk.path() / "source";
  copy_given(lab, folder);
  LabProgram out;
  out.source = folder / name_of_copy(lab, file);
  out.plain = desk.path() / "program";
  fs::copy_file(file, out.source, fs::copy_options::overwrite_existing);
  if (lab.world == LabWorld::sim) build_sim(installation, lab, desk, out, go_on);
  else build_mpi(installation, lab, out, desk, go_on);
  return out;
}

std::vector<std::string> forbidden_symbols(const LabManifest& lab, const fs::path& program) {
  std::vector<std::string> found;
  for (const auto& [type, name] : symbols_of(program)) {
    const bool undefined = type == 'U';
    const bool around = undefined && (name.starts_with("PMPI_") || name == "dlsym" || name == "dlopen");
    const bool own = !undefined && (name.starts_with("MPI_") || name.starts_with("PMPI_"));
    const bool listed = undefined && std::find(lab.forbidden.begin(), lab.forbidden.end(), name) != lab.forbidden.end();
    if (around || own || listed) found.push_back(name);
  }
  return found;
}

}  // namespace p2plab::check
