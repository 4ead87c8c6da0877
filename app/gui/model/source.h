// A demo's source as the code pane shows it: the lines between "// [name]" and "// [end]" of a variant's region.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/check/demo_manifest.h"

namespace p2plab::gui {

struct Source {
  std::filesystem::path file;
  std::vector<std::string> lines;  ///< of the whole file
};
/// Empty `lines` when the file cannot be read.
Source read_source(const std::filesystem::path& file);

/// Keeps what was read until the file changes: views ask in every frame.
class Sources {
 public:
  const Source& get(const std::filesystem::path& file);

 private:
  struct Kept {
    Source source;
    std::filesystem::file_time_type time;
  };
  std::map<std::filesystem::path, Kept> kept_;
};

/// Lines [begin, end) of a file, counted from 0.
struct Region {
  int begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};
/// Between the line that says "// [name]" and the next that says "// [end]" (else the end of the file).
/// The whole file when there is no such mark.
Region find_region(const Source& source, std::string_view name);
/// The region with lines around it, as many on each side, so that `lines` are shown in all; the region itself when it has
/// more. Less at the ends of the file.
Region with_context(const Source& source, Region region, int lines);
/// The region's lines without the indentation that all of them share.
std::vector<std::string> region_text(const Source& source, Region region);

/// The variant that the knobs choose: the value of the first choice knob for which the manifest has a region.
std::string variant_of(const check::DemoManifest& demo, const std::map<std::string, std::string>& knobs);

/// True when a span's site ("demos/x/x.cpp:12") lies in this file.
bool same_file(const std::filesystem::path& file, std::string_view site_file);

}  // namespace p2plab::gui
