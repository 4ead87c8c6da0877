#include "demos/p2p/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/trace/clock.h"
#include "demos/p2p/lane.h"
#include "demos/p2p/rules.h"
#include "demos/p2p/waiting.h"

namespace p2p {
namespace {

std::string in_quotes(std::string_view word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

/// Whole numbers without a point, others in the fewest digits that give them back; what is no number is null.
std::string in_json(double number) {
  if (!std::isfinite(number)) return "null";
  if (number == std::floor(number) && std::abs(number) < 9e15) return fmt::format("{:.0f}", number);
  return fmt::format("{}", number);
}

}  // namespace

void row(World& world, std::string_view table, std::initializer_list<Cell> cells) {
  std::string text;
  for (const Cell& cell : cells) {
    text += text.empty() ? "{" : ",";
    text += in_quotes(cell.column) + ":";
    text += std::holds_alternative<double>(cell.value) ? in_json(std::get<double>(cell.value)) : in_quotes(std::get<std::string>(cell.value));
  }
  world.note("row:" + std::string(table), text + "}");
}

void let_lab_catch_up() {
  constexpr std::int64_t kPatienceNs = 1'000'000'000, kNapNs = 200'000;
  auto* ring = Lane::current().ring;
  if (ring == nullptr) return;
  const p2plab::trace::RingHeader& header = ring->header();
  const std::int64_t until = p2plab::trace::monotonic_ns() + kPatienceNs;
  const auto waiting = [&] { return header.head.load(std::memory_order_relaxed) - header.tail.load(std::memory_order_acquire); };
  while (waiting() > header.slots / 8 && p2plab::trace::monotonic_ns() < until) sleep_until_ns(p2plab::trace::monotonic_ns() + kNapNs);
}

std::vector<double> of_all_ranks(World& world, double value) {
  Tensor mine = Tensor::bytes_of(sizeof value), all = Tensor::bytes_of(sizeof value * static_cast<std::size_t>(world.size()));
  mine.put(std::as_bytes(std::span(&value, 1)));
  world.all_gather(all, mine);
  finish(world);
  std::vector<double> out(static_cast<std::size_t>(world.size()));
  std::memcpy(out.data(), all.host().data(), all.nbytes());
  return out;
}

double largest_of_all_ranks(World& world, double value) {
  const auto all = of_all_ranks(world, value);
  return *std::max_element(all.begin(), all.end());
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace p2p
