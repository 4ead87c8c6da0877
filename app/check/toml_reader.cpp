// See toml_reader.h.
#include "app/check/toml_reader.h"

#include <algorithm>

#include "app/content/nearest.h"

namespace p2plab::check {

toml::table parse_toml(const std::filesystem::path& file) {
  try {
    return toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw Error("manifest.broken", {{"file", file.string()},
                                    {"line", std::to_string(error.source().begin.line)},
                                    {"what", std::string(error.description())}});
  }
}

void TomlReader::broken(const std::string& what, const toml::node* node) const {
  const auto line = (node != nullptr ? node->source() : table_.source()).begin.line;
  throw Error("manifest.broken",
              {{"file", file_.string()}, {"line", std::to_string(std::max(line, 1u))}, {"what", what}});
}

void TomlReader::only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, node] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    const std::string meant = content::nearest(key.str(), known);
    broken("unknown key \"" + std::string(key.str()) + "\"" + (meant.empty() ? "" : ", meant \"" + meant + "\"?"), &node);
  }
}

const toml::node& TomlReader::need(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) broken("\"" + std::string(key) + "\" is missing");
  return *node;
}

std::string TomlReader::text(std::string_view key) const {
  const toml::node& node = need(key);
  const auto value = node.value<std::string>();
  if (!node.is_string() || value->empty()) broken("\"" + std::string(key) + "\" must be a text", &node);
  return *value;
}

std::string TomlReader::text_or(std::string_view key, std::string fallback) const {
  return has(key) ? text(key) : std::move(fallback);
}

std::int64_t TomlReader::number_or(std::string_view key, std::int64_t fallback) const {
  if (!has(key)) return fallback;
  const toml::node& node = need(key);
  if (!node.is_integer()) broken("\"" + std::string(key) + "\" must be a whole number", &node);
  return *node.value<std::int64_t>();
}

double TomlReader::real(std::string_view key) const {
  const toml::node& node = need(key);
  if (!node.is_number()) broken("\"" + std::string(key) + "\" must be a number", &node);
  return *node.value<double>();
}

Bilingual TomlReader::bilingual(std::string_view key) const {
  const toml::node& node = need(key);
  const toml::table* table = node.as_table();
  if (table == nullptr) broken("\"" + std::string(key) + "\" must be { en = …, zh = … }", &node);
  const TomlReader reader(file_, *table);
  reader.only({"en", "zh"});
  return {reader.text("en"), reader.text("zh")};
}

std::vector<std::string> TomlReader::texts(std::string_view key) const {
  std::vector<std::string> out;
  if (!has(key)) return out;
  const toml::node& node = need(key);
  const toml::array* array = node.as_array();
  if (array == nullptr) broken("\"" + std::string(key) + "\" must be a list of texts", &node);
  for (const toml::node& entry : *array) out.push_back(as_text(entry));
  return out;
}

std::vector<TomlReader> TomlReader::tables(std::string_view key) const {
  std::vector<TomlReader> out;
  if (!has(key)) return out;
  const toml::node& node = need(key);
  const toml::array* array = node.as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) {
    broken("write [[" + std::string(key) + "]] for each entry", &node);
  }
  for (const toml::node& entry : *array) out.emplace_back(file_, *entry.as_table());
  return out;
}

std::string TomlReader::as_text(const toml::node& node) const {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto truth = node.value_exact<bool>()) return *truth ? "true" : "false";
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  broken("a text, a whole number, true or false is expected here", &node);
}

std::map<std::string, std::string> TomlReader::values(std::string_view key) const {
  std::map<std::string, std::string> out;
  if (!has(key)) return out;
  const toml::node& node = need(key);
  const toml::table* table = node.as_table();
  if (table == nullptr) broken("\"" + std::string(key) + "\" must be a table", &node);
  for (const auto& [name, entry] : *table) out[std::string(name.str())] = as_text(entry);
  return out;
}

std::string TomlReader::value(std::string_view key) const { return as_text(need(key)); }

}  // namespace p2plab::check
