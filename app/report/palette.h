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
/// Colour of a span; waits are hatched in `muted`.
Rgb colour(const Palette& palette, trace::Kind kind);

}  // namespace p2plab::report
