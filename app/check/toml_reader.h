// Reads a manifest table with one clear sentence about whatever is wrong in it: file, line and what.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>
#include <toml++/toml.h>

#include "app/check/demo_manifest.h"

namespace p2plab::check {

/// A table of a manifest, with the file it came from.
class TomlReader {
 public:
  TomlReader(const std::filesystem::path& file, const toml::table& table) : file_(file), table_(table) {}

  /// Throws Error "manifest.broken"; the line is that of `node`, else of the table.
  [[noreturn]] void broken(const std::string& what, const toml::node* node = nullptr) const;
  /// Refuses every key that is not in the list: a misspelt key must not be ignored.
  void only(std::initializer_list<std::string_view> keys) const;

  bool has(std::string_view key) const { return table_.contains(key); }
  std::string text(std::string_view key) const;                      ///< required
  std::string text_or(std::string_view key, std::string fallback) const;
  std::int64_t number_or(std::string_view key, std::int64_t fallback) const;
  double real(std::string_view key) const;                           ///< required; a whole number is fine
  Bilingual bilingual(std::string_view key) const;                   ///< required: { en, zh }
  std::vector<std::string> texts(std::string_view key) const;        ///< array of texts; empty if absent
  std::vector<TomlReader> tables(std::string_view key) const;        ///< array of tables; empty if absent
  /// Values as text (strings, whole numbers, true and false) by key; empty if absent.
  std::map<std::string, std::string> values(std::string_view key) const;
  /// One value as text.
  std::string value(std::string_view key) const;
  const toml::table& table() const { return table_; }

 private:
  std::string as_text(const toml::node& node) const;
  const toml::node& need(std::string_view key) const;

  std::filesystem::path file_;
  const toml::table& table_;
};

/// Parses the file; throws Error "manifest.broken".
toml::table parse_toml(const std::filesystem::path& file);

}  // namespace p2plab::check
