// See lesson_trail.h.
#include "app/content/lesson_trail.h"

#include <algorithm>

namespace p2plab::content {

namespace {

bool speaks_of_one(const std::vector<int>& sentences, const std::vector<int>& rows) {
  return std::any_of(sentences.begin(), sentences.end(), [&](int each) { return std::find(rows.begin(), rows.end(), each) != rows.end(); });
}

Block trail_heading(const Text& text, const char* id) {
  Block out;
  out.kind = Block::Kind::heading;
  out.level = 3;
  out.inlines.push_back({text(id), Inline::plain, ""});
  return out;
}

Block trail_item(Inlines inlines) {
  Block words;
  words.inlines = std::move(inlines);
  Block out;
  out.kind = Block::Kind::item;
  out.children.push_back(std::move(words));
  return out;
}

}  // namespace

Trail trail_of(const Lesson& lesson, const Claims& claims, const Cards& cards) {
  Trail out;
  for (const Claim& claim : claims.all())
    if (speaks_of_one(claim.sentences, lesson.rows)) out.claims.push_back(&claim);
  for (const Card& card : cards.all())
    if (speaks_of_one(card.sentences, lesson.rows)) out.cards.push_back(&card);
  return out;
}

Document trail_text(const Trail& trail, const Text& text) {
  Document out;
  const auto language = text.language();
  const auto add = [&out](Block heading, Block list) {
    if (list.children.empty()) return;
    out.blocks.push_back(std::move(heading));
    out.blocks.push_back(std::move(list));
  };
  Block claims, cards;
  claims.kind = cards.kind = Block::Kind::list;
  for (const Claim* claim : trail.claims)
    claims.children.push_back(trail_item({{claim->claim.in(language), Inline::plain, "claim:" + claim->id}, {"  " + text("claim.badge_" + std::string(to_string(claim->verdict))), Inline::emphasis, ""}}));
  for (const Card* card : trail.cards) cards.children.push_back(trail_item({{card->question.in(language), Inline::plain, "card:" + card->id}}));
  if (trail.claims.empty() && trail.cards.empty()) return out;
  out.blocks.emplace_back().kind = Block::Kind::rule;
  add(trail_heading(text, "lesson.trail_claims"), std::move(claims));
  add(trail_heading(text, "lesson.trail_cards"), std::move(cards));
  return out;
}

}  // namespace p2plab::content
