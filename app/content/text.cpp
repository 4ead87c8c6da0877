// Loads assets/text/*.toml and fills texts in.
#include "app/content/text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <toml++/toml.h>

#include "app/content/spacing.h"

namespace p2plab::content {

namespace {

using Twins = std::map<std::string, std::map<Language, std::string>, std::less<>>;

[[noreturn]] void broken(const std::filesystem::path& file, const std::string& what) {
  throw Error("text.broken", {{"file", file.string()}, {"what", what}}, 3);
}

/// True for { en = "…", zh = "…" }: a leaf with both languages.
bool is_twin(const toml::table& table) { return table["en"].is_string() || table["zh"].is_string(); }

void collect(const toml::table& table, const std::string& prefix, const std::filesystem::path& file, Twins& texts) {
  for (const auto& [key, node] : table) {
    const std::string id = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    const toml::table* child = node.as_table();
    if (child == nullptr) broken(file, id + " is not { en = …, zh = … }");
    if (!is_twin(*child)) {
      collect(*child, id, file, texts);
      continue;
    }
    const auto en = (*child)["en"].value<std::string>();
    const auto zh = (*child)["zh"].value<std::string>();
    if (!en || !zh) broken(file, id + " lacks a language");
    if (!texts.emplace(id, std::map<Language, std::string>{{Language::en, *en}, {Language::zh, *zh}}).second) {
      broken(file, id + " is defined twice");
    }
  }
}

/// The words of strerror, which always come in English, in the language in use.
std::string system_words(const Twins& texts, Language language, const std::string& why) {
  std::string id = "os.";
  for (const char c : why) id += std::isalpha(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
  const auto found = texts.find(id);
  return found == texts.end() ? why : found->second.at(language);
}

/// What a program, a file or a user wrote, as a sentence repeats it: a control character is shown, not sent to the terminal. Line ends
/// and tabs are left, for texts of several lines.
std::string visible(std::string_view words) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto byte = static_cast<unsigned char>(words[i]);
    const auto after = i + 1 < words.size() ? static_cast<unsigned char>(words[i + 1]) : 0;
    const bool wide = byte == 0xC2 && after >= 0x80 && after < 0xA0;  // U+0080 to U+009F in UTF-8
    if (const bool shown = (byte >= 0x20 && byte != 0x7F && !wide) || byte == '\n' || byte == '\t'; shown) {
      out += words[i];
      continue;
    }
    const unsigned code = wide ? after : byte;
    if (wide) ++i;
    out += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
  }
  return out;
}

}  // namespace

Language parse_language(std::string_view word) {
  if (word == "en") return Language::en;
  if (word == "zh") return Language::zh;
  throw Error("usage.language", {{"value", std::string(word)}});
}

Language language_from_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return std::string_view(value).starts_with("zh") ? Language::zh : Language::en;
  }
  return Language::en;
}

Text::Text(const std::filesystem::path& dir, Language language) : language_(language) {
  std::error_code failure;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(dir, failure)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  if (failure) broken(dir, failure.message());
  if (files.empty()) broken(dir, "no .toml file here");
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    try {
      collect(toml::parse_file(file.string()), "", file, texts_);
    } catch (const toml::parse_error& error) {
      broken(file, "line " + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
    }
  }
}

std::string Text::operator()(std::string_view id, const Params& params) const {
  auto found = place_.empty() ? texts_.end() : texts_.find(std::string(id) + "@" + place_);
  if (found == texts_.end()) found = texts_.find(id);
  if (found == texts_.end()) {
    // The id and its parameters still tell something.
    std::string out = "[" + std::string(id) + "]";
    for (const auto& [name, value] : params) out += " " + name + "=" + visible(value);
    return out;
  }
  const std::string& pattern = found->second.at(language_);
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t close = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
    if (close == std::string::npos) {
      out += pattern[at++];
      continue;
    }
    std::string_view name = std::string_view(pattern).substr(at + 1, close - at - 1);
    std::string_view forms;  // of {count|byte|bytes}
    if (const std::size_t bar = name.find('|'); bar != std::string_view::npos) {
      forms = name.substr(bar + 1);
      name = name.substr(0, bar);
    }
    const auto param = std::find_if(params.begin(), params.end(), [&](const auto& p) { return p.first == name; });
    if (param != params.end() && !forms.empty()) {
      const std::size_t bar = forms.find('|');
      out += param->second == "1" ? forms.substr(0, bar) : forms.substr(std::min(bar, forms.size() - 1) + 1);
    } else if (param != params.end()) {
      const std::string value = visible(name == "why" ? system_words(texts_, language_, param->second) : param->second);
      out += set_apart(out, value, std::string_view(pattern).substr(close + 1));
    } else {
      out += pattern.substr(at, close - at + 1);  // a forgotten parameter stays visible
    }
    at = close + 1;
  }
  return out;
}

bool Text::has(std::string_view id) const { return texts_.find(id) != texts_.end(); }

}  // namespace p2plab::content
