// A text in both languages, as a file of assets/ writes it: { en = "…", zh = "…" }.
#pragma once
#include <string>

#include "app/content/text.h"

namespace p2plab::content {

struct Twin {
  std::string en, zh;
  const std::string& in(Language language) const { return language == Language::zh ? zh : en; }
  bool empty() const { return en.empty() && zh.empty(); }
};

}  // namespace p2plab::content
