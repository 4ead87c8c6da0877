// See lab_folder.h.
#include "app/check/lab_folder.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "app/trace/atomic_file.h"

namespace p2plab::check {

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// What a lab puts into a learner's folder: from where, under which name, and whether he may write to it.
struct Copy {
  fs::path from, to;
  bool read_only = true;
};

std::vector<Copy> copies(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  std::vector<Copy> out = {{lab.starter_file(), folder / lab.file, false}, {lab.task(language), folder / "TASK.md", false}};
  for (const fs::path& file : lab.given) out.push_back({file, folder / file.filename(), true});
  return out;
}

void put(const Copy& copy) {
  std::error_code ignored;
  fs::permissions(copy.to, fs::perms::owner_write, fs::perm_options::add, ignored);
  trace::write_file(copy.to, content_of(copy.from));
  if (copy.read_only) fs::permissions(copy.to, fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, ignored);
}

/// Takes away what was made, the last first, unless it is told that all went well. Folders that hold something stay.
struct Undo {
  std::vector<fs::path> made;
  ~Undo() {
    std::error_code ignored;
    for (; !made.empty(); made.pop_back()) fs::remove(made.back(), ignored);
  }
};

bool start(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  const auto all = copies(lab, folder, language);
  for (const Copy& copy : all) {
    if (copy.to.filename() == "TASK.md") continue;
    if (fs::exists(copy.to) && content_of(copy.to) != content_of(copy.from)) throw Error("lab.would_overwrite", {{"path", copy.to.string()}, {"lab", lab.id}});
  }
  Undo undo;
  std::error_code failure;
  for (fs::path above = fs::absolute(folder).lexically_normal(); fs::symlink_status(above, failure).type() == fs::file_type::not_found; above = above.parent_path()) undo.made.push_back(above);
  std::reverse(undo.made.begin(), undo.made.end());
  fs::create_directories(folder, failure);
  if (failure) throw Error("file.unwritable", {{"path", folder.string()}, {"why", failure.message()}});
  bool any = false;
  for (const Copy& copy : all) {
    if (fs::exists(copy.to)) continue;
    put(copy);
    undo.made.push_back(copy.to);
    any = true;
  }
  undo.made.clear();
  return any;
}

fs::path put_back(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  fs::path kept;
  const fs::path theirs = folder / lab.file;
  if (fs::exists(theirs) && content_of(theirs) != content_of(lab.starter_file())) {
    for (int number = 1; kept.empty() || fs::exists(kept); ++number) kept = folder / (lab.file + "." + std::to_string(number) + ".old");
    fs::rename(theirs, kept);
  }
  try {
    fs::create_directories(folder);
    for (const Copy& copy : copies(lab, folder, language)) put(copy);
  } catch (...) {
    std::error_code ignored;
    if (!kept.empty()) fs::rename(kept, theirs, ignored);
    throw;
  }
  return kept;
}

/// What the file system refuses is told as any other error.
template <typename Work>
auto told(const Work& work) {
  try {
    return work();
  } catch (const fs::filesystem_error& error) {
    throw Error("file.unwritable", {{"path", error.path1().string()}, {"why", error.code().message()}});
  }
}

}  // namespace

bool start_lab(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  return told([&] { return start(lab, folder, language); });
}

fs::path started_folder(const LabManifest& lab, const fs::path& last) {
  for (const fs::path& folder : {fs::path("."), fs::path(lab.id), last})
    if (std::error_code none; !folder.empty() && fs::exists(folder / lab.file, none)) return folder;
  return {};
}

fs::path reset_lab(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  return told([&] { return put_back(lab, folder, language); });
}

}  // namespace p2plab::check
