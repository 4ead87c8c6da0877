#include "app/report/svg_timeline.h"

#include "app/trace/atomic_file.h"

namespace p2plab::report {

std::string svg_timeline(const trace::Trace& trace, const content::Text& text, const PictureText& around, const SvgOptions& options) {
  return svg_picture(TimelinePicture(trace, text, around, options.picture), text.language(), {options.theme, options.prefix});
}

void write_svg_timeline(const std::filesystem::path& path, const trace::Trace& trace, const content::Text& text, const PictureText& around,
                        const SvgOptions& options) {
  trace::write_file(path, svg_timeline(trace, text, around, options));
}

}  // namespace p2plab::report
