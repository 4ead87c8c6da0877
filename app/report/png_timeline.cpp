#include "app/report/png_timeline.h"

#include "app/report/png_picture.h"

namespace p2plab::report {

void write_png_timeline(const std::filesystem::path& path, const trace::Trace& trace, const content::Text& text, const PictureText& around,
                        const PngOptions& options) {
  write_png_picture(path, TimelinePicture(trace, text, around, options.picture), options.theme, options.scale);
}

}  // namespace p2plab::report
