#include "app/content/refused.h"

#include <regex>
#include <vector>

namespace p2plab::content {
namespace {

/// One of CLI11's sentences (Error.hpp, Validators.hpp; versions 2.1 to 2.5), and what its groups are.
struct Sentence {
  const char* pattern;
  const char* id;
  std::vector<const char*> names;
};

const std::vector<Sentence>& sentences() {
  static const std::vector<Sentence> all{
      {R"(Could not convert: (\S+) = ([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?))", "usage.no_whole_number", {"option", "value"}},
      {R"(Could not convert: (\S+) = (.*))", "usage.no_number", {"option", "value"}},
      {R"((\S+): Value (.*) not in range \[?([-0-9.e+]+) (?:to|-) ([-0-9.e+]+)\]?)", "usage.not_in_range", {"option", "value", "low", "high"}},
      {R"((\S+): At [Mm]ost 1 required but received (\d+))", "usage.only_once", {"option", "count"}},
      {R"((\S+): At least \d+ required but received \d+)", "usage.no_value", {"option"}},
      {R"((\S+): \d+ required .* missing)", "usage.no_value", {"option"}},
      {R"(Expected (?:exactly|at least) \d+ arguments to (\S+), got \d+)", "usage.no_value", {"option"}},
      {R"((\S+): (?:too many inputs for a flag|Should be true/false or a number).*)", "usage.takes_none", {"option"}},
      {R"((\S+) was given a disallowed flag override)", "usage.takes_none", {"option"}},
      {R"((\S+) is required)", "usage.missing", {"option"}},
      {R"((\S+): (.*))", "usage.not_valid", {"option", "what"}},
  };
  return all;
}

/// "0.100000" is 0.1 to a reader.
std::string short_number(std::string text) {
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

TextRef refused(const std::string& sentence, const std::string& command) {
  for (const Sentence& each : sentences()) {
    std::smatch found;
    if (!std::regex_match(sentence, found, std::regex(each.pattern))) continue;
    TextRef out{each.id, {{"command", command}}};
    for (std::size_t i = 0; i < each.names.size(); ++i) {
      const std::string name = each.names[i], value = found[i + 1].str();
      out.params.emplace_back(name, name == "low" || name == "high" ? short_number(value) : value);
    }
    return out;
  }
  return {"usage.refused", {{"what", sentence}, {"command", command}}};
}

}  // namespace p2plab::content
