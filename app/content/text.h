// Every text a person reads: an id looked up in zh or en. A text's twin stands beside it in assets/text/AREA.toml:
//   [verdict]
//   deadlock = { en = "Deadlock", zh = "死锁" }          # id "verdict.deadlock"
//   wrote    = { en = "Wrote {file}.", zh = "已写入 {file}。" }
//   ranks    = { en = "{n} {n|rank|ranks}", zh = "{n} 个 rank" }   # the word for 1, and for any other number
//   "limit@window" = { en = …, zh = … }                            # "verdict.limit" where the text is read in the window
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/trace/error.h"

namespace p2plab::content {

enum class Language { en, zh };
/// "en" or "zh"; throws Error "usage.language" otherwise.
Language parse_language(std::string_view word);
/// From LC_ALL, LC_MESSAGES, LANG; English unless it starts with "zh".
Language language_from_environment();

/// The text of both languages, loaded once.
class Text {
 public:
  /// Reads all of DIR/*.toml; throws Error "text.broken" naming the file.
  explicit Text(const std::filesystem::path& dir, Language language = Language::en);
  void use(Language language) { language_ = language; }
  Language language() const { return language_; }
  /// Where the texts are read: an id that has a text for that place ("why.limit@window") is read as it stands there. What
  /// one command can advise, another has no option for, and the window has none at all.
  void use_place(std::string place) { place_ = std::move(place); }
  /// The text with {name} replaced; a missing id shows as "[id]" so that it is seen.
  std::string operator()(std::string_view id, const Params& params = {}) const;
  std::string operator()(const TextRef& ref) const { return (*this)(ref.id, ref.params); }
  std::string operator()(const Error& error) const { return (*this)(error.text()); }
  bool has(std::string_view id) const;
  /// All ids with both texts, for the test of completeness and the font's glyph ranges.
  const std::map<std::string, std::map<Language, std::string>, std::less<>>& all() const { return texts_; }

 private:
  std::map<std::string, std::map<Language, std::string>, std::less<>> texts_;
  Language language_;
  std::string place_;
};

}  // namespace p2plab::content
