// See show_knobs.h.
#include "app/cli/show_knobs.h"

#include <algorithm>
#include <ostream>

#include "app/content/nearest.h"
#include "app/report/quantity.h"

namespace p2plab::cli {

namespace {

/// "1 MiB", "20 ms", "150 %": with the unit, so that nobody takes it for another.
std::string in_unit(const Context& context, const check::Knob& knob, const std::string& value) {
  if (knob.type == check::Knob::Type::file) return context("demos.no_file");
  if (knob.type == check::Knob::Type::bytes) return report::bytes(std::stoull(value));
  if (knob.unit.empty()) return value;
  return value + " " + (knob.unit == "us" ? "µs" : knob.unit);
}

/// What the knob may be set to.
std::string values(const Context& context, const check::Knob& knob) {
  if (knob.type == check::Knob::Type::choice) return content::join(knob.choices);
  if (knob.type == check::Knob::Type::file) return context("demos.file");
  return context("demos.range", {{"minimum", in_unit(context, knob, std::to_string(knob.minimum))}, {"maximum", in_unit(context, knob, std::to_string(knob.maximum))}});
}

}  // namespace

void print_knobs(const Context& context, const std::vector<check::Knob>& knobs, std::ostream& out, int indent) {
  const bool zh = context.text.language() == content::Language::zh;
  std::size_t widest = 0;
  for (const check::Knob& knob : knobs) widest = std::max(widest, knob.id.size() + knob.default_value.size());
  for (const check::Knob& knob : knobs) {
    const std::string room(widest - knob.id.size() - knob.default_value.size() + 2, ' ');
    out << std::string(static_cast<std::size_t>(indent), ' ') << "--set " << knob.id << "=" << knob.default_value << room
        << context("demos.knob", {{"title", zh ? knob.title.zh : knob.title.en}, {"default", in_unit(context, knob, knob.default_value)}, {"values", values(context, knob)}}) << "\n";
  }
}

}  // namespace p2plab::cli
