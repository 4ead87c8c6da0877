// Where lessons lead to: everything the answer card says is met as a claim and as a card.
#include "app/content/lesson_trail.h"

#include <algorithm>
#include <set>

#include "tests/support/catch.h"

using namespace p2plab;

namespace {

const std::filesystem::path kSource = P2PLAB_SOURCE_DIR;

}  // namespace

TEST_CASE("every sentence and every section of the answer card is reached from a lesson as a claim and as a card") {
  const content::Claims claims(kSource / "assets/claims");
  const content::Cards cards(kSource / "assets/drill");
  const content::Text text(kSource / "assets/text");
  std::set<int> by_claim, by_card, sections;
  for (const auto& lesson : content::load_lessons(kSource / "assets/lessons")) {
    const auto trail = content::trail_of(lesson, claims, cards);
    const auto links = content::links_of(content::trail_text(trail, text));  // what the page shows at its end
    const auto shown = [&](const std::string& target) { return std::find(links.begin(), links.end(), target) != links.end(); };
    const std::set<int> rows(lesson.rows.begin(), lesson.rows.end());
    for (const auto* claim : trail.claims) {
      CHECK(shown("claim:" + claim->id));
      for (const int each : claim->sentences)
        if (rows.count(each) == 1) by_claim.insert(each);
      sections.insert(claim->sections.begin(), claim->sections.end());
    }
    for (const auto* card : trail.cards) {
      CHECK(shown("card:" + card->id));
      for (const int each : card->sentences)
        if (rows.count(each) == 1) by_card.insert(each);
    }
  }
  for (int row = 1; row <= 38; ++row) {
    INFO("sentence " << row);
    CHECK(by_claim.count(row) == 1);
    CHECK(by_card.count(row) == 1);
  }
  CHECK(sections == std::set<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a lesson that answers no sentence leads nowhere, and says nothing") {
  const content::Claims claims(kSource / "assets/claims");
  const content::Cards cards(kSource / "assets/drill");
  const auto trail = content::trail_of(content::Lesson(), claims, cards);
  CHECK(trail.claims.empty());
  CHECK(content::trail_text(trail, content::Text(kSource / "assets/text")).blocks.empty());
}
