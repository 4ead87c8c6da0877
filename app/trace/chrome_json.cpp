// Spans as "X" events, messages as flows; written for the rules by which Perfetto's and catapult's importers read them.
#include "app/trace/chrome_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/trace/atomic_file.h"
#include "app/trace/nesting.h"
#include "app/trace/perfetto_format.h"

namespace p2plab::trace {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string_view category(Kind kind) { return perfetto::kCategories[static_cast<std::size_t>(kind)]; }

// Whole nanoseconds as microseconds; a double would round them.
struct Microseconds {
  Ns ns;
};

struct Line {
  enum class What : std::uint8_t { span, flow_start, flow_end, counter };
  Ns at;
  Ns length;  ///< of a span
  std::uint32_t id;
  What what;
  /// In order of time; what lies around comes before what lies inside.
  bool operator<(const Line& other) const {
    if (at != other.at) return at < other.at;
    if (what != other.what) return what < other.what;
    return length != other.length ? length > other.length : id < other.id;
  }
};

class Exporter {
 public:
  Exporter(const Trace& trace, const std::filesystem::path& path, std::span<const Counter> counters)
      : trace_(trace), counters_(counters), file_(path), stacks_(nesting_stacks(trace)) {
    names_.reserve(trace.names());
    for (NameId id = 0; id < trace.names(); ++id) names_.push_back(json_text(trace.name(id)));
  }

  void write() {
    head();
    for (const Line& line : lines()) {
      switch (line.what) {
        case Line::What::span:
          span(line.id);
          break;
        case Line::What::flow_start:
          flow(line, 's');
          break;
        case Line::What::flow_end:
          flow(line, 'f');
          break;
        case Line::What::counter:
          count(line);
          break;
      }
      if (out_.size() > 1 << 20) flush();
    }
    put(std::string_view("\n]}\n"));
    flush();
    file_.commit();
  }

 private:
  // --- text ----------------------------------------------------------------------------------------------------------
  void put(std::string_view text) { out_.append(text.begin(), text.end()); }
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void put(Microseconds time) {
    if (time.ns < 0) out_.push_back('-');
    const auto ns = static_cast<std::uint64_t>(time.ns < 0 ? -time.ns : time.ns);
    put("{}.{:03}", ns / 1000, ns % 1000);
  }
  void flush() {
    file_.write({out_.data(), out_.size()});
    out_.clear();
  }
  void next_event() {
    put(std::string_view(first_ ? "\n" : ",\n"));
    first_ = false;
  }

  // --- what the trace holds --------------------------------------------------------------------------------------
  void head() {
    const RunInfo& run = trace_.run;
    nlohmann::ordered_json about = {{"command", run.command},
                                    {"demo", run.demo},
                                    {"backend", run.backend},
                                    {"semantics", run.semantics},
                                    {"link", run.link},
                                    {"compute", run.compute},
                                    {"knobs", run.knobs},
                                    {"ranks", run.ranks},
                                    {"seed", run.seed},
                                    {"strict", run.strict},
                                    {"version", run.version},
                                    {"machine", run.machine},
                                    {"mpi", run.mpi},
                                    {"clock_error_ns", run.clock_error_ns},
                                    {"dropped_records", trace_.dropped()}};
    nlohmann::ordered_json metrics = nlohmann::ordered_json::array();
    for (const Metric& m : trace_.metrics()) {
      metrics.push_back({{"Rank", m.rank}, {"name", trace_.name(m.name)}, {"value", m.value}});
    }
    about["metrics"] = metrics;
    put("{{\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":0,\n\"otherData\":{},\n\"traceEvents\":[",
        about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::map<int, int> described;
    for (TrackId id = 0; id < trace_.tracks().size(); ++id) {
      const Track& track = trace_.tracks()[id];
      if (described[track.rank]++ == 0) {
        metadata(track.rank, 0, "process_name", fmt::format("\"name\":\"rank {}\"", track.rank));
        metadata(track.rank, 0, "process_sort_index", fmt::format("\"sort_index\":{}", track.rank));
      }
      threads_.emplace_back();
    }
    for (SpanId id = 0; id < trace_.spans().size(); ++id) thread(id);
  }

  void metadata(int rank, int thread, std::string_view what, std::string_view args) {
    next_event();
    put("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{{}}}}}", rank + 1, thread, what, args);
  }

  // The thread that stands for the stack of this span's lane, described when first seen. The usual lanes have fixed
  // numbers, so that scripts find them.
  int thread(SpanId id) {
    const Span& span = trace_.span(id);
    const Track& track = trace_.tracks()[span.track];
    std::vector<int>& known = threads_[span.track];
    const std::size_t stack = stacks_[id];
    if (known.size() <= stack) known.resize(stack + 1, 0);
    if (known[stack] != 0) return known[stack];
    const std::string& lane = trace_.name(track.lane);
    int number = 0;
    if (track.lane == trace_.in_flight_lane())
      number = 21 + static_cast<int>(stack);
    else if (stack != 0)
      number = 200'001 + others_++;
    else if (lane == "host")
      number = 1;
    else if (lane == "compute")
      number = 7;
    else if (lane == "comm")
      number = 20;
    else
      number = 100'001 + others_++;
    known[stack] = number;
    const bool in_flight = track.lane == trace_.in_flight_lane();
    metadata(track.rank, number, "thread_name", fmt::format("\"name\":{}", names_[track.lane]));
    metadata(track.rank, number, "thread_sort_index",
             fmt::format("\"sort_index\":{}", in_flight ? number + 1'000'000 : number));
    return number;
  }

  std::vector<Line> lines() const {
    std::vector<Line> lines;
    lines.reserve(trace_.spans().size() + 2 * trace_.messages().size());
    for (SpanId id = 0; id < trace_.spans().size(); ++id) {
      const Span& span = trace_.span(id);
      lines.push_back({span.begin, end_of(span) - span.begin, id, Line::What::span});
    }
    for (std::uint32_t i = 0; i < trace_.messages().size(); ++i) {
      const Message& message = trace_.messages()[i];
      if (message.send == kNoIndex || message.receive == kNoIndex) continue;
      const Span& send = trace_.span(message.send);
      const Span& receive = trace_.span(message.receive);
      // A flow attaches to the slice around its instant, so the arrow's head lies just inside the receive.
      const Ns arrival = std::max(receive.begin, end_of(receive) - 1);
      lines.push_back({send.begin, 0, i, Line::What::flow_start});
      lines.push_back({std::max(arrival, send.begin), 0, i, Line::What::flow_end});
    }
    std::uint32_t sample = 0;
    for (const Counter& counter : counters_)
      for (const auto& [when, value] : counter.values) lines.push_back({when, 0, sample++, Line::What::counter});
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  Ns end_of(const Span& span) const { return span.open() ? std::max(trace_.now(), span.begin) : span.end; }

  void flow(const Line& line, char phase) {
    const Message& message = trace_.messages()[line.id];
    const SpanId at = phase == 's' ? message.send : message.receive;
    next_event();
    put("{{\"ph\":\"{}\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":", phase, line.id + 1,
        trace_.rank_of(at) + 1, thread(at));
    put(Microseconds{line.at});
    put(std::string_view(",\"cat\":\"message\",\"name\":\"message\""));
    put(std::string_view(phase == 'f' ? ",\"bp\":\"e\"}" : "}"));
  }

  /// Samples are numbered through all counters.
  void count(const Line& line) {
    std::size_t at = line.id;
    const auto counter = std::find_if(counters_.begin(), counters_.end(), [&](const Counter& one) {
      if (at < one.values.size()) return true;
      at -= one.values.size();
      return false;
    });
    next_event();
    put("{{\"ph\":\"C\",\"pid\":{},\"name\":{},\"ts\":", counter->rank + 1, json_text(counter->name));
    put(Microseconds{line.at});
    put(",\"args\":{{\"value\":{}}}}}", counter->values[at].second);
  }

  void span(SpanId id) {
    const Span& span = trace_.span(id);
    const int rank = trace_.tracks()[span.track].rank;
    next_event();
    put("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":", rank + 1, thread(id));
    put(Microseconds{span.begin});
    put(std::string_view(",\"dur\":"));
    put(Microseconds{end_of(span) - span.begin});
    put(",\"cat\":\"{}\",\"name\":", category(span.kind));
    if (span.name != 0)
      put(std::string_view(names_[span.name]));
    else
      put("\"{}\"", category(span.kind));
    put(std::string_view(",\"args\":{"));
    arguments(span, rank);
    put(std::string_view("}}"));
  }

  // Spelt as PyTorch's Kineto spells them where it has them, so that one reader serves both.
  void arguments(const Span& span, int rank) {
    bool first = true;
    const auto key = [&](std::string_view name) {
      put("{}\"{}\":", first ? "" : ",", name);
      first = false;
    };
    const auto integer = [&](std::string_view name, std::int64_t value) {
      if (value == kNone) return;
      key(name);
      put("{}", value);
    };
    const auto text = [&](std::string_view name, NameId value) {
      if (value == 0) return;
      key(name);
      put(std::string_view(names_[value]));
    };
    const auto truth = [&](std::string_view name, bool value) {
      if (!value) return;
      key(name);
      put(std::string_view("true"));
    };
    if (span.kind == Kind::send && span.peer != kNone) {
      integer("Src Rank", rank);
      integer("Dst Rank", span.peer);
    } else if (span.kind == Kind::receive && span.peer != kNone) {
      integer("Src Rank", span.peer);
      integer("Dst Rank", rank);
    } else {
      integer("peer", span.peer);
    }
    integer("tag", span.tag);
    if (span.bytes != 0) {
      key("bytes");
      put("{}", span.bytes);
    }
    text("Process Group Name", span.comm);
    integer("Seq", span.sequence);
    integer("request", span.request);
    integer("microbatch", span.microbatch);
    integer("chunk", span.chunk);
    integer("stage", span.stage);
    text("site", span.site);
    truth("blocking", (span.flags & kBlocking) != 0);
    truth("strict", (span.flags & kStrict) != 0);
    truth("paced", (span.flags & kPaced) != 0);
    truth("group", (span.flags & kGroup) != 0);
    truth("open", span.open());
  }

  const Trace& trace_;
  std::span<const Counter> counters_;
  AtomicFile file_;
  std::vector<std::uint16_t> stacks_;
  std::vector<std::string> names_;         ///< quoted
  std::vector<std::vector<int>> threads_;  ///< by track and stack
  int others_ = 0;
  fmt::memory_buffer out_;
  bool first_ = true;
};

}  // namespace

void save_chrome_json(const Trace& trace, const std::filesystem::path& path, std::span<const Counter> counters) {
  Exporter(trace, path, counters).write();
}

}  // namespace p2plab::trace
