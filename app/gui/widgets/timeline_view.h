// The visible stretch of time and how it moves: zoom about a point, pan, fit, follow. No drawing, tested without a window.
#pragma once
#include <algorithm>
#include <cmath>

#include "app/trace/clock.h"

namespace p2plab::gui {

class TimelineView {
 public:
  /// What is kept in sight while a run grows.
  enum class Follow {
    none,   ///< the view stays where it was put
    whole,  ///< from the start to the newest instant
    tail,   ///< the newest instant, at the width that was chosen
  };
  static constexpr double kEaseSeconds = 0.15;
  static constexpr double kNarrowest = 20;  ///< ns; below one sees nothing but the clock's grain

  double begin() const { return begin_; }
  double end() const { return end_; }
  double width() const { return end_ - begin_; }
  Follow follow() const { return follow_; }
  bool moving() const { return moving_; }
  /// Where the view will be when it has come to rest.
  double target_begin() const { return to_begin_; }
  double target_end() const { return to_end_; }

  /// Back to following a new run as a whole.
  void reset() { *this = TimelineView(); }

  /// Keeps the instant at `fraction` of the width where it is; factor < 1 shows less. While the view follows a run,
  /// zooming out, or in at its newest end, keeps following; zooming in elsewhere is a wish to look there.
  void zoom(double fraction, double factor) {
    const double wide = std::clamp((to_end_ - to_begin_) * factor, kNarrowest, widest());
    if (follow_ != Follow::none) {
      const double live = std::clamp((newest_ - to_begin_) / (to_end_ - to_begin_), 0.0, 1.0);
      const bool keep = running_ && (factor > 1 || fraction > live - 0.1);
      if (keep) fraction = live;
      follow_ = keep ? Follow::tail : Follow::none;
    }
    const double anchor = to_begin_ + fraction * (to_end_ - to_begin_);
    go(anchor - fraction * wide, anchor + (1 - fraction) * wide);
  }
  /// Moves by a share of the width; pauses following. A drag moves at once, a key eases.
  void pan(double share, bool ease = false) {
    follow_ = Follow::none;
    const double by = share * (to_end_ - to_begin_);
    go(to_begin_ + by, to_end_ + by);
    if (!ease) arrive();
  }
  /// Shows a stretch with a little air on both sides; pauses following.
  void show(double begin, double end) {
    follow_ = Follow::none;
    const double air = std::max(0.08 * (end - begin), kNarrowest / 4);
    go(begin - air, end + air);
  }
  /// Moves, without zooming, until `at` is in the middle, if it is out of sight.
  void reveal(double begin, double end) {
    if (begin >= to_begin_ && end <= to_end_) return;
    if (begin < to_end_ && end > to_begin_ && end - begin > to_end_ - to_begin_) return;  // fills the view already
    follow_ = Follow::none;
    const double half = (to_end_ - to_begin_) / 2, middle = std::min((begin + end) / 2, begin + half);
    go(middle - half, middle + half);
  }
  /// The whole run.
  void fit() { follow_ = Follow::whole; }
  /// Resumes with the newest instant in sight, at the present width.
  void resume() {
    if (follow_ == Follow::none) follow_ = to_begin_ <= 0 && to_end_ >= newest_ ? Follow::whole : Follow::tail;
  }
  void pause() { follow_ = Follow::none; }

  /// Once a frame: the newest instant, whether the run goes on, the time on a clock that only goes forward, and where
  /// the first span began.
  void update(double newest, bool running, double seconds, bool ease, double oldest = 0) {
    newest_ = newest;
    running_ = running;
    seconds_ = seconds;
    // A run that has just begun does not fill the axis: nothing jumps. One that has ended does, however short.
    const double least = running || newest <= 0 ? kEmptyWidth : kNarrowest;
    if (follow_ == Follow::whole) {
      const double air = 0.02 * std::max(newest - oldest, 0.0);
      aim(std::max(0.0, oldest - air), std::max(newest + air, oldest + least), ease && !running);
    }
    if (follow_ == Follow::tail && running) {
      const double wide = to_end_ - to_begin_, end = newest + 0.05 * wide;
      // The view slides with the run; easing after every record would lag behind for ever.
      const double by = end - to_end_;
      begin_ += by, end_ += by, from_begin_ += by, from_end_ += by, to_begin_ += by, to_end_ += by;
    }
    if (!moving_) return;
    const double t = ease ? std::clamp((seconds - started_) / kEaseSeconds, 0.0, 1.0) : 1.0;
    const double eased = 1 - (1 - t) * (1 - t) * (1 - t);
    begin_ = from_begin_ + (to_begin_ - from_begin_) * eased;
    end_ = from_end_ + (to_end_ - from_end_) * eased;
    if (t >= 1) arrive();
  }

 private:
  static constexpr double kEmptyWidth = 10e6;  ///< 10 ms: an axis before there is anything on it

  double widest() const { return 4 * std::max(newest_, kEmptyWidth); }
  void go(double begin, double end) {
    // Something of the run stays in sight.
    const double wide = end - begin, least = -0.9 * wide, most = std::max(newest_, 1.0) - 0.1 * wide;
    to_begin_ = std::clamp(begin, std::min(least, most), most);
    to_end_ = to_begin_ + wide;
    from_begin_ = begin_;
    from_end_ = end_;
    started_ = seconds_;
    moving_ = true;
  }
  void aim(double begin, double end, bool ease) {
    if (begin == to_begin_ && end == to_end_) return;
    to_begin_ = begin;
    to_end_ = end;
    from_begin_ = begin_;
    from_end_ = end_;
    started_ = seconds_;
    moving_ = true;
    if (!ease) arrive();
  }
  void arrive() {
    begin_ = to_begin_;
    end_ = to_end_;
    moving_ = false;
  }

  double begin_ = 0, end_ = kEmptyWidth;
  double from_begin_ = 0, from_end_ = kEmptyWidth, to_begin_ = 0, to_end_ = kEmptyWidth;
  double started_ = 0, seconds_ = 0, newest_ = 0;
  bool moving_ = false, running_ = false;
  Follow follow_ = Follow::whole;
};

}  // namespace p2plab::gui
