// See editor.h.
#include "app/gui/model/editor.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "app/launch/installation.h"

namespace p2plab::gui {
namespace {

std::vector<std::string> words_of(const char* text) {
  std::istringstream in(text == nullptr ? "" : text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

}  // namespace

std::vector<std::string> editor_command() {
  std::vector<std::string> words = words_of(std::getenv("VISUAL"));
  if (words.empty()) words = {"xdg-open"};
  if (words.front().find('/') == std::string::npos) {
    const auto found = launch::find_program(words.front());
    if (found.empty()) return {};
    words.front() = found.string();
  }
  return words;
}

void Editor::open(const std::filesystem::path& file) {
  problem_.reset();
  std::vector<std::string> words = editor_command();
  if (words.empty()) {
    problem_ = TextRef{"labs.no_editor", {{"file", file.string()}}};
    return;
  }
  name_ = std::filesystem::path(words.front()).filename().string();
  words.push_back(file.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // keys of a terminal that end the window are not the editor's
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) problem_ = TextRef{"labs.editor_failed", {{"editor", name_}, {"why", std::strerror(error)}}};
  else started_.push_back(pid);
}

bool Editor::poll() {
  bool said = false;
  for (std::size_t i = started_.size(); i-- > 0;) {
    int status = 0;
    if (::waitpid(started_[i], &status, WNOHANG) == 0) continue;
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 0) continue;
    problem_ = TextRef{"labs.editor_ended", {{"editor", name_}, {"status", std::to_string(WEXITSTATUS(status))}}};
    said = true;
  }
  return said;
}

}  // namespace p2plab::gui
