#include "app/report/png_picture.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/trace/atomic_file.h"
#include "app/trace/error.h"

namespace p2plab::report {
namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const { Free(object); }
};
using Surface = std::unique_ptr<cairo_surface_t, Deleter<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Deleter<cairo_destroy>>;
using Layout = std::unique_ptr<PangoLayout, Deleter<g_object_unref>>;
using Font = std::unique_ptr<PangoFontDescription, Deleter<pango_font_description_free>>;

class CairoCanvas : public Canvas {
 public:
  CairoCanvas(cairo_t* context, Theme theme) : cairo_(context), palette_(palette(theme)), layout_(pango_cairo_create_layout(context)) {
    for (const Type type : {Type::body, Type::small, Type::title}) {
      Font font(pango_font_description_from_string("Noto Sans CJK SC, sans-serif"));
      pango_font_description_set_absolute_size(font.get(), (type == Type::title ? 22 : type == Type::body ? 15 : 12.5) * PANGO_SCALE);
      fonts_[static_cast<std::size_t>(type)] = std::move(font);
    }
  }

  void fill(const Box& box, Paint paint, double radius) override {
    ink(paint);
    path(box, radius);
    cairo_fill(cairo_);
  }
  void outline(const Box& box, Paint paint, double width, double radius) override {
    ink(paint);
    cairo_set_line_width(cairo_, width);
    path(box, radius);
    cairo_stroke(cairo_);
  }
  void hatch(const Box& box, Paint paint) override {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, box.x0, box.y0, box.width(), box.height());
    cairo_clip(cairo_);
    ink(paint);
    cairo_set_line_width(cairo_, 1.5);
    // The lines lie on a fixed grid, so that neighbours' hatches meet.
    const double reach = box.height();
    for (double x = std::floor((box.x0 - reach) / 6) * 6; x < box.x1 + reach; x += 6) {
      cairo_move_to(cairo_, x, box.y1);
      cairo_line_to(cairo_, x + reach, box.y0);
    }
    cairo_stroke(cairo_);
    cairo_restore(cairo_);
  }
  void line(double x0, double y0, double x1, double y1, Paint paint, double width, bool dashed) override {
    ink(paint);
    cairo_set_line_width(cairo_, width);
    const double dashes[] = {4, 3};
    cairo_set_dash(cairo_, dashes, dashed ? 2 : 0, 0);
    cairo_move_to(cairo_, x0, y0);
    cairo_line_to(cairo_, x1, y1);
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, dashes, 0, 0);
  }
  void triangle(double x0, double y0, double x1, double y1, double x2, double y2, Paint paint) override {
    ink(paint);
    cairo_move_to(cairo_, x0, y0);
    cairo_line_to(cairo_, x1, y1);
    cairo_line_to(cairo_, x2, y2);
    cairo_close_path(cairo_);
    cairo_fill(cairo_);
  }
  void text(double x, double y, std::string_view words, Paint paint, Type type, Align align) override {
    const auto [wide, tall] = measure(words, type);
    ink(paint);
    const double left = align == Align::left ? x : align == Align::centre ? x - wide / 2 : x - wide;
    cairo_move_to(cairo_, left, y - tall / 2);
    pango_cairo_show_layout(cairo_, layout_.get());
  }
  double width(std::string_view words, Type type) override { return measure(words, type).first; }

 private:
  void ink(Paint paint) {
    const Rgb rgb = colour(palette_, paint.ink);
    cairo_set_source_rgba(cairo_, ((rgb >> 16) & 0xFF) / 255.0, ((rgb >> 8) & 0xFF) / 255.0, (rgb & 0xFF) / 255.0, paint.alpha);
  }
  void path(const Box& box, double radius) {
    if (radius <= 0) {
      cairo_rectangle(cairo_, box.x0, box.y0, box.width(), box.height());
      return;
    }
    constexpr double quarter = std::numbers::pi / 2;
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, box.x1 - radius, box.y0 + radius, radius, -quarter, 0);
    cairo_arc(cairo_, box.x1 - radius, box.y1 - radius, radius, 0, quarter);
    cairo_arc(cairo_, box.x0 + radius, box.y1 - radius, radius, quarter, 2 * quarter);
    cairo_arc(cairo_, box.x0 + radius, box.y0 + radius, radius, 2 * quarter, 3 * quarter);
    cairo_close_path(cairo_);
  }
  std::pair<double, double> measure(std::string_view words, Type type) {
    pango_layout_set_font_description(layout_.get(), fonts_[static_cast<std::size_t>(type)].get());
    pango_layout_set_text(layout_.get(), words.data(), static_cast<int>(words.size()));
    int wide = 0, tall = 0;
    pango_layout_get_size(layout_.get(), &wide, &tall);
    return {wide / static_cast<double>(PANGO_SCALE), tall / static_cast<double>(PANGO_SCALE)};
  }

  cairo_t* cairo_;
  const Palette& palette_;
  Layout layout_;
  Font fonts_[3];
};

}  // namespace

void write_png_picture(const std::filesystem::path& path, const Picture& picture, Theme theme, double wanted_scale) {
  // cairo's images end at 32767 dots: hundreds of ranks come out smaller rather than not at all.
  const double scale = std::min(wanted_scale, 32000 / std::max(picture.width(), picture.height()));
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(picture.width() * scale)),
                                                   static_cast<int>(std::ceil(picture.height() * scale))));
  const Context context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  CairoCanvas canvas(context.get(), theme);
  picture.draw(canvas);
  cairo_surface_flush(surface.get());

  trace::AtomicFile file(path);
  const auto write = [](void* to, const unsigned char* data, unsigned int size) {
    try {
      static_cast<trace::AtomicFile*>(to)->write({reinterpret_cast<const char*>(data), size});
      return CAIRO_STATUS_SUCCESS;
    } catch (const Error&) {  // an exception must not pass through C
      return CAIRO_STATUS_WRITE_ERROR;
    }
  };
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), write, &file);
  if (status != CAIRO_STATUS_SUCCESS) throw Error("file.unwritable", {{"path", path.string()}, {"why", cairo_status_to_string(status)}}, 2);
  file.commit();
}

}  // namespace p2plab::report
