// Font files mapped into memory, glyph ranges from the characters that are wanted.
#include "app/gui/fonts.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/check/font_files.h"
#include "app/gui/imgui_compat.h"

namespace p2plab::gui {
namespace {

/// Length of the UTF-8 sequence that starts with this byte; 0 if none does.
int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

}  // namespace

void add_characters(Characters& to, std::string_view utf8) {
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const int length = sequence_length(lead);
    if (length == 0 || i + static_cast<std::size_t>(length) > utf8.size()) {
      ++i;
      continue;
    }
    char32_t c = length == 1 ? lead : lead & (0xffu >> (length + 1));
    bool good = true;
    for (int k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(utf8[i + static_cast<std::size_t>(k)]);
      good = good && (next & 0xc0) == 0x80;
      c = (c << 6) | (next & 0x3f);
    }
    i += good ? static_cast<std::size_t>(length) : 1;
    if (good && c >= 0x20) to.insert(c);
  }
}

Characters basic_characters() {
  Characters out;
  const auto range = [&out](char32_t first, char32_t last) { for (char32_t c = first; c <= last; ++c) out.insert(c); };
  range(0x20, 0x7e);      // ASCII
  range(0xa0, 0xff);      // Latin-1
  range(0x391, 0x3a9);    // Greek capitals
  range(0x3b1, 0x3c9);    // Greek
  range(0x2190, 0x2193);  // arrows
  range(0x3001, 0x3002);  // 、。
  add_characters(out, "–—‘’“”…•·‰′″⇄⇒⇔∀∂∅∈∏∑−∕√∝∞∧∨∩∪∫≈≠≡≤≥⊂×÷±²³¹µ½¼「」《》（），：；？！【】％");
  out.erase(0x3a2);       // not assigned
  return out;
}

bool needs_more(const Characters& have, std::string_view utf8) {
  Characters wanted;
  add_characters(wanted, utf8);
  for (const char32_t c : wanted)
    if (!have.contains(c)) return true;
  return false;
}

/// A font file in memory.
struct Fonts::File {
  void* data = nullptr;
  std::size_t bytes = 0;
  int face = 0;
  bool chinese = false;

  static std::unique_ptr<File> first_of(const std::vector<check::FontFile>& candidates) {
    for (const auto& candidate : candidates) {
      const int fd = ::open(candidate.path.c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) continue;
      struct stat status {};
      void* data = MAP_FAILED;
      if (::fstat(fd, &status) == 0 && status.st_size > 0)
        data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
      ::close(fd);
      if (data == MAP_FAILED) continue;
      auto file = std::make_unique<File>();
      file->data = data;
      file->bytes = static_cast<std::size_t>(status.st_size);
      file->face = candidate.face;
      file->chinese = candidate.chinese;
      return file;
    }
    return nullptr;
  }
  ~File() { ::munmap(data, bytes); }
};

Fonts::Fonts() : sans_(File::first_of(check::font_files(false))), mono_(File::first_of(check::font_files(true))) {}
Fonts::~Fonts() = default;

bool Fonts::has_chinese() const { return sans_ && sans_->chinese; }

void Fonts::build(float scale, const Characters& wanted) {
  ranges_.clear();
  for (const char32_t c : wanted) {
    if (c > 0xffff) continue;  // ImGui's characters have 16 bits here
    const auto w = static_cast<ImWchar>(c);
    if (!ranges_.empty() && ranges_.back() + 1 == w) ranges_.back() = w;
    else ranges_.insert(ranges_.end(), {w, w});
  }
  ranges_.push_back(0);

  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  const auto load = [&](const File* file, float size) {
    ImFontConfig config;
    config.OversampleH = 1;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    const float pixels = static_cast<float>(static_cast<int>(size * scale + 0.5f));
    if (!file) {
      config.SizePixels = pixels;
      return atlas.AddFontDefault(&config);
    }
    config.FontDataOwnedByAtlas = false;
    config.FontNo = file->face;
    return atlas.AddFontFromMemoryTTF(file->data, static_cast<int>(file->bytes), pixels, &config, ranges_.data());
  };
  body = load(sans_.get(), 17);
  title = load(sans_.get(), 24);
  small = load(sans_.get(), 14);
  code = load(mono_.get(), 14);
  ImGui::GetIO().FontDefault = body;
  compat::build_atlas();
}

std::vector<char32_t> Fonts::missing(const Characters& wanted) const {
  std::vector<char32_t> out;
  for (const char32_t c : wanted)
    if (c > 0xffff || !compat::has_glyph(body, static_cast<ImWchar>(c)) || !compat::has_glyph(code, static_cast<ImWchar>(c)))
      out.push_back(c);
  return out;
}

}  // namespace p2plab::gui
