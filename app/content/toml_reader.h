// Reads a table of a .toml file with one clear sentence about whatever is wrong in it: file, line and what.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "app/content/left_out.h"
#include "app/content/twin.h"

namespace p2plab::content {

/// A table, with the file it came from.
class TomlReader {
 public:
  TomlReader(const std::filesystem::path& file, const toml::table& table) : file_(file), table_(table) {}

  /// Throws Error "manifest.broken"; the line is that of `node`, else of the table. A table that has an id is named by it.
  [[noreturn]] void broken(const std::string& what, const toml::node* node = nullptr) const;
  /// The same with the line of this key; of the table where the key is missing.
  [[noreturn]] void broken_at(std::string_view key, const std::string& what) const { broken(what, table_.get(key)); }
  /// Refuses every key that is not in the list: a misspelt key must not be ignored.
  void only(std::initializer_list<std::string_view> keys) const;

  bool has(std::string_view key) const { return table_.contains(key); }
  std::string id() const { return table_["id"].value_or(std::string()); }  ///< empty where there is none
  std::string text(std::string_view key) const;  ///< required
  std::string text_or(std::string_view key, std::string fallback) const;
  std::int64_t number_or(std::string_view key, std::int64_t fallback) const;
  int number(std::string_view key, int fallback, int low, int high) const;
  double real(std::string_view key) const;       ///< required; a whole number is fine
  double real_or(std::string_view key, double fallback) const;
  bool truth(std::string_view key) const;        ///< required
  Twin bilingual(std::string_view key) const;    ///< { en, zh }; required
  /// The same with the same lines, numbers and {blanks} in both; empty when absent and not required.
  Twin twin(std::string_view key, bool required = true) const;
  Twin twin_here() const;                        ///< en and zh of this very table
  /// Texts, whole numbers, true and false, as text; empty if absent.
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<int> numbers(std::string_view key) const;
  std::vector<TomlReader> tables(std::string_view key) const;  ///< [[key]]; empty if absent
  /// The table `key`, its values as text by name; empty if absent.
  std::map<std::string, std::string> values(std::string_view key) const;
  /// One value as text.
  std::string value(std::string_view key) const;
  const toml::table& table() const { return table_; }
  const std::filesystem::path& file() const { return file_; }

 private:
  std::string as_text(const toml::node& node) const;
  Twin twin_of(const toml::table& table, std::string_view key) const;
  const toml::node& need(std::string_view key) const;
  const toml::array* list(std::string_view key, const char* of) const;

  std::filesystem::path file_;
  const toml::table& table_;
};

/// Does it; where that throws Error, `id` is left out and told in `broken`. Without `broken` it is thrown.
template <class Act>
void unless_broken(std::vector<LeftOut>* broken, const std::string& id, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    if (broken == nullptr) throw;
    broken->push_back({id, error.text()});
  }
}

/// Parses the file; throws Error "manifest.broken".
toml::table parse_toml(const std::filesystem::path& file);
/// The .toml files of a folder in the order of their names; throws Error "manifest.broken" when there is none.
std::vector<std::filesystem::path> toml_files(const std::filesystem::path& folder);

}  // namespace p2plab::content
