// See card_reader.h.
#include "app/content/card_reader.h"

#include <algorithm>

#include "app/content/card.h"
#include "app/content/nearest.h"
#include "app/content/structure.h"

namespace p2plab::content {

namespace {

std::vector<std::string> blanks_in(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string_view::npos; ++at) {
    const auto close = text.find('}', at);
    if (close == std::string_view::npos) break;
    out.emplace_back(text.substr(at, close - at + 1));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void CardReader::broken(const std::string& what, const toml::node* node) const {
  const auto line = (node != nullptr ? node->source() : table_.source()).begin.line;
  const auto* id = table_.get("id");
  const std::string card = id != nullptr && id->is_string() ? *id->value<std::string>() + ": " : "";
  throw Error("manifest.broken", {{"file", file_.string()}, {"line", std::to_string(std::max(line, 1u))}, {"what", card + what}});
}

void CardReader::only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, node] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    const std::string meant = nearest(key.str(), known);
    broken("unknown key \"" + std::string(key.str()) + "\"" + (meant.empty() ? "" : ", meant \"" + meant + "\"?"), &node);
  }
}

const toml::node& CardReader::need(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) broken("\"" + std::string(key) + "\" is missing");
  return *node;
}

std::string CardReader::text(std::string_view key) const {
  const toml::node& node = need(key);
  const auto value = node.value<std::string>();
  if (!node.is_string() || value->empty()) broken("\"" + std::string(key) + "\" must be a text", &node);
  return *value;
}

std::string CardReader::text_or(std::string_view key, std::string fallback) const { return has(key) ? text(key) : std::move(fallback); }

int CardReader::number(std::string_view key, int fallback, int low, int high) const {
  if (!has(key)) return fallback;
  const toml::node& node = need(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < low || *value > high)
    broken("\"" + std::string(key) + "\" must be a whole number from " + std::to_string(low) + " to " + std::to_string(high), &node);
  return static_cast<int>(*value);
}

double CardReader::real(std::string_view key) const {
  const toml::node& node = need(key);
  if (!node.is_number()) broken("\"" + std::string(key) + "\" must be a number", &node);
  return *node.value<double>();
}

double CardReader::real_or(std::string_view key, double fallback) const { return has(key) ? real(key) : fallback; }

bool CardReader::truth(std::string_view key) const {
  const toml::node& node = need(key);
  const auto value = node.value_exact<bool>();
  if (!value) broken("\"" + std::string(key) + "\" must be true or false", &node);
  return *value;
}

Twin CardReader::twin_of(const toml::table& table, std::string_view key) const {
  const auto en = table["en"].value<std::string>();
  const auto zh = table["zh"].value<std::string>();
  const std::string name(key);
  if (!en || !zh || en->empty() || zh->empty()) broken("\"" + name + "\" needs both en and zh", &table);
  if (std::count(en->begin(), en->end(), '\n') != std::count(zh->begin(), zh->end(), '\n')) broken("the lines of \"" + name + "\" differ in en and zh", &table);
  // Digits count, and where names with digits (P2P, 1F1B) are said more often in one language, the numbers without them.
  const auto a = numbers_in(std::string_view(*en)), b = numbers_in(std::string_view(*zh));
  if (a != b && numbers_in(*en) != numbers_in(*zh))
    broken("the numbers of \"" + name + "\" differ in en (" + join(a) + ") and zh (" + join(b) + ")", &table);
  if (blanks_in(*en) != blanks_in(*zh)) broken("the {blanks} of \"" + name + "\" differ in en and zh", &table);
  return {*en, *zh};
}

Twin CardReader::twin(std::string_view key, bool required) const {
  if (!required && !has(key)) return {};
  const toml::node& node = need(key);
  const toml::table* table = node.as_table();
  if (table == nullptr) broken("\"" + std::string(key) + "\" must be { en = …, zh = … }", &node);
  CardReader(file_, *table).only({"en", "zh"});
  return twin_of(*table, key);
}

Twin CardReader::twin_here() const { return twin_of(table_, "en"); }

std::vector<std::string> CardReader::texts(std::string_view key) const {
  std::vector<std::string> out;
  if (!has(key)) return out;
  const toml::array* array = need(key).as_array();
  if (array == nullptr) broken("\"" + std::string(key) + "\" must be a list of texts", &need(key));
  for (const toml::node& node : *array) {
    const auto value = node.value_exact<std::string>();
    if (!value) broken("\"" + std::string(key) + "\" must be a list of texts", &node);
    out.push_back(*value);
  }
  return out;
}

std::vector<int> CardReader::numbers(std::string_view key) const {
  std::vector<int> out;
  if (!has(key)) return out;
  const toml::array* array = need(key).as_array();
  if (array == nullptr) broken("\"" + std::string(key) + "\" must be a list of whole numbers", &need(key));
  for (const toml::node& node : *array) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value) broken("\"" + std::string(key) + "\" must be a list of whole numbers", &node);
    out.push_back(static_cast<int>(*value));
  }
  return out;
}

std::vector<CardReader> CardReader::tables(std::string_view key) const {
  std::vector<CardReader> out;
  if (!has(key)) return out;
  const toml::array* array = need(key).as_array();
  if (array == nullptr) broken("\"" + std::string(key) + "\" must be a list", &need(key));
  for (const toml::node& node : *array) {
    if (!node.is_table()) broken("each of \"" + std::string(key) + "\" must be a table", &node);
    out.emplace_back(file_, *node.as_table());
  }
  return out;
}

}  // namespace p2plab::content
