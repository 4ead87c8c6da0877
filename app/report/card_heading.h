// The line above a drill card: its topic and its kind, once where both have the same name.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>

#include "app/content/card.h"
#include "app/content/text.h"

namespace p2plab::report {

inline std::string card_heading(const content::Cards& cards, const content::Card& card, const content::Text& text) {
  const std::string topic = cards.topic(card.topic)->title.in(text.language()), kind = text("card_kind." + std::string(to_string(card.kind)));
  const bool same = std::equal(topic.begin(), topic.end(), kind.begin(), kind.end(),
                               [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  return same ? topic : topic + " · " + kind;
}

}  // namespace p2plab::report
