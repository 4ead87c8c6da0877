// See mock_report.h. The report is one list of parts, which two writers turn into Markdown and HTML.
#include "app/report/mock_report.h"

#include <fmt/format.h>

#include "app/report/html_page.h"
#include "app/report/utf8.h"

namespace p2plab::report {

namespace {

std::string whole_percent(double share) { return fmt::format("{:.0f} %", share * 100); }

/// One cell or item of Markdown: no line ends, no column marks.
std::string flat(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += ' ';
    else if (c == '|' || c == '*' || c == '<' || c == '`' || c == '_') (out += '\\') += c;
    else out += c;
  }
  return out;
}

}  // namespace

std::vector<MockPart> mock_parts(const content::Mock& mock, const content::Cards& cards, const content::Text& text) {
  const auto result = result_of(mock);
  const auto language = text.language();
  const auto title_of = [&](const std::string& topic) { return cards.topic(topic)->title.in(language); };
  std::vector<MockPart> out;

  std::string letters;
  for (const auto& [letter, count] : result.letters) letters += fmt::format("{}{} × {}", letters.empty() ? "" : ", ", letter, count);
  MockPart head{text("mock.result"), {}, {}, {}};
  if (!mock.finished()) head.lines.push_back(text("mock.interrupted", {{"n", std::to_string(result.questions + result.follow_ups)}, {"minutes", fmt::format("{:g}", mock.minutes())}}));
  head.lines.push_back(text("mock.summary", {{"questions", std::to_string(result.questions)}, {"follow_ups", std::to_string(result.follow_ups)}, {"score", whole_percent(result.score)},
                                             {"letters", letters.empty() ? "–" : letters}, {"depth", std::to_string(result.deepest)}}));
  head.lines.push_back(text("mock.seed", {{"seed", std::to_string(mock.seed())}, {"minutes", fmt::format("{:g}", mock.minutes())}}));
  out.push_back(std::move(head));

  MockPart fatal{text("mock.fatal"), {}, {}, {}};
  for (const auto& each : result.fatal) fatal.items.emplace_back(each.card->fatal[each.index].in(language), evidence_command(*each.card));
  if (fatal.items.empty()) fatal.lines.push_back(text("mock.fatal_none"));
  out.push_back(std::move(fatal));

  MockPart weak{text("mock.weakest"), {}, {}, {}};
  for (const auto& each : result.missed) weak.items.emplace_back(each.card->points[each.point].text.in(language), "");
  if (weak.items.empty()) weak.lines.push_back(text("mock.weakest_none"));
  out.push_back(std::move(weak));

  MockPart topics{text("mock.topics"), {}, {{text("mock.topic"), text("mock.asked"), text("mock.score")}}, {}};
  for (const auto& each : result.topics) topics.rows.push_back({title_of(each.topic), std::to_string(each.asked), whole_percent(each.score)});
  out.push_back(std::move(topics));

  MockPart redo{text("mock.redo"), {}, {}, {}};
  for (const auto* card : result.redo) redo.items.emplace_back(card->question.in(language), evidence_command(*card));
  if (redo.items.empty()) redo.lines.push_back(text("mock.redo_none"));
  out.push_back(std::move(redo));

  MockPart log{text("mock.log"), {}, {{text("mock.question"), text("mock.topic"), text("mock.grade")}}, {}};
  for (const auto& asked : mock.asked()) {
    if (!asked.answered) continue;
    log.rows.push_back({std::string(static_cast<std::size_t>(asked.depth), '>') + (asked.depth > 0 ? " " : "") + asked.card->question.in(language), title_of(asked.card->topic), std::string(1, asked.grade.letter)});
  }
  out.push_back(std::move(log));
  return out;
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string out = "p2plab";
  for (const std::string& word : words) out += " " + word;
  return out;
}

std::string evidence_command(const content::Card& card) { return card.evidence.empty() ? "" : shell_words(card.evidence.front().command()); }

const content::Evidence& leech_evidence(const content::Card& card) {
  for (const auto& each : card.evidence)
    if (each.kind == "lab") return each;
  return card.evidence.front();
}

std::string mock_markdown(const content::Mock& mock, const content::Cards& cards, const content::Text& text) {
  std::string out = "# " + text("mock.title") + "\n";
  for (const MockPart& part : mock_parts(mock, cards, text)) {
    out += "\n## " + part.heading + "\n\n";
    for (const auto& each : part.lines) out += flat(each) + "\n\n";
    for (const auto& [what, command] : part.items) out += "- " + flat(what) + (command.empty() ? "" : " — `" + command + "`") + "\n";
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      out += "|";
      for (const auto& cell : part.rows[i]) out += " " + flat(cell) + " |";
      out += "\n";
      if (i > 0) continue;
      out += "|";
      for (std::size_t j = 0; j < part.rows[i].size(); ++j) out += "---|";
      out += "\n";
    }
  }
  return out;
}

std::string mock_html(const content::Mock& mock, const content::Cards& cards, const content::Text& text) {
  std::string body = "<h1>" + xml_text(text("mock.title")) + "</h1>\n";
  for (const MockPart& part : mock_parts(mock, cards, text)) {
    body += "<h2>" + xml_text(part.heading) + "</h2>\n";
    for (const auto& each : part.lines) body += "<p>" + xml_text(each) + "</p>\n";
    if (!part.items.empty()) body += "<ul>\n";
    for (const auto& [what, command] : part.items) body += "<li>" + xml_text(what) + (command.empty() ? "" : "<br><code>" + xml_text(command) + "</code>") + "</li>\n";
    if (!part.items.empty()) body += "</ul>\n";
    if (!part.rows.empty()) body += "<table>\n";
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      body += "<tr>";
      for (const auto& cell : part.rows[i]) body += (i == 0 ? "<th>" : "<td>") + xml_text(cell) + (i == 0 ? "</th>" : "</td>");
      body += "</tr>\n";
    }
    if (!part.rows.empty()) body += "</table>\n";
  }
  return html_page(text("mock.title"), body, text.language());
}

}  // namespace p2plab::report
