// See stage_times.h.
#include "app/cli/stage_times.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "app/analysis/measured_times.h"
#include "app/cli/units.h"
#include "app/trace/error.h"
#include "app/trace/perfetto.h"

namespace p2plab::cli {

namespace {

using schedule::StageTime;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out{""};
  for (const char c : line) {
    if (c == ',') out.emplace_back();
    else if (c != ' ' && c != '\r' && c != '\t') out.back() += c;
  }
  return out;
}

class Table {
 public:
  Table(std::istream& in, const std::string& file) : file_(file) {
    for (std::string line; std::getline(in, line);) {
      ++line_;
      if (line.empty() || line == "\r" || line.front() == '#') continue;
      columns_.empty() ? read_heading(cells(line)) : read_row(cells(line));
    }
    if (rows_.empty()) throw Error("sim.times.empty", {{"file", file}});
  }

  std::vector<StageTime> times() const {
    const int stages = rows_.rbegin()->first.first + 1;
    int microbatches = 0;
    for (const auto& [key, time] : rows_) microbatches = std::max(microbatches, key.second + 1);
    std::vector<StageTime> out;
    for (int s = 0; s < stages; ++s)
      for (int i = 0; i < microbatches; ++i) {
        const auto found = rows_.find({s, i});
        if (found == rows_.end()) throw Error("sim.times.hole", {{"file", file_}, {"stage", std::to_string(s)}, {"microbatch", per_microbatch() ? std::to_string(i) : "-"}});
        out.push_back(found->second);
      }
    return out;
  }

 private:
  bool per_microbatch() const { return columns_.contains("microbatch"); }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error("sim.times.bad_line", {{"file", file_}, {"line", std::to_string(line_)}, {"what", excerpt(what)}});
  }

  void read_heading(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!columns_.emplace(names[i], i).second) refuse(names[i]);
    for (const char* wanted : {"stage", "forward", "backward"})
      if (!columns_.contains(wanted)) refuse(names.empty() ? "" : names[0]);
    for (const auto& [name, at] : columns_)
      if (name != "stage" && name != "microbatch" && name != "forward" && name != "backward" && name != "weight") refuse(name);
  }

  int index(const std::string& text, int most) const {
    int value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || value < 0 || value > most) refuse(text);
    return value;
  }

  void read_row(const std::vector<std::string>& row) {
    if (row.size() != columns_.size()) refuse(row[0]);
    const auto cell = [&](const char* name) { return row[columns_.at(name)]; };
    const std::pair key{index(cell("stage"), 65535), per_microbatch() ? index(cell("microbatch"), 1 << 22) : 0};
    const auto time = [&](const char* name) -> schedule::Ns {
      if (!columns_.contains(name)) return 0;
      try {
        return parse_duration(name, cell(name));
      } catch (const Error&) {  // which knows neither file nor line
        throw Error("sim.times.bad_time", {{"file", file_}, {"line", std::to_string(line_)}, {"column", name}, {"cell", excerpt(cell(name))}});
      }
    };
    if (!rows_.emplace(key, StageTime{time("forward"), time("backward"), time("weight")}).second) refuse(row[0]);
  }

  std::string file_;
  int line_ = 0;
  std::map<std::string, std::size_t> columns_;
  std::map<std::pair<int, int>, StageTime> rows_;
};

}  // namespace

std::vector<StageTime> read_stage_times(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("sim.cannot_read", {{"file", file}});
  if (file.ends_with(".csv") || file.ends_with(".txt")) return Table(in, file).times();
  return analysis::measured_times(trace::open_perfetto(file)).stages;
}

}  // namespace p2plab::cli
