// The closed forms of the papers over a grid of shapes, times and latencies.
#include "tests/schedule/support.h"
#include "tests/support/catch.h"

using namespace p2plab::test;

namespace {
constexpr Ns kF = 60, kB = 70, kW = 50, kS = kF + kB + kW;
}

TEST_CASE("every schedule is legal over a grid of shapes") {
  for (const Generator& generator : generators())
    for (int p = 1; p <= 9; ++p)
      for (int m = 1; m <= 20; ++m)
        for (int v = generator.chunks; v <= std::min(generator.max_chunks, 4); ++v) {
          if (generator.needs_multiple && m % p != 0) continue;
          INFO(generator.id << " p=" << p << " m=" << m << " v=" << v);
          CHECK(text(find_fault(make_schedule(generator, problem(p, m, v)))) == "");
        }
}

TEST_CASE("GPipe and 1F1B take (m+p-1)S, one microbatch at a time mpS, and keep m, min(m, p-i) and 1 activations") {
  for (int p = 1; p <= 12; ++p)
    for (int m = 1; m <= 24; ++m) {
      INFO("p=" << p << " m=" << m);
      const auto gpipe = run("gpipe", p, m, kF, kB, kW), one = run("1f1b", p, m, kF, kB, kW), naive = run("naive", p, m, kF, kB, kW);
      CHECK(gpipe.makespan == (m + p - 1) * kS);
      CHECK(one.makespan == (m + p - 1) * kS);
      CHECK(naive.makespan == m * p * kS);
      CHECK(gpipe.bubble_ratio() == Approx(double(p - 1) / (m + p - 1)).margin(1e-12));
      for (int i = 0; i < p; ++i) {
        const auto s = static_cast<std::size_t>(i);
        CHECK(gpipe.stages[s].peak == 1000 * m);
        CHECK(one.stages[s].peak == 1000 * std::min(m, p - i));
        CHECK(naive.stages[s].peak == 1000);
      }
    }
}

TEST_CASE("the ideal bubble that a schedule claims is the one it has, whatever m and whichever of F, B and W is the longest") {
  constexpr Ns kTimes[][3] = {{60, 70, 50}, {1, 1, 1}, {1, 2, 3}, {2, 1, 4}, {3, 1, 1}, {1, 3, 1}, {1, 8, 2}, {1, 5, 9}, {2, 7, 3}, {0, 2, 1}, {2, 0, 3}, {4, 4, 0}};
  for (const Generator& generator : generators()) {
    if (generator.ideal == nullptr) continue;
    int claimed = 0;
    for (int p = 1; p <= 6; ++p)
      for (int m = 1; m <= 3 * p; ++m) {
        if (generator.needs_multiple && m % p != 0) continue;
        for (int v = generator.chunks; v <= std::min(generator.max_chunks, 3); ++v)
          for (const auto& [f, b, w] : kTimes) {
            INFO(generator.id << " p=" << p << " m=" << m << " v=" << v << " F=" << f << " B=" << b << " W=" << w);
            const auto bubble = ideal_bubble(generator, {p, m, v}, double(v * f), double(v * b), double(v * w));
            if (!bubble) continue;
            ++claimed;
            CHECK(double(run(generator.id, p, m, v * f, v * b, v * w, 0, v).makespan) == Approx(double(m * v * (f + b + w)) + *bubble).margin(1e-6));
          }
      }
    CHECK(claimed > 100);
  }
}

TEST_CASE("a closed form is not claimed below the number of microbatches from which it holds, and from there on it is") {
  for (const Generator& generator : generators()) {
    if (generator.ideal == nullptr || generator.ideal_from == nullptr) continue;
    for (int p = 2; p <= 8; ++p) {
      const int from = generator.ideal_from(p);
      INFO(generator.id << " p=" << p << " from " << from);
      CHECK(ideal_bubble(generator, {p, from, 1}, 1, 1, 1).has_value());
      CHECK_FALSE(ideal_bubble(generator, {p, from - 1, 1}, 1, 1, 1).has_value());
      bool differs = false;  // with some times; else the rule would be too strict
      for (Ns f = 1; f <= 4; ++f)
        for (Ns b = 1; b <= 4; ++b)
          for (Ns w = 1; w <= 4; ++w) {
            const double claimed = double((from - 1) * (f + b + w)) + generator.ideal({p, from - 1, 1}, double(f), double(b), double(w));
            differs = differs || double(run(generator.id, p, from - 1, f, b, w).makespan) != claimed;
          }
      CHECK(differs);
    }
  }
}

TEST_CASE("interleaving takes mS + (p-1)S/v, and vp+p-1 chunks on the first stage") {
  for (int p = 2; p <= 8; ++p)
    for (int v = 2; v <= 5; ++v)
      for (int groups = 2; groups <= 3; ++groups) {
        INFO("p=" << p << " v=" << v << " m=" << groups * p);
        const auto simulated = run("interleaved-1f1b", p, groups * p, kF * v, kB * v, kW * v, 0, v);
        CHECK(simulated.makespan == groups * p * kS * v + (p - 1) * kS);
        CHECK(simulated.stages[0].peak == 1000 * (v * p + p - 1));
        CHECK(simulated.messages == 2LL * groups * p * (p * v - 1));
      }
}

TEST_CASE("one chunk interleaved is plain 1F1B") {
  CHECK(make_schedule(generator("interleaved-1f1b"), problem(4, 7, 1)).stages == make_schedule(generator("1f1b"), problem(4, 7)).stages);
}

TEST_CASE("latency: GPipe (m+p-1)S + 2(p-1)c, 1F1B (m+p-1)S + c(2(p-1) + 2(m-2-floor((m-2)/p)))") {
  for (int p = 2; p <= 12; ++p)
    for (int m = 2; m <= 30; ++m)
      for (Ns c : {1, 5, 10}) {
        INFO("p=" << p << " m=" << m << " c=" << c);
        CHECK(run("gpipe", p, m, kF, kB, kW, c).makespan == (m + p - 1) * kS + 2 * (p - 1) * c);
        if (m < p) continue;  // the form is that of a full pipeline
        CHECK(run("1f1b", p, m, kF, kB, kW, c).makespan == (m + p - 1) * kS + c * (2 * (p - 1) + 2 * (m - 2 - (m - 2) / p)));
      }
}

TEST_CASE("ZB-H1 keeps p activations, ZB-H2 2p-1, on every stage") {
  for (int p = 2; p <= 8; ++p) {
    for (const auto peak : peaks(run("zb-h1", p, 4 * p, kF, kB, kW))) CHECK(peak == p);
    for (const auto peak : peaks(run("zb-h2", p, 4 * p, kF, kB, kW))) CHECK(peak == 2 * p - 1);
  }
}

TEST_CASE("latency: ZB-H1 mS + (p-1)(F+B-W) + 4(p-1)c") {
  for (int p = 2; p <= 10; ++p)
    for (Ns c : {0, 1, 4}) {
      INFO("p=" << p << " c=" << c);
      CHECK(run("zb-h1", p, 3 * p, kF, kB, kW, c).makespan == 3 * p * kS + (p - 1) * (kF + kB - kW) + 4 * (p - 1) * c);
    }
}
