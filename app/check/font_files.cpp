// See font_files.h.
#include "app/check/font_files.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

namespace p2plab::check {
namespace {

std::vector<std::filesystem::path> font_folders() {
  const char* given = std::getenv("P2PLAB_FONT_DIRS");
  if (given == nullptr || *given == '\0')
    return {"/usr/share/fonts/opentype/noto", "/usr/share/fonts/opentype/noto-cjk", "/usr/share/fonts/noto-cjk", "/usr/share/fonts/truetype/dejavu"};
  std::vector<std::filesystem::path> out;
  std::istringstream list(given);
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) out.emplace_back(folder);
  return out;
}

}  // namespace

std::vector<FontFile> font_files(bool monospaced) {
  std::vector<FontFile> out;
  const auto folders = font_folders();
  for (const auto& folder : folders) out.push_back({folder / "NotoSansCJK-Regular.ttc", monospaced ? 7 : 2, true});
  for (const auto& folder : folders) out.push_back({folder / (monospaced ? "DejaVuSansMono.ttf" : "DejaVuSans.ttf"), 0, false});
  return out;
}

std::optional<std::filesystem::path> chinese_font() {
  const auto all = font_files(false);
  std::error_code none;
  const auto found = std::find_if(all.begin(), all.end(), [&](const FontFile& each) { return each.chinese && std::filesystem::exists(each.path, none); });
  if (found == all.end()) return std::nullopt;
  return found->path;
}

}  // namespace p2plab::check
