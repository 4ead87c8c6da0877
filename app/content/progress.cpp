// See progress.h.
#include "app/content/progress.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "app/content/day.h"
#include "app/trace/atomic_file.h"
#include "app/trace/error.h"

namespace p2plab::content {

namespace {

namespace fs = std::filesystem;
constexpr const char* kSchema = "p2plab.progress/1";

/// The file, opened for adding and locked against other programs until the end.
class LockedLog {
 public:
  explicit LockedLog(const fs::path& file) : path_(file) {
    if (file.empty()) throw Error("progress.no_home");
    std::error_code failure;
    fs::create_directories(file.parent_path(), failure);
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor_ < 0) fail(failure ? failure.value() : errno);
    while (::flock(descriptor_, LOCK_EX) != 0)
      if (errno != EINTR) {
        const int why = errno;
        ::close(descriptor_);
        fail(why);
      }
  }
  ~LockedLog() { ::close(descriptor_); }
  LockedLog(const LockedLog&) = delete;
  LockedLog& operator=(const LockedLog&) = delete;

  /// Lines, each with its end. What cannot be written whole is taken back.
  void add(std::string lines) {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail(errno);
    char last = '\n';
    if (status.st_size > 0 && ::pread(descriptor_, &last, 1, status.st_size - 1) != 1) fail(errno);
    if (last != '\n') lines.insert(0, 1, '\n');  // a torn line stays alone
    if (status.st_size == 0) lines.insert(0, Progress::Record{{"schema", kSchema}}.dump() + "\n");
    std::size_t done = 0;
    while (done < lines.size()) {
      const auto wrote = ::write(descriptor_, lines.data() + done, lines.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) take_back(status.st_size, wrote < 0 ? errno : ENOSPC);
      done += static_cast<std::size_t>(wrote);
    }
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) take_back(status.st_size, errno);
  }

 private:
  [[noreturn]] void take_back(off_t size, int why) const {
    if (::ftruncate(descriptor_, size) != 0) errno = 0;  // then a torn line remains, which readers pass over
    fail(why);
  }
  [[noreturn]] void fail(int why) const { throw Error("progress.unwritable", {{"path", path_.string()}, {"why", std::strerror(why)}}); }

  fs::path path_;
  int descriptor_ = -1;
};

std::vector<Progress::Record> read_log(const fs::path& file, int& unreadable) {
  std::ifstream in(file, std::ios::binary);
  std::vector<Progress::Record> out;
  unreadable = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto record = Progress::Record::parse(line, nullptr, false);
    if (!record.is_object()) ++unreadable;
    else if (!record.contains("schema")) out.push_back(std::move(record));
  }
  return out;
}

/// The same record is the same text, whatever order its fields were written in.
std::string identity(const Progress::Record& record) { return nlohmann::json(record).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

std::string as_line(const Progress::Record& record) { return record.dump(-1, ' ', false, Progress::Record::error_handler_t::replace) + "\n"; }

fs::path within_data(const char* name) {
  try {
    return data_directory() / name;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

fs::path data_directory() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return fs::path(data) / "p2plab";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') throw Error("progress.no_home");
  return fs::path(home) / ".local/share/p2plab";
}

fs::path kept_runs() { return within_data("runs"); }
fs::path progress_file() { return within_data("progress.jsonl"); }

std::vector<Progress::Record> Progress::records() const { return read_log(file_, unreadable_); }

std::vector<Progress::Record> Progress::records(std::string_view kind) const {
  auto out = records();
  std::erase_if(out, [&](const Record& record) { return !record.contains("kind") || record["kind"] != kind; });
  return out;
}

void Progress::append(Record record) {
  if (!record.contains("at")) record["at"] = now_utc();
  if (!record.contains("day")) record["day"] = to_string(today());
  LockedLog(file_).add(as_line(record));
}

void Progress::export_to(const fs::path& file) const {
  if (file_.empty()) throw Error("progress.no_home");
  std::string text = as_line({{"schema", kSchema}});
  for (const Record& record : records()) text += as_line(record);
  trace::write_file(file, text);
}

int Progress::import_from(const fs::path& file) {
  if (!fs::is_regular_file(file)) throw Error("progress.no_file", {{"path", file.string()}});
  int torn = 0;
  const auto theirs = read_log(file, torn);
  if (theirs.empty()) throw Error("progress.not_progress", {{"path", file.string()}});
  LockedLog log(file_);
  std::set<std::string> mine;
  for (const Record& record : read_log(file_, torn)) mine.insert(identity(record));
  std::string lines;
  int count = 0;
  for (const Record& record : theirs) {
    if (!mine.insert(identity(record)).second) continue;
    lines += as_line(record);
    ++count;
  }
  if (count > 0) log.add(std::move(lines));
  return count;
}

}  // namespace p2plab::content
