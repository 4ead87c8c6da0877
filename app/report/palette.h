// Colours and their meaning, one table for window, SVG, PNG and terminal (the same hue means the same thing everywhere).
#pragma once
#include <cstdint>

#include "app/trace/record.h"

namespace p2plab::report {

enum class Theme { dark, light };

/// 0xRRGGBB.
using Rgb = std::uint32_t;

struct Palette {
  Rgb ground, panel, raised, hairline, text, muted, accent, good, bad, unsure;
  Rgb forward, backward, weight, send, receive, collective, copy, compute, other;
};

const Palette& palette(Theme theme);

/// A colour by its meaning: what a drawing names, so that one drawing serves both themes.
enum class Ink : std::uint8_t {
  ground, panel, raised, hairline, text, muted, accent, good, bad, unsure,
  forward, backward, weight, send, receive, collective, copy, compute, other,
  on_block,  ///< text on a coloured block
};
constexpr int kInks = static_cast<int>(Ink::on_block) + 1;

Rgb colour(const Palette& palette, Ink ink);
/// The word for an ink in style sheets: "forward", "on-block", …
const char* name(Ink ink);

/// What a kind of span is drawn in; waits are hatched in `muted`.
Ink ink(trace::Kind kind);
inline Rgb colour(const Palette& palette, trace::Kind kind) { return colour(palette, ink(kind)); }

/// `share` of b mixed into a, 0 … 1.
Rgb mix(Rgb a, Rgb b, double share);

}  // namespace p2plab::report
