#include "app/report/run_picture.h"

#include "app/report/chart_picture.h"
#include "app/report/conditions.h"
#include "app/report/result_charts.h"

namespace p2plab::report {

std::unique_ptr<Picture> run_picture(const check::DemoManifest& demo, const check::RunResult& result, const trace::Trace& trace,
                                     const std::vector<check::Link>& links, const content::Text& text, PictureText around) {
  constexpr double kWidth = 1200;
  auto charts = result_charts(demo, result.metrics, links, text);
  PictureOptions timeline;
  timeline.width = kWidth;
  if (around.conditions.empty()) around.conditions = conditions(trace.run, text, &demo);
  if (charts.empty()) return std::make_unique<TimelinePicture>(trace, text, std::move(around), timeline);
  std::vector<std::unique_ptr<Picture>> pictures;
  pictures.push_back(std::make_unique<ChartPicture>(std::move(charts), text, std::move(around), kWidth));
  if (!demo.results.timeline) return std::move(pictures.front());
  PictureText below;
  below.title = text("chart.timeline");
  pictures.push_back(std::make_unique<TimelinePicture>(trace, text, below, timeline));
  return std::make_unique<StackedPicture>(std::move(pictures));
}

}  // namespace p2plab::report
