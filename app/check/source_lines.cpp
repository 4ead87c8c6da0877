// libdw, wrapped once.
#include "app/check/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <map>

#include "app/launch/fd.h"

namespace p2plab::check {

namespace {

/// The debug information of one file.
struct DebugFile {
  launch::Fd fd;
  Dwarf* dwarf = nullptr;

  explicit DebugFile(const std::string& path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd) dwarf = ::dwarf_begin(fd.get(), DWARF_C_READ);
  }
  ~DebugFile() {
    if (dwarf != nullptr) ::dwarf_end(dwarf);
  }
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  std::string line_at(Dwarf_Addr address) const {
    if (dwarf == nullptr) return {};
    Dwarf_Die unit;
    if (::dwarf_addrdie(dwarf, address, &unit) != nullptr) return line_in(unit, address);
    // Compilers need not write the table that leads from addresses to units.
    const bool found = any_unit([&](Dwarf_Die& one) {
      unit = one;
      return ::dwarf_haspc(&unit, address) > 0;
    });
    return found ? line_in(unit, address) : std::string();
  }

  /// `visit` each unit until it returns true.
  template <class Visit>
  bool any_unit(Visit visit) const {
    Dwarf_Off offset = 0, next = 0;
    std::size_t header = 0;
    for (; dwarf != nullptr && ::dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0; offset = next) {
      Dwarf_Die unit;
      if (::dwarf_offdie(dwarf, offset + header, &unit) != nullptr && visit(unit)) return true;
    }
    return false;
  }

  static std::string line_in(Dwarf_Die& unit, Dwarf_Addr address) {
    Dwarf_Line* line = ::dwarf_getsrc_die(&unit, address);
    int number = 0;
    const char* file = line == nullptr ? nullptr : ::dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || ::dwarf_lineno(line, &number) != 0 || number == 0) return {};
    return std::string(file) + ":" + std::to_string(number);
  }
};

/// One of its parameters is of the type `name`.
bool takes(Dwarf_Die* function, std::string_view name) {
  Dwarf_Die child;
  if (::dwarf_child(function, &child) != 0) return false;
  do {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (::dwarf_tag(&child) != DW_TAG_formal_parameter || ::dwarf_attr_integrate(&child, DW_AT_type, &attribute) == nullptr) continue;
    if (::dwarf_formref_die(&attribute, &type) == nullptr) continue;
    while (::dwarf_tag(&type) == DW_TAG_const_type && ::dwarf_attr(&type, DW_AT_type, &attribute) != nullptr) ::dwarf_formref_die(&attribute, &type);
    const char* const called = ::dwarf_diename(&type);
    if (called != nullptr && called == name) return true;
  } while (::dwarf_siblingof(&child, &child) == 0);
  return false;
}

bool of_the_system(const std::string& line) { return line.starts_with("/usr/"); }

}  // namespace

bool passes_by_value(const std::filesystem::path& program, std::string_view type) {
  struct Search {
    std::string_view type;
    bool found = false;
  } search{type};
  const DebugFile file(program.string());
  return file.any_unit([&](Dwarf_Die& unit) {
    const auto look = [](Dwarf_Die* function, void* known) -> int {
      auto& for_type = *static_cast<Search*>(known);
      for_type.found = takes(function, for_type.type);
      return for_type.found ? DWARF_CB_ABORT : DWARF_CB_OK;
    };
    ::dwarf_getfuncs(&unit, look, &search, 0);
    return search.found;
  });
}

struct SourceLines::Impl {
  std::map<std::string, std::unique_ptr<DebugFile>> files;
  std::string canonical, shown;

  std::string line_of(std::string_view address) {
    const std::size_t plus = address.rfind("+0x");
    if (plus == std::string_view::npos) return {};
    const std::string module(address.substr(0, plus));
    Dwarf_Addr at = 0;
    std::from_chars(address.data() + plus + 3, address.data() + address.size(), at, 16);
    auto& file = files[module];
    if (file == nullptr) file = std::make_unique<DebugFile>(module);
    std::string line = file->line_at(at);
    const std::size_t colon = line.rfind(':');
    if (colon != std::string::npos && !canonical.empty() && std::filesystem::path(line.substr(0, colon)).lexically_normal() == canonical) {
      line = shown + line.substr(colon);
    }
    return line;
  }
};

SourceLines::SourceLines() : impl_(std::make_unique<Impl>()) {}
SourceLines::~SourceLines() = default;

void SourceLines::show(const std::filesystem::path& file, const std::string& as) {
  std::error_code ignored;
  impl_->canonical = std::filesystem::absolute(file, ignored).lexically_normal().string();
  impl_->shown = as.empty() ? file.string() : as;
}

std::string SourceLines::operator()(std::string_view addresses) {
  std::string first, first_address;
  for (std::size_t at = 0; at < addresses.size();) {
    const std::size_t end = std::min(addresses.find('|', at), addresses.size());
    std::string_view address = addresses.substr(at, end - at);
    at = end + 1;
    if (address.starts_with('@')) address.remove_prefix(1);
    if (first_address.empty()) first_address = std::filesystem::path(address).filename().string();
    std::string line = impl_->line_of(address);
    if (line.empty()) continue;
    if (!of_the_system(line)) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? first_address : first;
}

}  // namespace p2plab::check
