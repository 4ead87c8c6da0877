// Which frame --screenshot, --after and --when-done take.
#include "app/gui/shot.h"
#include "tests/support/catch.h"

using namespace p2plab::gui;

namespace {

/// The first of a hundred frames, a tenth of a second apart, that is the picture; -1 when none is.
int first_due(const Options& options, int works_until, int moves_until) {
  Shot shot(options);
  for (int frame = 0; frame < 100; ++frame)
    if (shot.due(frame < works_until, frame < moves_until, frame * 0.1)) return frame;
  return -1;
}

Options picture() {
  Options out;
  out.screenshot = "x.png";
  return out;
}

}  // namespace

TEST_CASE("a picture is of a view that has been at rest for three frames") {
  CHECK(first_due(picture(), 0, 0) == 3);
  CHECK(first_due(picture(), 0, 20) == 23);
  CHECK(first_due(picture(), 50, 0) == 3);  // a run is not waited for
}

TEST_CASE("--after waits for its seconds, --when-done for the run, both for both") {
  auto options = picture();
  options.after = 2;
  CHECK(first_due(options, 0, 0) == 23);
  CHECK(first_due(options, 50, 0) == 23);
  options.when_done = true;
  CHECK(first_due(options, 50, 0) == 53);
  CHECK(first_due(options, 10, 0) == 23);
  options.after.reset();
  CHECK(first_due(options, 50, 0) == 53);
  options.after = 60;
  CHECK(first_due(options, 0, 0) == -1);
}

TEST_CASE("a picture is taken once, --exit alone waits as well, and without either there is none") {
  const auto options = picture();
  Shot shot(options);
  for (int i = 0; i < 3; ++i) CHECK_FALSE(shot.due(false, false, 0));
  CHECK(shot.due(false, false, 0));
  shot.taken();
  CHECK_FALSE(shot.due(false, false, 0));
  Options exit;
  exit.exit = true;
  exit.after = 2;
  CHECK(first_due(exit, 0, 0) == 23);
  CHECK(first_due(Options{}, 0, 0) == -1);
}
