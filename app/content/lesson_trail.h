// Where a lesson leads to: the claims and drill cards about the sentences of the answer card that it answers.
#pragma once
#include <vector>

#include "app/content/card.h"
#include "app/content/claim.h"
#include "app/content/document.h"
#include "app/content/lesson.h"
#include "app/content/text.h"

namespace p2plab::content {

struct Trail {
  std::vector<const Claim*> claims;
  std::vector<const Card*> cards;
};

/// In the order of their files; points into `claims` and `cards`.
Trail trail_of(const Lesson& lesson, const Claims& claims, const Cards& cards);
Trail trail_of(const Lesson&, const Claims&&, const Cards&) = delete;  // they have to outlive it
Trail trail_of(const Lesson&, const Claims&, const Cards&&) = delete;

/// The same as text with links "claim:ID" and "card:ID", each claim with its verdict; empty where there is nothing.
Document trail_text(const Trail& trail, const Text& text);

}  // namespace p2plab::content
