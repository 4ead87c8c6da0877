// The terms of the trade, one sentence each in both languages: assets/glossary.toml.
//   [[term]]
//   en = "eager limit"
//   zh = "eager 阈值"
//   also = ["eager threshold"]
//   says = { en = "…", zh = "…" }
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/twin.h"

namespace p2plab::content {

struct Term {
  Twin name, says;
  std::vector<std::string> also;  ///< other spellings, of either language
};

struct Found {
  std::size_t begin = 0, end = 0;  ///< bytes of the text
  const Term* term = nullptr;
};

class Glossary {
 public:
  Glossary() = default;
  /// Throws Error "manifest.broken" {file, line, what}.
  explicit Glossary(const std::filesystem::path& file);
  const std::vector<Term>& terms() const { return terms_; }
  /// The first place of each term in a text, the longest term where several fit, in order. English words are whole words.
  std::vector<Found> find(std::string_view text) const;

 private:
  struct Spelling {
    std::string text;
    std::size_t term;
  };
  std::vector<Term> terms_;
  std::vector<Spelling> spellings_;  ///< the longest first
};

}  // namespace p2plab::content
