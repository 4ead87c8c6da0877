#include "app/report/row_names.h"

#include <algorithm>
#include <set>

#include "app/report/utf8.h"
#include "app/report/words.h"

namespace p2plab::report {
namespace {

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size(); at += out.back().size()) out.push_back(text.substr(at, std::max<std::size_t>(1, character_length(text.substr(at)))));
  return out;
}

/// The first characters within `head` columns, then the last within what is left of `width`.
std::string both_ends(std::string_view name, int head, int width) {
  const auto all = characters(name);
  std::string front, back;
  std::size_t i = 0, end = all.size();
  for (; i < end && columns(front) + columns(all[i]) <= head; ++i) front += all[i];
  for (; end > i && columns(front) + columns(back) + columns(all[end - 1]) <= width; --end) back.insert(0, all[end - 1]);
  return front + back;
}

}  // namespace

std::string padded(std::string_view text, int width) {
  std::string out;
  int used = 0;
  for (const std::string_view each : characters(text)) {
    const int wide = columns(each);
    if (used + wide > width) break;
    out += each;
    used += wide;
  }
  return out + std::string(static_cast<std::size_t>(std::max(0, width - used)), ' ');
}

std::map<std::string, std::string> short_names(const std::vector<std::string>& names, int width) {
  const std::set<std::string> all(names.begin(), names.end());
  std::map<std::string, std::string> out;
  std::set<std::string> used;
  for (const std::string& name : all) {
    if (columns(name) > width) continue;
    out[name] = name;
    used.insert(name);
  }
  // "com" would stand for "compute" and "comm" alike: a beginning that another name shares is no short form.
  const auto shared = [&](const std::string& form, const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& other) { return other != name && other.starts_with(form); });
  };
  int number = 0;
  for (const std::string& name : all) {
    if (out.contains(name)) continue;
    for (int head = width; head > 0 && !out.contains(name); --head) {
      const std::string form = both_ends(name, head, width);
      if (!form.empty() && !shared(form, name) && used.insert(form).second) out[name] = form;
    }
    while (!out.contains(name)) {
      const std::string form = std::to_string(++number);
      if (used.insert(form).second) out[name] = form;
    }
  }
  return out;
}

RowNames::RowNames(const std::vector<Row>& rows, const content::Text& text, int width) : text_(text) {
  std::vector<std::string> lanes;
  int longest = 0, rank = 0;
  for (const Row& row : rows) {
    lanes.push_back(shown_lane(row.lane, text));
    longest = std::max(longest, columns(lanes.back()));
    rank = std::max(rank, row.rank);
  }
  // A third of the terminal at most: the rest belongs to the time.
  const int most = std::clamp(width / 3, 1, 30);
  head_ = columns(head(rank)) + 1;
  if (head_ + longest + 1 > most) {
    words_ = false;
    head_ = columns(head(rank)) + 1;
  }
  lane_ = std::min(longest + 1, std::max(2, most - head_));
  short_ = short_names(lanes, lane_ - 1);
}

std::string RowNames::head(int rank) const {
  const std::string number = std::to_string(rank);
  return words_ ? text_("report.rank", {{"n", number}}) : number;
}

std::string RowNames::operator()(const Row& row, bool first_of_rank) const {
  return padded(first_of_rank ? head(row.rank) : "", head_) + padded(short_.at(shown_lane(row.lane, text_)), lane_);
}

}  // namespace p2plab::report
