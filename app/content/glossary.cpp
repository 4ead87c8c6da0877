// See glossary.h.
#include "app/content/glossary.h"

#include <algorithm>
#include <cctype>

#include "app/content/toml_reader.h"

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
  const toml::table root = parse_toml(file);
  for (const TomlReader& reader : TomlReader(file, root).tables("term")) {
    reader.only({"en", "zh", "says", "also"});
    terms_.push_back({.name = {reader.text("en"), reader.text("zh")}, .says = reader.bilingual("says"), .also = reader.texts("also")});
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
