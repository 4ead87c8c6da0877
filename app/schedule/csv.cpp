// See csv.h.
#include "app/schedule/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "app/schedule/generator.h"
#include "app/trace/error.h"

namespace p2plab::schedule {
namespace {

constexpr std::array<std::pair<std::string_view, Op>, 8> kWords{{{"F", Op::forward},
                                                                  {"B", Op::backward},
                                                                  {"I", Op::input},
                                                                  {"W", Op::weight},
                                                                  {"SEND_F", Op::send_forward},
                                                                  {"RECV_F", Op::receive_forward},
                                                                  {"SEND_B", Op::send_backward},
                                                                  {"RECV_B", Op::receive_backward}}};
constexpr std::array<std::string_view, 3> kIgnored{"UNSHARD", "RESHARD", "REDUCE_GRAD"};

struct Cell {
  int part = 0, microbatch = 0;
  Op op = Op::forward;
};

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The number at the front of the text, which it then lacks.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || text.empty() || text.front() == '-') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return value;
}

class Reader {
 public:
  explicit Reader(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
      const auto end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (trim(line).empty() && text.find_first_not_of("\r\n \t") == std::string_view::npos) break;
      read_row(line);
    }
  }

  Schedule schedule(std::string name) const {
    if (rows_.empty() || holder_.empty()) throw Error("schedule.csv.empty", {{"file", name}});
    const int parts = holder_.rbegin()->first + 1;
    std::vector<int> stage_of_part;
    for (int part = 0; part < parts; ++part) {
      const auto found = holder_.find(part);
      if (found == holder_.end()) throw Error("schedule.csv.nobody", {{"part", std::to_string(part)}, {"last", std::to_string(parts - 1)}});
      stage_of_part.push_back(found->second);
    }
    Schedule out{std::move(name), microbatches_, Layout(static_cast<int>(rows_.size()), stage_of_part), {}};
    for (const auto& row : rows_) {
      StageOrder& order = out.stages.emplace_back();
      for (const Cell& cell : row)
        order.push_back({cell.microbatch, static_cast<std::int16_t>(out.layout.chunk_of(cell.part)), cell.op});
    }
    return out;
  }

 private:
  void read_row(std::string_view line) {
    if (rows_.size() >= static_cast<std::size_t>(kMaxStages)) throw Error("schedule.csv.too_large");
    rows_.emplace_back();
    int column = 0;
    for (;;) {
      const auto comma = line.find(',');
      read_cell(trim(line.substr(0, comma)), ++column);
      if (comma == std::string_view::npos) return;
      line.remove_prefix(comma + 1);
    }
  }

  void read_cell(std::string_view text, int column) {
    if (text.empty()) return;
    if (text.starts_with('(') && text.ends_with(")OVERLAP_F_B")) {
      text = text.substr(1, text.size() - 13);
      const auto semicolon = text.find(';');
      read_cell(trim(text.substr(0, semicolon)), column);
      if (semicolon != std::string_view::npos) read_cell(trim(text.substr(semicolon + 1)), column);
      return;
    }
    const auto bad = [&, whole = excerpt(text)]() -> Error {
      return Error("schedule.csv.bad_cell", {{"cell", whole}, {"row", std::to_string(rows_.size())}, {"column", std::to_string(column)}});
    };
    const auto part = take_number(text);
    if (!part) throw bad();
    if (*part >= kMaxParts) throw Error("schedule.csv.too_large");
    const auto digits = std::find_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const std::string_view word = text.substr(0, static_cast<std::size_t>(digits - text.begin()));
    if (std::find(kIgnored.begin(), kIgnored.end(), word) != kIgnored.end()) return;
    const auto known = std::find_if(kWords.begin(), kWords.end(), [&](const auto& pair) { return pair.first == word; });
    text.remove_prefix(word.size());
    const auto microbatch = take_number(text);
    if (known == kWords.end() || !microbatch || !text.empty()) throw bad();
    if (*microbatch >= kMaxMicrobatches) throw Error("schedule.csv.too_large");
    const int row = static_cast<int>(rows_.size()) - 1;
    const auto [holder, fresh] = holder_.emplace(*part, row);
    if (!fresh && holder->second != row)
      throw Error("schedule.csv.two_rows", {{"part", std::to_string(*part)}, {"row", std::to_string(row + 1)},
                                            {"other", std::to_string(holder->second + 1)}, {"column", std::to_string(column)}});
    microbatches_ = std::max(microbatches_, *microbatch + 1);
    rows_.back().push_back({*part, *microbatch, known->second});
  }

  std::vector<std::vector<Cell>> rows_;
  std::map<int, int> holder_;  ///< row of each part
  int microbatches_ = 1;
};

}  // namespace

Schedule read_csv(std::string_view text, std::string name) { return Reader(text).schedule(std::move(name)); }

std::string write_csv(const Schedule& schedule) {
  std::string out;
  for (int stage = 0; stage < schedule.layout.stages(); ++stage) {
    bool first = true;
    for (const Action& a : schedule.stages[static_cast<std::size_t>(stage)]) {
      if (a.op >= Op::meet) continue;
      const auto word = std::find_if(kWords.begin(), kWords.end(), [&](const auto& pair) { return pair.second == a.op; });
      if (!first) out += ',';
      first = false;
      out += std::to_string(schedule.layout.part_of(stage, a.chunk));
      out += word->first;
      out += std::to_string(a.microbatch);
    }
    out += '\n';
  }
  return out;
}

}  // namespace p2plab::schedule
