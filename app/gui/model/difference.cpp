// Reads the program's note and the trace's hashes.
#include "app/gui/model/difference.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace p2plab::gui {
namespace {

std::optional<std::vector<std::uint8_t>> unhex(const std::string& text) {
  std::vector<std::uint8_t> out;
  if (text.size() % 2) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return out;
}

}  // namespace

std::optional<Difference> parse_difference(std::string_view note) {
  const auto json = nlohmann::json::parse(note, nullptr, false);
  if (!json.is_object() || !json.contains("offset") || !json["offset"].is_number_unsigned()) return std::nullopt;
  if (!json.contains("sent") || !json["sent"].is_string() || !json.contains("received") || !json["received"].is_string()) return std::nullopt;
  const auto sent = unhex(json["sent"].get<std::string>()), received = unhex(json["received"].get<std::string>());
  if (!sent || !received || sent->empty()) return std::nullopt;
  return Difference{json["offset"].get<std::uint64_t>(), *sent, *received, 0};
}

std::optional<Difference> first_difference(const trace::Trace& trace) {
  for (const auto& note : trace.notes()) {
    if (trace.name(note.name) != "first_difference") continue;
    if (auto found = parse_difference(trace.name(note.text))) {
      found->rank = note.rank;
      return found;
    }
  }
  return std::nullopt;
}

std::vector<ChangedPayload> changed_payloads(const trace::Trace& trace) {
  std::vector<ChangedPayload> out;
  for (const auto& [span, hashes] : trace.all_hashes())
    if (hashes.has_post && hashes.has_done && hashes.post != hashes.done && trace.span(span).kind == trace::Kind::send)
      out.push_back({span, hashes.post, hashes.done});
  std::sort(out.begin(), out.end(), [&](const ChangedPayload& a, const ChangedPayload& b) { return trace.span(a.span).begin < trace.span(b.span).begin; });
  return out;
}

}  // namespace p2plab::gui
