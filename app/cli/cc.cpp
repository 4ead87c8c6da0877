// p2plab cc, p2plab c++: MPICH's compilers for programs that are to be verified. Sources are compiled so that their memory
// accesses are told, and programs are linked with the profiling layer; everything else passes through.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/check/verify_build.h"
#include "app/cli/commands.h"

extern char** environ;

namespace p2plab::cli {

namespace {

/// These make no program.
constexpr std::array<std::string_view, 8> kNoLink = {"-c", "-S", "-E", "-M", "-MM", "--version", "-dumpversion", "-dumpmachine"};
/// These are followed by a word of their own.
constexpr std::array<std::string_view, 10> kTakesWord = {"-o", "-I", "-L", "-include", "-isystem", "-D", "-MF", "-MT", "-MQ", "-x"};

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  throw Error("job.no_program", {{"program", words[0]}, {"why", std::strerror(errno)}}, 3);
}

int run(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); }

}  // namespace

int compile_for_verify(const launch::Installation& installation, bool cpp, const std::vector<std::string>& given) {
  const std::string compiler = check::mpi_compiler(cpp).string();
  const auto is_one_of = [](const auto& all, const std::string& word) { return std::find(all.begin(), all.end(), word) != all.end(); };
  const bool links = !given.empty() && std::none_of(given.begin(), given.end(), [&](const std::string& word) { return is_one_of(kNoLink, word); });
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (is_one_of(kTakesWord, given[i])) {
      ++i;
    } else if (!given[i].starts_with("-") && check::is_source(given[i])) {
      sources.push_back(i);
    }
  }

  std::vector<std::string> words = {compiler};
  append(words, given);
  if (!links) {
    if (!sources.empty()) append(words, check::access_flags());
    become(words);
  }
  if (sources.empty()) {
    append(words, check::probe_flags(installation));
    become(words);
  }
  // Compiled and linked at once: the objects are made first, for the link must not see -fsanitize.
  std::string folder = (std::filesystem::temp_directory_path() / "p2plab-cc-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw Error("job.cannot_create", {{"path", folder}, {"why", std::strerror(errno)}}, 3);
  int status = 0;
  for (std::size_t k = 0; k < sources.size() && status == 0; ++k) {
    const std::string object = folder + "/" + std::to_string(k) + ".o";
    std::vector<std::string> compile = {compiler};
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i] == "-o") {
        ++i;
      } else if (std::find(sources.begin(), sources.end(), i) == sources.end() && !given[i].starts_with("-l") && !given[i].starts_with("-Wl,")) {
        compile.push_back(given[i]);
      }
    }
    append(compile, check::access_flags());
    append(compile, {"-c", given[sources[k]], "-o", object});
    status = run(compile);
    words[sources[k] + 1] = object;
  }
  if (status == 0) {
    append(words, check::probe_flags(installation));
    status = run(words);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return status;
}

// Only for the help: main() hands the words over before anything is parsed, for every one of them is the compiler's.
void add_cc(CLI::App& app, Context& context) {
  app.add_subcommand("cc", context("help.cc"))->footer(context("help.cc_examples"));
  app.add_subcommand("c++", context("help.cxx"))->footer(context("help.cxx_examples"));
}

}  // namespace p2plab::cli
