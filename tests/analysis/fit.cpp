// The latency-bandwidth fit on lines known in advance.
#include "app/analysis/fit.h"

#include "tests/support/catch.h"

using namespace p2plab::analysis;

TEST_CASE("The median of an even number of values is the mean of the two in the middle") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({7}) == 7);
  CHECK_THROWS(median({}));
}

TEST_CASE("An exact line gives back its latency and bandwidth") {
  std::vector<SizeTimes> sizes;
  for (std::uint64_t n = 1; n <= (1u << 22); n *= 4) sizes.push_back({n, {1500.0 + static_cast<double>(n) / 10.0}});
  const auto fit = fit_latency_bandwidth(sizes);
  REQUIRE(fit);
  CHECK(fit->alpha_ns == Approx(1500.0));
  CHECK(fit->beta_bytes_per_s == Approx(1e10));
  CHECK(fit->n_half_bytes == Approx(15000.0));
}

TEST_CASE("A few times spoilt by the machine do not move the fit") {
  std::vector<SizeTimes> sizes;
  for (std::uint64_t n = 1; n <= (1u << 20); n *= 2) {
    const double t = 2000.0 + static_cast<double>(n) / 5.0;
    sizes.push_back({n, {t, t, t, t * 50, t * 90}});
  }
  const auto fit = fit_latency_bandwidth(sizes);
  REQUIRE(fit);
  CHECK(fit->alpha_ns == Approx(2000.0));
  CHECK(fit->beta_bytes_per_s == Approx(5e9));
}

TEST_CASE("Two points weighted by hand") {
  // t(0) = 100 twice as often measured does not count twice: one median each; the line goes through both points.
  const auto fit = fit_latency_bandwidth(std::vector<SizeTimes>{{0, {100, 100}}, {1000, {300}}});
  REQUIRE(fit);
  CHECK(fit->alpha_ns == Approx(100.0));
  CHECK(fit->beta_bytes_per_s == Approx(5e9));
  // Three points off a line, weights 1, 1/4, 1/9 for t = 1, 2, 3 at n = 0, 1, 3: slope 0.7, intercept 1.1 by hand below.
  const auto three = fit_latency_bandwidth(std::vector<SizeTimes>{{0, {1}}, {1, {2}}, {3, {3}}});
  REQUIRE(three);
  const double w[] = {1.0, 0.25, 1.0 / 9};
  const double sum = w[0] + w[1] + w[2];
  const double n = (w[1] * 1 + w[2] * 3) / sum, t = (w[0] * 1 + w[1] * 2 + w[2] * 3) / sum;
  const double slope = (w[0] * (0 - n) * (1 - t) + w[1] * (1 - n) * (2 - t) + w[2] * (3 - n) * (3 - t)) /
                       (w[0] * n * n + w[1] * (1 - n) * (1 - n) + w[2] * (3 - n) * (3 - n));
  CHECK(three->beta_bytes_per_s == Approx(1e9 / slope));
  CHECK(three->alpha_ns == Approx(t - slope * n));
}

TEST_CASE("No line is made up where there is none") {
  CHECK_FALSE(fit_latency_bandwidth(std::vector<SizeTimes>{}));
  CHECK_FALSE(fit_latency_bandwidth(std::vector<SizeTimes>{{8, {100}}}));
  CHECK_FALSE(fit_latency_bandwidth(std::vector<SizeTimes>{{8, {100}}, {8, {120}}}));
  CHECK_FALSE(fit_latency_bandwidth(std::vector<SizeTimes>{{8, {100}}, {80, {90}}}));
}

TEST_CASE("A step between two protocols is told from latency and bandwidth") {
  std::vector<SizeTimes> sizes;
  for (std::uint64_t n = 1; n <= (1u << 22); n *= 2) sizes.push_back({n, {1500.0 + static_cast<double>(n) / 10.0 + (n > 8192 ? 3000.0 : 0.0)}});
  const auto fit = fit_latency_bandwidth(sizes, 8192);
  REQUIRE(fit);
  REQUIRE(fit->step_ns);
  CHECK(fit->alpha_ns == Approx(1500.0));
  CHECK(fit->beta_bytes_per_s == Approx(1e10));
  CHECK(*fit->step_ns == Approx(3000.0));
  CHECK_FALSE(fit_latency_bandwidth(sizes, 1e9)->step_ns);  // beyond all sizes
  CHECK_FALSE(fit_latency_bandwidth(sizes)->step_ns);
}
