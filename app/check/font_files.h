// Where the fonts of the window are looked for: one list, for the window and for `p2plab doctor`.
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

namespace p2plab::check {

struct FontFile {
  std::filesystem::path path;
  int face = 0;  ///< of a collection
  bool chinese = false;
};

/// Best first, whether they are there or not: Noto Sans CJK SC, then DejaVu, in the folders of $P2PLAB_FONT_DIRS (with ':'
/// between them); without it, in those where Debian and its relatives put them.
std::vector<FontFile> font_files(bool monospaced);

/// The first of these that is there and has Chinese characters.
std::optional<std::filesystem::path> chinese_font();

}  // namespace p2plab::check
