#include "app/gui/bench_frame.h"

#include <fmt/format.h>
#include <imgui.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <vector>

#include "app/gui/widgets/timeline.h"
#include "app/trace/atomic_file.h"

namespace p2plab::gui {
namespace {

using trace::Kind;
using trace::Ns;

constexpr int kRanks = 4, kFrames = 60;
constexpr double kBudgetMs = 16;
const ImVec2 kSize{1280, 800};

/// `spans` spans like those of a long run: pieces of work, calls, operations in flight, every send with its message.
trace::Trace long_run(std::size_t spans) {
  trace::Trace trace;
  trace.run.ranks = kRanks;
  std::mt19937_64 random(1);
  const auto between = [&](Ns low, Ns high) { return low + static_cast<Ns>(random() % static_cast<std::uint64_t>(high - low)); };
  Ns round_begin = 0, round_end = 0;
  const auto add = [&](int rank, trace::NameId lane, Kind kind, Ns begin, Ns end, int request) {
    trace::Span span;
    span.track = trace.track(rank, lane);
    span.kind = kind;
    span.begin = begin;
    span.end = end;
    span.request = request;
    span.microbatch = request % 64;
    if (lane == trace.in_flight_lane()) span.flags = trace::kInFlight;
    return trace.begin(span);
  };
  const trace::NameId compute = trace.intern("compute"), comm = trace.intern("comm"), flight = trace.in_flight_lane();
  for (int request = 0; trace.spans().size() < spans; ++request) {
    const int rank = request % kRanks, peer = (rank + 1) % kRanks;
    if (rank == 0) round_begin = round_end;  // the ranks of a job stay together
    const Ns begin = round_begin + between(0, 3000), end = begin + between(1000, 20000), done = end + between(500, 9000);
    add(rank, compute, request % 3 == 0 ? Kind::backward : Kind::forward, begin, end, request);
    add(rank, comm, Kind::send, end, end + 400, request);
    trace::Message message;
    message.send = add(rank, flight, Kind::send, end, done, request);
    message.receive = add(peer, flight, Kind::receive, end - 300, done, request);
    message.completion = done;
    trace.messages().push_back(message);
    round_end = std::max(round_end, done);
  }
  return trace;
}

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// ImGui as the window has it, but nothing takes the draw lists.
class NoWindow {
 public:
  NoWindow() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = kSize;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
    fonts.build(1, basic_characters());
#if IMGUI_VERSION_NUM < 19200
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
#endif
  }
  ~NoWindow() { ImGui::DestroyContext(); }
  Fonts fonts;
};

struct Cost {
  std::size_t spans = 0;
  double share = 1;  ///< of the run that is in view
  double decide_ms = 0, frame_ms = 0, worst_ms = 0;
  int vertices = 0;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

Cost measure(NoWindow& stage, const content::Text& text, const trace::Trace& trace, double share) {
  const Theme theme;
  TimelineWidget widget;
  widget.show_messages(true);
  widget.fold_in_flight(false);
  std::vector<double> frames, decisions;
  Cost out{trace.spans().size(), share};
  for (int i = 0; i < kFrames + 5; ++i) {
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    const double start = cpu_ms();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(kSize);
    ImGui::Begin("bench", nullptr, ImGuiWindowFlags_NoDecoration);
    Ui ui{theme, stage.fonts, text, {}};
    ui.animate = false;
    ui.seconds = i;
    if (i > 0) {  // another stretch in every frame, as when someone pans
      const double wide = share * static_cast<double>(trace.now()), begin = (1.001 * static_cast<double>(trace.now()) - wide) * (i % 10) / 10;
      widget.show(static_cast<Ns>(begin), static_cast<Ns>(begin + wide));
    }
    widget.draw(ui, &trace, false, {0, 0}, kSize);
    ImGui::End();
    ImGui::Render();
    const double frame = cpu_ms() - start;

    const report::View view{static_cast<Ns>(widget.view().begin()), static_cast<Ns>(widget.view().end()), kSize.x, 3};
    const double before = cpu_ms();
    auto rows = report::rows(trace);
    for (report::Row& row : rows) report::fill(trace, view, row);
    const double decided = cpu_ms() - before;
    if (i < 5) continue;  // the first frames build the message index and warm the caches
    frames.push_back(frame);
    decisions.push_back(decided);
    out.vertices = std::max(out.vertices, ImGui::GetDrawData()->TotalVtxCount);
  }
  out.decide_ms = median(decisions);
  out.frame_ms = median(frames);
  out.worst_ms = *std::max_element(frames.begin(), frames.end());
  return out;
}

}  // namespace

int bench_frame(const content::Text& text, const std::string& json) {
  NoWindow stage;
  std::string table = text("bench-frame.head") + "\n";
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  bool met = true;
  for (const std::size_t spans : {std::size_t{10'000}, std::size_t{1'000'000}}) {
    const trace::Trace trace = long_run(spans);
    for (const double share : {1.0, 0.1, 0.01}) {
      const Cost cost = measure(stage, text, trace, share);
      met = met && cost.frame_ms < kBudgetMs;
      table += text("bench-frame.row", {{"spans", fmt::format("{:>9}", cost.spans)},
                                        {"share", fmt::format("{:>3.0f}", share * 100)},
                                        {"decide", fmt::format("{:>6.2f}", cost.decide_ms)},
                                        {"frame", fmt::format("{:>6.2f}", cost.frame_ms)},
                                        {"worst", fmt::format("{:>6.2f}", cost.worst_ms)},
                                        {"vertices", fmt::format("{:>7}", cost.vertices)}}) +
               "\n";
      cases.push_back({{"spans", cost.spans},
                       {"view_share", share},
                       {"decide_ms", cost.decide_ms},
                       {"frame_ms", cost.frame_ms},
                       {"worst_frame_ms", cost.worst_ms},
                       {"vertices", cost.vertices}});
    }
  }
  const nlohmann::ordered_json all = {{"schema", "p2plab.bench/1"}, {"bench", "frame"},  {"frames", kFrames}, {"budget_ms", kBudgetMs},
                                      {"cases", cases},             {"met", met},        {"machine", {{"cores", std::thread::hardware_concurrency()}}}};
  std::fputs(table.c_str(), json == "-" ? stderr : stdout);
  if (json == "-") std::fputs((all.dump() + "\n").c_str(), stdout);
  else if (!json.empty()) trace::write_file(json, all.dump() + "\n");
  return met ? 0 : 1;
}

}  // namespace p2plab::gui
