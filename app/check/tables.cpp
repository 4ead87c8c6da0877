#include "app/check/tables.h"

#include <cmath>
#include <vector>

#include "app/analysis/fit.h"

namespace p2plab::check {

using nlohmann::ordered_json;

ordered_json tables(const trace::Trace& trace) {
  constexpr std::string_view kRow = "row:";  // as demos/p2p/table.cpp names the note
  ordered_json out = ordered_json::object();
  std::map<int, std::vector<const trace::Note*>> by_rank;
  for (const trace::Note& note : trace.notes())
    if (trace.name(note.name).starts_with(kRow)) by_rank[note.rank].push_back(&note);
  for (const auto& [rank, notes] : by_rank) {
    for (const trace::Note* note : notes) {
      auto row = ordered_json::parse(trace.name(note->text), nullptr, false);
      if (row.is_object()) out[trace.name(note->name).substr(kRow.size())].push_back(std::move(row));
    }
  }
  return out;
}

ordered_json fitted(const FitSpec& spec, const ordered_json& table, std::optional<double> step_above) {
  ordered_json out = ordered_json::object();
  std::vector<analysis::SizeTimes> sizes;
  for (const auto& row : table) {
    const auto bytes = row.find(spec.bytes), time = row.find(spec.time);
    if (bytes == row.end() || time == row.end() || !bytes->is_number() || !time->is_number()) continue;
    sizes.push_back({bytes->get<std::uint64_t>(), {time->get<double>()}});
  }
  const auto fit = analysis::fit_latency_bandwidth(sizes, step_above);
  if (!fit) return out;
  out["alpha_ns"] = static_cast<std::int64_t>(std::llround(fit->alpha_ns));
  out["beta_bytes_per_s"] = fit->beta_bytes_per_s;
  out["n_half_bytes"] = static_cast<std::int64_t>(std::llround(fit->n_half_bytes));
  if (fit->step_ns) out["step_ns"] = static_cast<std::int64_t>(std::llround(*fit->step_ns));
  return out;
}

}  // namespace p2plab::check
