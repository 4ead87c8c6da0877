// How the visible stretch of time moves.
#include "app/gui/widgets/timeline_view.h"
#include "app/gui/shot.h"

#include "tests/support/catch.h"

using p2plab::gui::TimelineView;
using Follow = TimelineView::Follow;

namespace {

/// A view of a finished run of one second, at rest.
TimelineView finished() {
  TimelineView view;
  view.update(1e9, false, 0, false);
  return view;
}

void rest(TimelineView& view, double newest = 1e9, bool running = false) { view.update(newest, running, 100, false); }

}  // namespace

TEST_CASE("before anything is recorded there is an axis") {
  TimelineView view;
  view.update(0, false, 0, true);
  CHECK(view.begin() == 0);
  CHECK(view.width() > 0);
}

TEST_CASE("a new run is followed as a whole") {
  TimelineView view;
  view.update(50e6, true, 0, true);
  CHECK(view.begin() == 0);
  CHECK(view.end() >= 50e6);
  view.update(400e6, true, 0.1, true);
  CHECK(view.begin() == 0);
  CHECK(view.end() >= 400e6);
}

TEST_CASE("zooming keeps the instant under the cursor where it is") {
  const double fraction = GENERATE(0.0, 0.3, 0.9);
  TimelineView view = finished();
  const double at = view.begin() + fraction * view.width(), wide = view.width();
  view.zoom(fraction, 0.5);
  rest(view);
  CHECK(view.begin() + fraction * view.width() == Approx(at).margin(1));
  CHECK(view.width() == Approx(wide / 2));
}

TEST_CASE("a zoom eases for 150 ms and can be had at once") {
  TimelineView view = finished();
  view.update(1e9, false, 10.0, true);
  const double wide = view.width();
  view.zoom(0.5, 0.25);
  view.update(1e9, false, 10.05, true);
  CHECK(view.moving());
  CHECK(view.width() < wide);
  CHECK(view.width() > wide / 4);
  view.update(1e9, false, 10.16, true);
  CHECK_FALSE(view.moving());
  CHECK(view.width() == Approx(wide / 4));

  view.zoom(0.5, 0.5);
  view.update(1e9, false, 10.17, false);  // motion switched off
  CHECK_FALSE(view.moving());
  CHECK(view.width() == Approx(wide / 8));
}

TEST_CASE("wheel notches in quick succession add up") {
  TimelineView view = finished();
  view.update(1e9, false, 10.0, true);
  const double wide = view.width();
  for (int i = 0; i < 4; ++i) {
    view.zoom(0.5, 0.5);
    view.update(1e9, false, 10.0 + 0.02 * i, true);
  }
  view.update(1e9, false, 11, true);
  CHECK(view.width() == Approx(wide / 16));
}

TEST_CASE("zoom ends at nanoseconds and at some times the run") {
  TimelineView view = finished();
  for (int i = 0; i < 200; ++i) view.zoom(0.5, 0.5);
  rest(view);
  CHECK(view.width() >= TimelineView::kNarrowest);
  for (int i = 0; i < 200; ++i) view.zoom(0.5, 2);
  rest(view);
  CHECK(view.width() <= 4e9);
}

TEST_CASE("something of the run stays in sight however far one pans") {
  const double direction = GENERATE(-1.0, 1.0);
  TimelineView view = finished();
  for (int i = 0; i < 100; ++i) view.pan(direction);
  rest(view);
  CHECK(view.begin() < 1e9);
  CHECK(view.end() > 0);
}

TEST_CASE("any pan pauses following, and following resumes on request") {
  TimelineView view;
  view.update(500e6, true, 0, false);
  view.pan(-0.1);
  CHECK(view.follow() == Follow::none);
  const double end = view.end();
  view.update(900e6, true, 1, false);
  CHECK(view.end() == end);
  view.resume();
  CHECK(view.follow() != Follow::none);
  view.update(2000e6, true, 2, false);
  CHECK(view.end() >= 2000e6);
}

TEST_CASE("zooming in at the live edge keeps following at the new width") {
  TimelineView view;
  view.update(1e9, true, 0, false);
  view.zoom(0.97, 0.25);
  CHECK(view.follow() == Follow::tail);
  view.update(1e9, true, 1, false);
  const double wide = view.width();
  view.update(3e9, true, 2, false);
  CHECK(view.width() == Approx(wide));
  CHECK(view.end() >= 3e9);
  CHECK(view.begin() > 2e9);
}

TEST_CASE("zooming into the past of a running run stays there") {
  TimelineView view;
  view.update(1e9, true, 0, false);
  view.zoom(0.2, 0.25);
  CHECK(view.follow() == Follow::none);
  view.update(1e9, true, 1, false);
  const double begin = view.begin();
  view.update(3e9, true, 2, false);
  CHECK(view.begin() == begin);
}

TEST_CASE("showing a span leaves a little air around it") {
  TimelineView view = finished();
  view.show(200e6, 300e6);
  rest(view);
  CHECK(view.begin() < 200e6);
  CHECK(view.end() > 300e6);
  CHECK(view.width() < 130e6);
}

TEST_CASE("revealing moves only when something is out of sight") {
  TimelineView view = finished();
  view.show(200e6, 300e6);
  rest(view);
  const double begin = view.begin(), wide = view.width();
  view.reveal(250e6, 260e6);
  rest(view);
  CHECK(view.begin() == begin);
  view.reveal(700e6, 710e6);
  rest(view);
  CHECK(view.begin() < 700e6);
  CHECK(view.end() > 710e6);
  CHECK(view.width() == Approx(wide));
}

TEST_CASE("after a run has ended the whole of it is fitted") {
  TimelineView view;
  view.update(1e9, true, 0, true);
  view.update(1.2e9, false, 1, true);
  view.update(1.2e9, false, 2, true);
  CHECK(view.begin() == 0);
  CHECK(view.end() == Approx(1.2e9 * 1.02));
  CHECK_FALSE(view.moving());
}

TEST_CASE("a picture is taken when what was waited for has happened and the view has come to rest") {
  p2plab::gui::Options options;
  options.screenshot = "x.png";
  options.when_done = true;
  p2plab::gui::Shot shot(options);
  TimelineView view;
  double seconds = 0;
  bool taken = false;
  for (int frame = 0; frame < 200 && !taken; ++frame) {  // the run grows, and ends at frame 20: then the view glides
    const bool running = frame < 20;
    taken = shot.due(running, view.moving(), seconds);
    if (taken) break;
    view.update(running ? 1e9 * (1 + 0.05 * frame) : 3e9, running, seconds, true, 0.4e9);
    seconds += 1.0 / 60;
  }
  REQUIRE(taken);
  CHECK(seconds > TimelineView::kEaseSeconds + 20 / 60.0);
  CHECK(view.begin() == view.target_begin());
  CHECK(view.end() == view.target_end());
}

TEST_CASE("a finished run fills the view however short it was, a running one does not jump at its start") {
  TimelineView view;
  view.update(30e3, true, 0, false);
  CHECK(view.width() > 1e6);
  view.update(30e3, false, 1, false);
  CHECK(view.end() == Approx(30e3 * 1.02));
}

TEST_CASE("following shows a run from its first span on") {
  TimelineView view;
  view.update(420e6, false, 0, false, 400e6);
  CHECK(view.begin() == Approx(399.6e6));
  CHECK(view.end() == Approx(420.4e6));
}
