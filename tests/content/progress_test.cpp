// The learner's progress survives a crash, a full disk and two programs at once, and keeps what it does not know.
#include "app/content/progress.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "app/content/day.h"
#include "app/trace/error.h"
#include "tests/support/catch.h"

using namespace p2plab;
using content::Progress;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path dir = fs::temp_directory_path() / ("p2plab progress 进度 " + std::to_string(getpid()));
  Folder() { fs::remove_all(dir); }
  ~Folder() { fs::remove_all(dir); }
  fs::path operator/(const char* name) const { return dir / name; }
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("a record comes back with its day and time, and fields of others are kept") {
  const Folder folder;
  Progress progress(folder / "progress.jsonl");
  CHECK(progress.records().empty());
  progress.append({{"kind", "lab"}, {"lab", "03-deadlock-clinic"}, {"future", {{"deep", 1}}}});
  progress.append({{"kind", "review"}, {"card", "a"}});
  REQUIRE(progress.records().size() == 2);
  CHECK(progress.records("lab").front()["future"]["deep"] == 1);
  CHECK(content::parse_day(progress.records("review").front()["day"].get<std::string>()));
  CHECK(text_of(progress.file()).starts_with("{\"schema\":\"p2plab.progress/1\"}\n"));
}

TEST_CASE("a line torn by a crash is passed over, stays in the file, and the next record is whole") {
  const Folder folder;
  Progress progress(folder / "progress.jsonl");
  progress.append({{"kind", "review"}, {"card", "a"}});
  {
    std::ofstream torn(progress.file(), std::ios::app);
    torn << "{\"kind\":\"review\",\"card\":\"b";
  }
  progress.append({{"kind", "review"}, {"card", "c"}});
  const auto records = progress.records();
  REQUIRE(records.size() == 2);
  CHECK(records[1]["card"] == "c");
  CHECK(progress.unreadable() == 1);
  CHECK(text_of(progress.file()).find("\"card\":\"b\n") != std::string::npos);
}

TEST_CASE("a full disk refuses the record and leaves the file as it was") {
  const Folder folder;
  Progress progress(folder / "progress.jsonl");
  progress.append({{"kind", "review"}, {"card", "a"}});
  const std::string before = text_of(progress.file());
  const pid_t pid = fork();
  if (pid == 0) {  // a limit of the file's size: the first bytes are written, the rest is refused, as on a full disk
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 20, before.size() + 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    int status = 1;
    try {
      progress.append({{"kind", "review"}, {"card", std::string(200, 'x')}});
    } catch (const Error& error) {
      status = error.text().id == "progress.unwritable" ? 0 : 2;
    }
    _exit(status);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(text_of(progress.file()) == before);
  progress.append({{"kind", "review"}, {"card", "b"}});
  CHECK(progress.records().size() == 2);
}

TEST_CASE("four programs that write at once lose and mix nothing") {
  const Folder folder;
  constexpr int kPrograms = 4, kEach = 50;
  std::vector<pid_t> pids;
  for (int program = 0; program < kPrograms; ++program) {
    pids.push_back(fork());
    if (pids.back() == 0) {
      Progress progress(folder / "progress.jsonl");
      for (int i = 0; i < kEach; ++i) progress.append({{"kind", "review"}, {"card", std::to_string(program) + "-" + std::to_string(i)}, {"pad", std::string(300, 'p')}});
      _exit(0);
    }
  }
  for (const pid_t pid : pids) waitpid(pid, nullptr, 0);
  const Progress progress(folder / "progress.jsonl");
  CHECK(progress.records().size() == kPrograms * kEach);
  CHECK(progress.unreadable() == 0);
  CHECK(text_of(progress.file()).find("schema", 20) == std::string::npos);  // one head
}

TEST_CASE("progress goes out as one file and comes back once, unknown kinds included") {
  const Folder folder;
  Progress mine(folder / "mine.jsonl"), yours(folder / "yours.jsonl");
  mine.append({{"kind", "review"}, {"card", "a"}});
  mine.append({{"kind", "something-new"}, {"value", "值"}});
  mine.export_to(folder / "carried.jsonl");
  yours.append({{"kind", "review"}, {"card", "b"}});
  CHECK(yours.import_from(folder / "carried.jsonl") == 2);
  CHECK(yours.import_from(folder / "carried.jsonl") == 0);
  CHECK(yours.records().size() == 3);
  CHECK(yours.records("something-new").front()["value"] == "值");
}

TEST_CASE("a file that holds no progress is refused and adds nothing") {
  const Folder folder;
  Progress progress(folder / "progress.jsonl");
  write(folder / "picture.png", "\x89PNG\r\n\x1a\n");
  try {
    progress.import_from(folder / "picture.png");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text().id == "progress.not_progress");
  }
  CHECK_FALSE(fs::exists(progress.file()));
}

TEST_CASE("bytes that are no UTF-8 do not keep a record from being written") {
  const Folder folder;
  Progress progress(folder / "progress.jsonl");
  progress.append({{"kind", "note"}, {"text", "a\xff z"}});
  CHECK(progress.records().size() == 1);
}
