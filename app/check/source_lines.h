// From addresses in programs to lines of their source, by the debug information they were compiled with.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace p2plab::check {

/// True if a function of the program has a parameter of this type itself, not of a pointer to one.
bool passes_by_value(const std::filesystem::path& program, std::string_view type);

class SourceLines {
 public:
  SourceLines();
  ~SourceLines();
  /// "MODULE+0x12|MODULE+0x34", innermost first, as demos/probe writes it, becomes "file:line": of the first that lies in
  /// the program's own source rather than in a header of the system. Without debug information "MODULE+0x12" is left.
  std::string operator()(std::string_view addresses);
  /// This file is shown by the name that the user gave it, or by another one.
  void show(const std::filesystem::path& file, const std::string& as = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::check
