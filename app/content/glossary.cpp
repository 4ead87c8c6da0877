// See glossary.h.
#include "app/content/glossary.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>

#include "app/trace/error.h"

namespace p2plab::content {
namespace {

/// Of a word or of a name in code.
bool latin_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool same_letters(std::string_view text, std::string_view spelling) {
  return std::equal(text.begin(), text.end(), spelling.begin(), spelling.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  });
}

}  // namespace

Glossary::Glossary(const std::filesystem::path& file) {
  const auto broken = [&](toml::source_index line, const std::string& what) {
    return Error("lesson.broken", {{"file", file.string()}, {"line", std::to_string(line)}, {"what", what}});
  };
  toml::table root;
  try {
    root = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw broken(error.source().begin.line, std::string(error.description()));
  }
  const toml::array* terms = root["term"].as_array();
  if (terms == nullptr || !terms->is_homogeneous<toml::table>()) throw broken(1, "write [[term]] for each term");
  for (const toml::node& node : *terms) {
    const toml::table& table = *node.as_table();
    Term term;
    term.name = {table["en"].value_or(std::string()), table["zh"].value_or(std::string())};
    term.says = {table["says"]["en"].value_or(std::string()), table["says"]["zh"].value_or(std::string())};
    if (term.name.en.empty() || term.name.zh.empty() || term.says.en.empty() || term.says.zh.empty())
      throw broken(table.source().begin.line, "a term needs en, zh and says = { en, zh }");
    if (const toml::array* also = table["also"].as_array())
      for (const toml::node& each : *also) term.also.push_back(each.value_or(std::string()));
    terms_.push_back(std::move(term));
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    spellings_.push_back({terms_[i].name.en, i});
    if (terms_[i].name.zh != terms_[i].name.en) spellings_.push_back({terms_[i].name.zh, i});
    for (const std::string& each : terms_[i].also) spellings_.push_back({each, i});
  }
  std::stable_sort(spellings_.begin(), spellings_.end(), [](const Spelling& a, const Spelling& b) { return a.text.size() > b.text.size(); });
}

std::vector<Found> Glossary::find(std::string_view text) const {
  std::vector<Found> out;
  std::vector<bool> known(terms_.size(), false);
  for (std::size_t at = 0; at < text.size();) {
    const Spelling* found = nullptr;
    for (const Spelling& each : spellings_) {
      const std::size_t end = at + each.text.size();
      if (end > text.size() || !same_letters(text.substr(at, each.text.size()), each.text)) continue;
      const bool inside = (latin_letter(text[at]) && at > 0 && latin_letter(text[at - 1])) ||
                          (latin_letter(text[end - 1]) && end < text.size() && latin_letter(text[end]) && text[end] != 's');
      if (inside) continue;
      found = &each;
      break;
    }
    if (found == nullptr) {
      ++at;
      continue;
    }
    if (!known[found->term]) out.push_back({at, at + found->text.size(), &terms_[found->term]});
    known[found->term] = true;
    at += found->text.size();
  }
  return out;
}

}  // namespace p2plab::content
