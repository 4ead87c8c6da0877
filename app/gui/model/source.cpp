// Regions of a source file.
#include "app/gui/model/source.h"

#include <algorithm>
#include <fstream>

namespace p2plab::gui {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

Source read_source(const std::filesystem::path& file) {
  Source out{file, {}};
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    out.lines.push_back(std::move(line));
  }
  return out;
}

const Source& Sources::get(const std::filesystem::path& file) {
  std::error_code none;
  const auto time = std::filesystem::last_write_time(file, none);
  auto found = kept_.find(file);
  if (found == kept_.end() || found->second.time != time) found = kept_.insert_or_assign(file, Kept{read_source(file), time}).first;
  return found->second.source;
}

Region find_region(const Source& source, std::string_view name) {
  const Region whole{0, static_cast<int>(source.lines.size())};
  const std::string open = "// [" + std::string(name) + "]", close = "// [end]";
  const auto says = [&](const std::string& mark) { return [&mark](const std::string& line) { return trimmed(line) == mark; }; };
  const auto begin = std::find_if(source.lines.begin(), source.lines.end(), says(open));
  if (name.empty() || begin == source.lines.end()) return whole;
  const auto end = std::find_if(begin + 1, source.lines.end(), says(close));
  return {static_cast<int>(begin - source.lines.begin()) + 1, static_cast<int>(end - source.lines.begin())};
}

Region with_context(const Source& source, Region region, int lines) {
  const int all = static_cast<int>(source.lines.size());
  int more = std::min(lines, all) - (region.end - region.begin);
  if (more <= 0) return region;
  Region out = region;
  out.begin = std::max(0, region.begin - more / 2);
  more -= region.begin - out.begin;
  out.end = std::min(all, region.end + more);
  more -= out.end - region.end;
  out.begin = std::max(0, out.begin - more);  // what the end of the file had no use for
  return out;
}

std::vector<std::string> region_text(const Source& source, Region region) {
  std::vector<std::string> out;
  std::size_t indent = std::string::npos;
  for (int i = region.begin; i < region.end; ++i) {
    const auto& line = source.lines[static_cast<std::size_t>(i)];
    const auto first = line.find_first_not_of(' ');
    if (first != std::string::npos) indent = std::min(indent, first);
    out.push_back(line);
  }
  if (indent != std::string::npos)
    for (auto& line : out) line.erase(0, std::min(indent, line.size()));
  return out;
}

std::string variant_of(const check::DemoManifest& demo, const std::map<std::string, std::string>& knobs) {
  for (const auto& knob : demo.knobs) {
    if (knob.type != check::Knob::Type::choice) continue;
    const auto set = knobs.find(knob.id);
    const auto& value = set == knobs.end() ? knob.default_value : set->second;
    if (demo.regions.contains(value)) return value;
  }
  return {};
}

bool same_file(const std::filesystem::path& file, std::string_view site_file) {
  const std::filesystem::path site(site_file);
  return !site_file.empty() && site.filename() == file.filename() &&
         (!site.has_parent_path() || !file.has_parent_path() ||
          site.parent_path().filename() == file.parent_path().filename());
}

}  // namespace p2plab::gui
