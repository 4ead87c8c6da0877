// See run_sentence.h.
#include "app/report/run_sentence.h"

#include <functional>

#include "app/content/spacing.h"
#include "app/report/chart.h"
#include "app/report/result_charts.h"

namespace p2plab::report {
namespace {

using nlohmann::ordered_json;

std::string filled(std::string words, const std::function<std::string(const std::string&)>& word) {
  for (std::size_t begin = words.find('{'); begin != std::string::npos;) {
    const std::size_t end = words.find('}', begin);
    if (end == std::string::npos) break;
    const std::string_view whole = words;
    const std::string by = content::set_apart(whole.substr(0, begin), word(words.substr(begin + 1, end - begin - 1)), whole.substr(end + 1));
    words.replace(begin, end - begin + 1, by);
    begin = words.find('{', begin + by.size());
  }
  return words;
}

std::string number_in(const ordered_json& metrics, const std::string& name) {
  const auto found = metrics.is_object() ? metrics.find(name) : metrics.end();
  if (found == metrics.end()) return "–";
  const bool spread = found->is_object() && found->contains("median");
  return metric_words(name, spread ? (*found)["median"] : *found);
}

/// {value}, a column of the row, else a metric.
std::string word_of(const std::string& name, const check::NotShown& missed, const check::DemoManifest& demo, const ordered_json& metrics, const content::Text& text) {
  const auto& path = missed.expected.value;
  if (name == "value") return missed.expected.over.empty() ? metric_words(path.substr(path.find_last_of('.') + 1), missed.value) : amount(Quantity::times, missed.value);
  const auto cell = missed.row.is_object() ? missed.row.find(name) : missed.row.end();
  if (cell == missed.row.end()) return number_in(metrics, name);
  if (!cell->is_string()) return metric_words(name, *cell);
  const auto known = demo.results.words.find(cell->get<std::string>());
  return known == demo.results.words.end() ? cell->get<std::string>() : known->second.in(text.language());
}

}  // namespace

std::string with_numbers(std::string words, const ordered_json& metrics) {
  return filled(std::move(words), [&](const std::string& name) { return number_in(metrics, name); });
}

std::string known_clauses(std::string_view words, const ordered_json& metrics) {
  std::string out;
  const auto known = [&](std::string_view clause) {
    for (std::size_t begin = clause.find('{'); begin != std::string_view::npos; begin = clause.find('{', begin + 1))
      if (!metrics.contains(std::string(clause.substr(begin + 1, clause.find('}', begin) - begin - 1)))) return false;
    return true;
  };
  std::string_view joint;
  for (std::string_view rest = words; !rest.empty();) {
    std::string_view mark;  // what ends this clause
    std::size_t end = rest.size();
    for (const std::string_view each : {"; ", "；"})
      if (const std::size_t at = rest.find(each); at < end) {
        end = at;
        mark = each;
      }
    if (const auto clause = rest.substr(0, end); known(clause)) {
      if (!out.empty()) out += joint;
      out += with_numbers(std::string(clause), metrics);
      joint = mark;
    }
    rest.remove_prefix(end + mark.size());
  }
  return out;
}

std::string run_sentence(const check::DemoManifest& demo, const check::RunResult& result, const content::Text& text) {
  if (const auto& missed = result.not_shown)
    return filled(missed->expected.otherwise.in(text.language()), [&](const std::string& name) { return word_of(name, *missed, demo, result.metrics, text); });
  return result.as_promised ? with_numbers(result.says.in(text.language()), result.metrics) : std::string();
}

}  // namespace p2plab::report
