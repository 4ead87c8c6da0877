// The page of claims: one style for all pictures, no tooltips, and a shared run drawn once.
#include "app/report/claim_report.h"

#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

int count(const std::string& text, const std::string& word) {
  int out = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++out;
  return out;
}

}  // namespace

TEST_CASE("a page of claims has each picture once, without the tooltips of its spans, and one style for all") {
  content::Claim one, other;
  one.id = "one";
  other.id = "other";
  one.who = other.who = "misconception";
  const std::string svg = "<?xml version=\"1.0\"?>\n<svg aria-labelledby=\"p2plab-about\"><title id=\"p2plab-about\">Whole</title><style>.a{}</style><defs><pattern/></defs><g>\n<title>span 1\nlong</title><rect x=\"12.00\" y=\"1.50\"/></g><g><title>span 2</title><rect/></g></svg>\n";
  check::ClaimResult first, second;
  first.claim = &one;
  first.outcome = second.outcome = content::ClaimOutcome::documented;
  first.commands = {"p2plab run a", "p2plab run b"};
  first.pictures = {svg, svg};
  second.claim = &other;
  second.commands = {"p2plab run a"};
  second.pictures = {svg};
  const std::string page = report::claim_page({first, second}, {}, tests::text());
  CHECK(count(page, "<svg ") == 2);  // the run that both share is drawn at the first
  for (const std::string number : {"0", "1"}) {  // what each picture shows, under an id of its own
    CHECK(count(page, "<title id=\"p2plab-about-" + number + "\">Whole</title>") == 1);
    CHECK(count(page, "aria-labelledby=\"p2plab-about-" + number + "\"") == 1);
  }
  CHECK(count(page, "span ") == 0);
  CHECK(count(page, "<rect/>") == 2);
  CHECK(count(page, "<rect x=\"12\" y=\"1.50\"/>") == 2);
  CHECK(count(page, "<g>") + count(page, "</g>") == 0);
  CHECK(count(page, ".a{}") == 1);
  CHECK(count(page, "<pattern/>") == 1);
  CHECK(count(page, "href=\"#one\"") == 1);
  CHECK(count(page, "<?xml") == 0);
}
