// PNG by cairo.
#include "app/gui/screenshot.h"

#include <cairo.h>

#include <memory>

#include "app/trace/atomic_file.h"

namespace p2plab::gui {

void write_png(const std::filesystem::path& file, const Picture& picture) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.size.width, picture.size.height), cairo_surface_destroy);
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  if (!data) throw Error("gui.screenshot", {{"file", file.string()}}, 3);
  const int stride = cairo_image_surface_get_stride(surface.get());
  const std::uint8_t* from = picture.rgb.data();
  for (int y = 0; y < picture.size.height; ++y) {
    auto* to = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < picture.size.width; ++x, from += 3)
      to[x] = static_cast<std::uint32_t>(from[0]) << 16 | static_cast<std::uint32_t>(from[1]) << 8 | from[2];
  }
  cairo_surface_mark_dirty(surface.get());
  trace::AtomicFile out(file);
  const auto write = [](void* closure, const unsigned char* bytes, unsigned length) {
    try {
      static_cast<trace::AtomicFile*>(closure)->write({reinterpret_cast<const char*>(bytes), length});
    } catch (const Error&) {  // an exception may not cross cairo
      return CAIRO_STATUS_WRITE_ERROR;
    }
    return CAIRO_STATUS_SUCCESS;
  };
  if (cairo_surface_write_to_png_stream(surface.get(), write, &out) != CAIRO_STATUS_SUCCESS)
    throw Error("gui.screenshot", {{"file", file.string()}}, 2);
  out.commit();
}

}  // namespace p2plab::gui
