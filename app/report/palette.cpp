#include "app/report/palette.h"

#include <algorithm>
#include <cmath>

namespace p2plab::report {
namespace {

// Blue for forward and orange for backward keep their distance for every kind of colour blindness; compute and other
// stay near grey, because they carry no meaning of their own.
constexpr Palette kDark{
    .ground = 0x14171C, .panel = 0x1B1F26, .raised = 0x252B35, .hairline = 0x323A47, .text = 0xE6E9EF,
    .muted = 0x97A1B0, .accent = 0x4C9AFF, .good = 0x3FB27F, .bad = 0xE5534B, .unsure = 0xE0A33A,
    .forward = 0x4E9BE6, .backward = 0xE39A45, .weight = 0x57B894, .send = 0xA97BE0, .receive = 0x7C8CF0,
    .collective = 0x3FB6C6, .copy = 0xB8A04A, .compute = 0x6E8FB3, .other = 0x5A6473};

constexpr Palette kLight{
    .ground = 0xF6F7F9, .panel = 0xFFFFFF, .raised = 0xECEFF3, .hairline = 0xD4D9E0, .text = 0x1A1F27,
    .muted = 0x5B6675, .accent = 0x1F6FEB, .good = 0x2C9264, .bad = 0xCF3A32, .unsure = 0xB97D12,
    .forward = 0x3B82D0, .backward = 0xD9862B, .weight = 0x3E9E78, .send = 0x8E5BD0, .receive = 0x5D6BD8,
    .collective = 0x2A94A4, .copy = 0x94802F, .compute = 0x5E7FA3, .other = 0x8A94A3};

}  // namespace

const Palette& palette(Theme theme) { return theme == Theme::dark ? kDark : kLight; }

Rgb colour(const Palette& p, Ink ink) {
  switch (ink) {
    case Ink::ground: return p.ground;
    case Ink::panel: return p.panel;
    case Ink::raised: return p.raised;
    case Ink::hairline: return p.hairline;
    case Ink::text: return p.text;
    case Ink::muted: return p.muted;
    case Ink::accent: return p.accent;
    case Ink::good: return p.good;
    case Ink::bad: return p.bad;
    case Ink::unsure: return p.unsure;
    case Ink::forward: return p.forward;
    case Ink::backward: return p.backward;
    case Ink::weight: return p.weight;
    case Ink::send: return p.send;
    case Ink::receive: return p.receive;
    case Ink::collective: return p.collective;
    case Ink::copy: return p.copy;
    case Ink::compute: return p.compute;
    case Ink::other: return p.other;
    case Ink::on_block: return 0xFFFFFF;
  }
  return p.text;
}

const char* name(Ink ink) {
  switch (ink) {
    case Ink::ground: return "ground";
    case Ink::panel: return "panel";
    case Ink::raised: return "raised";
    case Ink::hairline: return "hairline";
    case Ink::text: return "text";
    case Ink::muted: return "muted";
    case Ink::accent: return "accent";
    case Ink::good: return "good";
    case Ink::bad: return "bad";
    case Ink::unsure: return "unsure";
    case Ink::forward: return "forward";
    case Ink::backward: return "backward";
    case Ink::weight: return "weight";
    case Ink::send: return "send";
    case Ink::receive: return "receive";
    case Ink::collective: return "collective";
    case Ink::copy: return "copy";
    case Ink::compute: return "compute";
    case Ink::other: return "other";
    case Ink::on_block: return "on-block";
  }
  return "text";
}

Ink ink(trace::Kind kind) {
  using trace::Kind;
  switch (kind) {
    case Kind::other: return Ink::other;
    case Kind::compute:
    case Kind::optimizer: return Ink::compute;
    case Kind::forward: return Ink::forward;
    case Kind::backward: return Ink::backward;
    case Kind::weight: return Ink::weight;
    case Kind::send: return Ink::send;
    case Kind::receive: return Ink::receive;
    case Kind::collective: return Ink::collective;
    case Kind::copy: return Ink::copy;
    case Kind::wait: return Ink::muted;
  }
  return Ink::other;
}

Rgb mix(Rgb a, Rgb b, double share) {
  share = std::clamp(share, 0.0, 1.0);
  Rgb out = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const double from = (a >> shift) & 0xFF, to = (b >> shift) & 0xFF;
    out |= static_cast<Rgb>(std::lround(from + (to - from) * share)) << shift;
  }
  return out;
}

}  // namespace p2plab::report
