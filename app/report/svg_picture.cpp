#include "app/report/svg_picture.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "app/report/utf8.h"

namespace p2plab::report {
namespace {

struct TypeFace {
  const char* word;
  double size;
};
TypeFace face(Type type) {
  switch (type) {
    case Type::body: return {"body", 15};
    case Type::title: return {"title", 22};
    case Type::small: break;
  }
  return {"small", 12.5};
}

/// A length to a tenth of a pixel, to a hundredth where it is smaller than one; nothing that says no more: 12.5, 40, 0.25.
std::string px(double value) {
  std::string out = fmt::format("{:.{}f}", value, std::abs(value) < 1 ? 2 : 1);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out.empty() || out == "-" || out == "-0" ? "0" : out;
}

class SvgCanvas : public Canvas {
 public:
  explicit SvgCanvas(std::string prefix) : prefix_(std::move(prefix)) {}
  const std::string& body() const { return out_; }

  void fill(const Box& box, Paint paint, double radius) override {
    put("<rect class=\"{}-{}\"{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", prefix_, name(paint.ink),
        opacity("fill-opacity", paint), px(box.x0), px(box.y0), px(box.width()), px(box.height()),
        radius > 0 ? fmt::format(" rx=\"{}\"", px(radius)) : "");
  }
  void outline(const Box& box, Paint paint, double width, double radius) override {
    put("<rect class=\"{}-s-{}\"{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" stroke-width=\"{}\"/>\n", prefix_,
        name(paint.ink), opacity("stroke-opacity", paint), px(box.x0), px(box.y0), px(box.width()), px(box.height()), px(radius), px(width));
  }
  void hatch(const Box& box, Paint paint) override {
    put("<rect fill=\"url(#{}-hatch{})\"{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", prefix_,
        paint.ink == Ink::on_block ? "-on-block" : "", opacity("fill-opacity", paint), px(box.x0), px(box.y0), px(box.width()), px(box.height()));
  }
  void line(double x0, double y0, double x1, double y1, Paint paint, double width, bool dashed) override {
    put("<line class=\"{}-s-{}\"{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}{}/>\n", prefix_, name(paint.ink), opacity("stroke-opacity", paint), px(x0), px(y0), px(x1), px(y1),
        width == 1 ? std::string() : fmt::format(" stroke-width=\"{}\"", px(width)), dashed ? " stroke-dasharray=\"4 3\"" : "");
  }
  void triangle(double x0, double y0, double x1, double y1, double x2, double y2, Paint paint) override {
    put("<polygon class=\"{}-{}\"{} points=\"{},{} {},{} {},{}\"/>\n", prefix_, name(paint.ink), opacity("fill-opacity", paint),
        px(x0), px(y0), px(x1), px(y1), px(x2), px(y2));
  }
  void text(double x, double y, std::string_view words, Paint paint, Type type, Align align) override {
    const TypeFace f = face(type);
    // The baseline lies about a third of the size below the middle; dominant-baseline is not known to every viewer.
    put("<text class=\"{}-{} {}-{}\"{} x=\"{}\" y=\"{}\"{}>{}</text>\n", prefix_, name(paint.ink), prefix_, f.word, opacity("fill-opacity", paint), px(x),
        px(y + f.size * 0.36), align == Align::centre ? " text-anchor=\"middle\"" : align == Align::right ? " text-anchor=\"end\"" : "", xml_text(words));
  }
  double width(std::string_view words, Type type) override { return approximate_ems(words) * face(type).size; }
  void begin_item(std::string_view tip) override { put("<g><title>{}</title>\n", xml_text(tip)); }
  void end_item() override { out_ += "</g>\n"; }
  bool wants_items() const override { return true; }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  static std::string opacity(const char* what, Paint paint) {
    return paint.alpha < 1 ? fmt::format(" {}=\"{:.2f}\"", what, paint.alpha) : std::string();
  }
  std::string prefix_, out_;
};

/// One rule per ink for what is filled, one for what is stroked.
std::string rules(const std::string& prefix, Theme theme) {
  std::string out;
  for (int i = 0; i < kInks; ++i) {
    const auto ink = static_cast<Ink>(i);
    const Rgb rgb = colour(palette(theme), ink);
    out += fmt::format(".{0}-{1}{{fill:#{2:06X}}}.{0}-s-{1}{{stroke:#{2:06X};fill:none}}\n", prefix, name(ink), rgb);
  }
  return out;
}

}  // namespace

std::string svg_picture(const Picture& picture, content::Language language, const SvgStyle& options) {
  SvgCanvas canvas(options.prefix);
  picture.draw(canvas);

  const std::string& p = options.prefix;
  std::string style = rules(p, options.theme.value_or(Theme::light));
  if (!options.theme) style += "@media (prefers-color-scheme: dark){\n" + rules(p, Theme::dark) + "}\n";
  for (const Type type : {Type::body, Type::small, Type::title}) style += fmt::format(".{}-{}{{font-size:{}px}}\n", p, face(type).word, face(type).size);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
      "aria-labelledby=\"{2}-about\" lang=\"{6}\" font-family=\"'Noto Sans CJK SC','Noto Sans SC','Microsoft YaHei','PingFang SC',sans-serif\" "
      "style=\"font-variant-numeric:tabular-nums\">\n"
      "<title id=\"{2}-about\">{3}</title>\n<style>\n{4}</style>\n"
      "<defs><pattern id=\"{2}-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<line class=\"{2}-s-muted\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke-width=\"3\"/></pattern>"
      "<pattern id=\"{2}-hatch-on-block\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<line class=\"{2}-s-on-block\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke-width=\"3\"/></pattern></defs>\n{5}</svg>\n",
      picture.width(), picture.height(), p, xml_text(picture.alternative()), style, canvas.body(),
      language == content::Language::zh ? "zh" : "en");
}

}  // namespace p2plab::report
