// Reads one table of assets/drill with a clear sentence about whatever is wrong in it.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "app/content/twin.h"

namespace p2plab::content {

class CardReader {
 public:
  CardReader(const std::filesystem::path& file, const toml::table& table) : file_(file), table_(table) {}

  [[noreturn]] void broken(const std::string& what, const toml::node* node = nullptr) const;
  void only(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const { return table_.contains(key); }
  std::string text(std::string_view key) const;  ///< required
  std::string text_or(std::string_view key, std::string fallback) const;
  int number(std::string_view key, int fallback, int low, int high) const;
  double real(std::string_view key) const;       ///< required
  double real_or(std::string_view key, double fallback) const;
  bool truth(std::string_view key) const;        ///< required
  /// { en, zh } with the same lines, numbers and {blanks} in both; empty when absent and not required.
  Twin twin(std::string_view key, bool required = true) const;
  Twin twin_here() const;                        ///< en and zh of this very table
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<int> numbers(std::string_view key) const;
  std::vector<CardReader> tables(std::string_view key) const;
  const toml::table& table() const { return table_; }
  const std::filesystem::path& file() const { return file_; }

 private:
  Twin twin_of(const toml::table& table, std::string_view key) const;
  const toml::node& need(std::string_view key) const;
  std::filesystem::path file_;
  const toml::table& table_;
};

}  // namespace p2plab::content
