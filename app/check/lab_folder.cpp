// See lab_folder.h.
#include "app/check/lab_folder.h"

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

}  // namespace

bool start_lab(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  const auto all = copies(lab, folder, language);
  for (const Copy& copy : all) {
    if (copy.to.filename() == "TASK.md") continue;
    if (fs::exists(copy.to) && content_of(copy.to) != content_of(copy.from)) throw Error("lab.would_overwrite", {{"path", copy.to.string()}, {"lab", lab.id}});
  }
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("file.unwritable", {{"path", folder.string()}, {"why", failure.message()}});
  bool any = false;
  for (const Copy& copy : all) {
    if (fs::exists(copy.to)) continue;
    put(copy);
    any = true;
  }
  return any;
}

fs::path started_folder(const LabManifest& lab, const fs::path& last) {
  for (const fs::path& folder : {fs::path("."), fs::path(lab.id), last})
    if (std::error_code none; !folder.empty() && fs::exists(folder / lab.file, none)) return folder;
  return {};
}

fs::path reset_lab(const LabManifest& lab, const fs::path& folder, std::string_view language) {
  fs::path kept;
  const fs::path theirs = folder / lab.file;
  if (fs::exists(theirs) && content_of(theirs) != content_of(lab.starter_file())) {
    for (int number = 1; kept.empty() || fs::exists(kept); ++number) kept = folder / (lab.file + "." + std::to_string(number) + ".old");
    fs::rename(theirs, kept);
  }
  fs::create_directories(folder);
  for (const Copy& copy : copies(lab, folder, language)) put(copy);
  return kept;
}

}  // namespace p2plab::check
