// See sources.h.
#include "app/content/sources.h"

#include <toml++/toml.h>

#include <algorithm>

#include "app/trace/error.h"

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
  const auto broken = [&](toml::source_index line, const std::string& what) {
    return Error("lesson.broken", {{"file", file.string()}, {"line", std::to_string(line)}, {"what", what}});
  };
  toml::table root;
  try {
    root = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw broken(error.source().begin.line, std::string(error.description()));
  }
  const toml::array* list = root["source"].as_array();
  if (list == nullptr || !list->is_homogeneous<toml::table>()) throw broken(1, "write [[source]] for each source");
  std::vector<Source> out;
  for (const toml::node& node : *list) {
    const toml::table& table = *node.as_table();
    Source source{table["id"].value_or(std::string()), table["title"].value_or(std::string()), table["url"].value_or(std::string()), {}};
    const toml::table* sections = table["sections"].as_table();
    if (source.id.empty() || source.title.empty() || sections == nullptr || sections->empty())
      throw broken(table.source().begin.line, "a source needs id, title and sections");
    for (const auto& [section, status] : *sections) {
      const std::string word = status.value_or(std::string());
      if (word != "checked" && word != "secondary" && word != "recall")
        throw broken(status.source().begin.line, "a section is checked, secondary or recall");
      source.sections[std::string(section.str())] = word;
    }
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
