// What the report's tests share: the texts.
#pragma once
#include <filesystem>

#include "app/content/text.h"

namespace p2plab::tests {

inline content::Text text(content::Language language = content::Language::en) {
  return content::Text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", language);
}

}  // namespace p2plab::tests
