// See lesson_number.h.
#include "app/report/lesson_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "app/report/quantity.h"

namespace p2plab::report {
namespace {

std::string_view last_name(std::string_view path) {
  if (const std::size_t at = path.rfind("idle_by_cause."); at != std::string_view::npos) return path.substr(at);
  while (!path.empty()) {
    const std::size_t dot = path.rfind('.');
    const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
    if (name.find_first_not_of("0123456789") != std::string_view::npos) return name;  // an index has no name of its own
    path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  }
  return {};
}

/// "…_ns", and the entries of idle_by_cause, which has the unit in its description alone.
bool is_time(std::string_view name) { return name.ends_with("_ns") || name.starts_with("idle_by_cause"); }
bool is_ratio(std::string_view name) { return name.ends_with("ratio") || name == "bubble_over_ideal" || name == "overlap"; }

/// The first row of a table with these values, "workers=8,way=ring"; null when there is none.
const nlohmann::ordered_json* row_with(const nlohmann::ordered_json& rows, std::string_view wanted) {
  const auto holds = [&](const nlohmann::ordered_json& row) {
    for (std::string_view rest = wanted; !rest.empty();) {
      const std::size_t comma = rest.find(','), equals = rest.find('=');
      const std::string column(rest.substr(0, equals));
      if (equals == std::string_view::npos || !row.is_object() || !row.contains(column)) return false;
      const auto& cell = row.at(column);
      if ((cell.is_string() ? cell.get<std::string>() : cell.dump()) != rest.substr(equals + 1, comma == std::string_view::npos ? comma : comma - equals - 1)) return false;
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return true;
  };
  const auto found = std::find_if(rows.begin(), rows.end(), holds);
  return found == rows.end() ? nullptr : &*found;
}

std::string shown_value(const nlohmann::ordered_json& value, std::string_view name) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_array()) {
    std::string out;
    for (const auto& each : value) out += (out.empty() ? "" : " ") + shown_value(each, name);
    return out;
  }
  if (!value.is_number()) return {};
  const double number = value.get<double>();
  if (is_time(name)) return duration(static_cast<trace::Ns>(std::llround(number)));
  if (is_ratio(name)) return fmt::format("{:.2f} %", number * 100);
  if (name.ends_with("bytes")) return bytes(static_cast<std::uint64_t>(number));
  return fmt::format("{:.6g}", number);
}

}  // namespace

nlohmann::ordered_json value_at(const nlohmann::ordered_json& json, std::string_view path) {
  const nlohmann::ordered_json* at = &json;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (at->is_array() && key.find('=') != std::string::npos) {
      at = row_with(*at, key);
      if (at == nullptr) return nullptr;
    } else if (at->is_array()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc{} || index >= at->size()) return nullptr;
      at = &(*at)[index];
    } else if (at->is_object() && at->contains(key)) {
      at = &at->at(key);
    } else {
      return nullptr;
    }
  }
  return *at;
}

std::string shown_number(const nlohmann::ordered_json& json, std::string_view path) { return shown_value(value_at(json, path), last_name(path)); }

std::string guess_unit(std::string_view path) {
  const std::string_view name = last_name(path);
  return is_time(name) ? "ms" : is_ratio(name) ? "%" : name.ends_with("bytes") ? "KiB" : "";
}

std::optional<Guess> compare_guess(const std::string& typed, const nlohmann::ordered_json& json, std::string_view path) {
  const auto value = value_at(json, path);
  if (!value.is_number()) return std::nullopt;
  const std::size_t digit = typed.find_first_of("0123456789.-");
  if (digit == std::string::npos) return std::nullopt;
  char* end = nullptr;
  Guess out;
  out.said = std::strtod(typed.c_str() + digit, &end);
  if (end == typed.c_str() + digit) return std::nullopt;
  const std::string unit = guess_unit(path);
  out.is = value.get<double>() / (unit == "ms" ? 1e6 : unit == "%" ? 0.01 : unit == "KiB" ? 1024.0 : 1.0);
  const double error = std::abs(out.said - out.is) / std::max(std::abs(out.is), 1e-12);
  out.score = error <= 0.05 || out.said == out.is ? Guess::Score::right : error <= 0.25 ? Guess::Score::close : Guess::Score::off;
  return out;
}

bool same_word(const std::string& typed, const std::string& shown, const content::Text& text) {
  const auto plain = [](std::string word) {
    while (!word.empty() && (word.back() == ' ' || word.back() == '.')) word.pop_back();
    word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
  };
  const std::string said = plain(typed);
  if (said.empty() || shown.empty()) return false;
  if (said == plain(shown)) return true;
  const auto found = text.all().find("verdict." + shown);
  if (found == text.all().end()) return false;
  for (const auto& [language, word] : found->second)
    if (said == plain(word)) return true;
  return false;
}

}  // namespace p2plab::report
