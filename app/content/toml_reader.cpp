// See toml_reader.h.
#include "app/content/toml_reader.h"

#include <algorithm>
#include <cctype>

#include "app/content/nearest.h"
#include "app/content/structure.h"

namespace p2plab::content {

namespace {

[[noreturn]] void broken_file(const std::filesystem::path& file, toml::source_index line, const std::string& what) {
  throw Error("manifest.broken", {{"file", file.string()}, {"line", std::to_string(std::max(line, toml::source_index{1}))}, {"what", what}});
}

std::string in_quotes(std::string_view key) { return "\"" + std::string(key) + "\""; }

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

/// Every run of digits, those inside names too, sorted.
std::vector<std::string> digits_in(std::string_view text) {
  std::vector<std::string> out;
  const auto digit = [&](std::size_t i) { return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; };
  for (std::size_t at = 0; at < text.size();) {
    if (!digit(at)) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (digit(end) || ((end < text.size() && (text[end] == '.' || text[end] == ',')) && digit(end + 1))) ++end;
    std::string number(text.substr(at, end - at));
    std::erase(number, ',');
    out.push_back(std::move(number));
    at = end;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

toml::table parse_toml(const std::filesystem::path& file) {
  try {
    return toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    broken_file(file, error.source().begin.line, std::string(error.description()));
  }
}

std::vector<std::filesystem::path> toml_files(const std::filesystem::path& folder) {
  std::error_code failure;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (files.empty()) broken_file(folder, 1, failure ? failure.message() : "no .toml file here");
  std::sort(files.begin(), files.end());
  return files;
}

void TomlReader::broken(const std::string& what, const toml::node* node) const {
  const auto* id = table_.get("id");
  const std::string whose = id != nullptr && id->is_string() ? *id->value<std::string>() + ": " : "";
  broken_file(file_, (node != nullptr ? node->source() : table_.source()).begin.line, whose + what);
}

void TomlReader::only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, node] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    const std::string meant = nearest(key.str(), known);
    broken("unknown key " + in_quotes(key.str()) + (meant.empty() ? "" : ", meant " + in_quotes(meant) + "?"), &node);
  }
}

const toml::node& TomlReader::need(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) broken(in_quotes(key) + " is missing");
  return *node;
}

std::string TomlReader::text(std::string_view key) const {
  const toml::node& node = need(key);
  const auto value = node.value<std::string>();
  if (!node.is_string() || value->empty()) broken(in_quotes(key) + " must be a text", &node);
  return *value;
}

std::string TomlReader::text_or(std::string_view key, std::string fallback) const { return has(key) ? text(key) : std::move(fallback); }

std::int64_t TomlReader::number_or(std::string_view key, std::int64_t fallback) const {
  if (!has(key)) return fallback;
  const toml::node& node = need(key);
  const auto value = node.value_exact<std::int64_t>();
  if (!value) broken(in_quotes(key) + " must be a whole number", &node);
  return *value;
}

int TomlReader::number(std::string_view key, int fallback, int low, int high) const {
  const std::int64_t value = number_or(key, fallback);
  if (has(key) && (value < low || value > high))
    broken(in_quotes(key) + " must be a whole number from " + std::to_string(low) + " to " + std::to_string(high), &need(key));
  return static_cast<int>(value);
}

double TomlReader::real(std::string_view key) const {
  const toml::node& node = need(key);
  if (!node.is_number()) broken(in_quotes(key) + " must be a number", &node);
  return *node.value<double>();
}

double TomlReader::real_or(std::string_view key, double fallback) const { return has(key) ? real(key) : fallback; }

bool TomlReader::truth(std::string_view key) const {
  const toml::node& node = need(key);
  const auto value = node.value_exact<bool>();
  if (!value) broken(in_quotes(key) + " must be true or false", &node);
  return *value;
}

Twin TomlReader::bilingual(std::string_view key) const {
  const toml::node& node = need(key);
  const toml::table* table = node.as_table();
  if (table == nullptr) broken(in_quotes(key) + " must be { en = …, zh = … }", &node);
  const TomlReader reader(file_, *table);
  reader.only({"en", "zh"});
  return {reader.text("en"), reader.text("zh")};
}

Twin TomlReader::twin_of(const toml::table& table, std::string_view key) const {
  const auto en = table["en"].value<std::string>();
  const auto zh = table["zh"].value<std::string>();
  if (!en || !zh || en->empty() || zh->empty()) broken(in_quotes(key) + " needs both en and zh", &table);
  if (std::count(en->begin(), en->end(), '\n') != std::count(zh->begin(), zh->end(), '\n')) broken("the lines of " + in_quotes(key) + " differ in en and zh", &table);
  // Digits count, and where names with digits (P2P, 1F1B) are said more often in one language, the numbers without them.
  const auto a = digits_in(*en), b = digits_in(*zh);
  if (a != b && numbers_in(*en) != numbers_in(*zh))
    broken("the numbers of " + in_quotes(key) + " differ in en (" + join(a) + ") and zh (" + join(b) + ")", &table);
  if (blanks_in(*en) != blanks_in(*zh)) broken("the {blanks} of " + in_quotes(key) + " differ in en and zh", &table);
  return {*en, *zh};
}

Twin TomlReader::twin(std::string_view key, bool required) const {
  if (!required && !has(key)) return {};
  bilingual(key);
  return twin_of(*need(key).as_table(), key);
}

Twin TomlReader::twin_here() const { return twin_of(table_, "en"); }

const toml::array* TomlReader::list(std::string_view key, const char* of) const {
  if (!has(key)) return nullptr;
  const toml::node& node = need(key);
  if (!node.is_array()) broken(in_quotes(key) + " must be a list of " + of, &node);
  return node.as_array();
}

std::vector<std::string> TomlReader::texts(std::string_view key) const {
  std::vector<std::string> out;
  if (const toml::array* array = list(key, "texts"))
    for (const toml::node& entry : *array) out.push_back(as_text(entry));
  return out;
}

std::vector<int> TomlReader::numbers(std::string_view key) const {
  std::vector<int> out;
  if (const toml::array* array = list(key, "whole numbers")) {
    for (const toml::node& node : *array) {
      const auto value = node.value_exact<std::int64_t>();
      if (!value) broken(in_quotes(key) + " must be a list of whole numbers", &node);
      out.push_back(static_cast<int>(*value));
    }
  }
  return out;
}

std::vector<TomlReader> TomlReader::tables(std::string_view key) const {
  std::vector<TomlReader> out;
  if (!has(key)) return out;
  const toml::node& node = need(key);
  const toml::array* array = node.as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) broken("write [[" + std::string(key) + "]] for each entry", &node);
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
  if (table == nullptr) broken(in_quotes(key) + " must be a table", &node);
  for (const auto& [name, entry] : *table) out[std::string(name.str())] = as_text(entry);
  return out;
}

std::string TomlReader::value(std::string_view key) const { return as_text(need(key)); }

}  // namespace p2plab::content
