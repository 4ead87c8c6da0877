// See sources.h.
#include "app/content/sources.h"

#include <algorithm>

#include "app/content/toml_reader.h"

namespace p2plab::content {
namespace {

void mark_inlines(Inlines& inlines, const std::vector<Source>& sources, const Text& text) {
  Inlines out;
  for (Inline& each : inlines) {
    const std::string status = cited(sources, each.target).status;
    out.push_back(std::move(each));
    if (status == "secondary") out.push_back({text("lesson.secondary"), Inline::plain, ""});
    if (status == "recall") out.push_back({text("lesson.recall"), Inline::plain, ""});
  }
  inlines = std::move(out);
}

void mark_blocks(std::vector<Block>& blocks, const std::vector<Source>& sources, const Text& text) {
  for (Block& block : blocks) {
    mark_inlines(block.inlines, sources, text);
    for (auto& row : block.rows)
      for (auto& cell : row) mark_inlines(cell, sources, text);
    mark_blocks(block.children, sources, text);
  }
}

}  // namespace

std::vector<Source> load_sources(const std::filesystem::path& file) {
  const toml::table root = parse_toml(file);
  std::vector<Source> out;
  for (const TomlReader& reader : TomlReader(file, root).tables("source")) {
    reader.only({"id", "title", "url", "sections"});
    Source source{reader.text("id"), reader.text("title"), reader.text_or("url", ""), reader.values("sections")};
    if (source.sections.empty()) reader.broken("a source needs sections");
    for (const auto& [section, status] : source.sections)
      if (status != "checked" && status != "secondary" && status != "recall") reader.broken("\"" + section + "\" is checked, secondary or recall");
    out.push_back(std::move(source));
  }
  return out;
}

Cited cited(const std::vector<Source>& sources, const std::string& target) {
  constexpr std::string_view scheme = "source:";
  if (!target.starts_with(scheme)) return {};
  const std::size_t slash = target.find('/');
  const std::string id = target.substr(scheme.size(), slash == std::string::npos ? slash : slash - scheme.size());
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const Source& each) { return each.id == id; });
  if (found == sources.end() || slash == std::string::npos) return {};
  std::string section = target.substr(slash + 1);
  std::replace(section.begin(), section.end(), '_', ' ');  // an address in Markdown has no blanks
  const auto at = found->sections.find(section);
  return {&*found, section, at == found->sections.end() ? std::string() : at->second};
}

void mark_citations(Document& document, const std::vector<Source>& sources, const Text& text) { mark_blocks(document.blocks, sources, text); }

}  // namespace p2plab::content
