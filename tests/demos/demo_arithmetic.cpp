// The arithmetic of the measuring demos, apart from their programs.
#include <unistd.h>

#include <fstream>

#include "demos/latency-bandwidth/sweep.h"
#include "demos/overlap/bound.h"
#include "demos/p2p-vs-collective/traffic.h"
#include "demos/prefetch/batches.h"
#include "demos/straggler/waits.h"
#include "demos/topology/patterns.h"
#include "tests/support/catch.h"

TEST_CASE("a sweep doubles from the smallest to the largest, and takes in what lies between") {
  CHECK(sweep_sizes(0, 8, {}) == std::vector<std::uint64_t>{0, 1, 2, 4, 8});
  CHECK(sweep_sizes(3, 20, {9, 10, 3, 40}) == std::vector<std::uint64_t>{3, 6, 9, 10, 12, 20});
  CHECK(sweep_sizes(7, 7, {}) == std::vector<std::uint64_t>{7});
}

TEST_CASE("large messages are measured less often, but never less than five times") {
  CHECK(repetitions(0, 100) == 100);
  CHECK(repetitions(1 << 20, 100) == 64);
  CHECK(repetitions(std::uint64_t{1} << 30, 100) == 5);
  CHECK(repetitions(std::uint64_t{1} << 30, 2) == 2);
}

TEST_CASE("a spread is ordered, and its median is the middle") {
  const Spread s = spread({5, 1, 4, 2, 3});
  CHECK(s.lowest == 1);
  CHECK(s.median == 3);
  CHECK(s.p90 >= s.median);
  CHECK(spread({1, 2}).median == 1.5);
}

TEST_CASE("the ring sends 2(p-1)/p of the data, the root of a gather all of it to everybody") {
  CHECK(bytes_of_busiest("ring", 4, 1000) == 1500);
  CHECK(bytes_of_busiest("ring", 2, 1000) == 1000);
  CHECK(bytes_of_busiest("gather-broadcast", 4, 1000) == 3000);
  CHECK(bytes_of_busiest("doubling", 8, 1000) == 3000);
  CHECK(bytes_of_busiest("doubling", 6, 1000) == 3000);  // two rounds of four, and one to give back
}

TEST_CASE("who is waited for depends on who talks to whom") {
  CHECK(partners("all-reduce", 1, 4, false) == std::vector<int>{0, 2, 3});
  CHECK(partners("chain", 0, 4, false).empty());
  CHECK(partners("chain", 2, 4, false) == std::vector<int>{1});
  CHECK(partners("chain", 2, 4, true) == std::vector<int>{1, 3});
  CHECK(partners("pairs", 2, 4, true) == std::vector<int>{3});
  CHECK(partners("pairs", 4, 5, false).empty());
}

TEST_CASE("a stay is waiting until the last partner has come, and transfer from then on") {
  const std::vector<Stay> stays{{100, 160}, {150, 170}, {400, 410}};
  const Split all = split("all-reduce", 2, stays, false), first = split("pairs", 0, stays, false);
  CHECK(all.waiting_ns == 0);
  CHECK(all.transfer_ns == 10);
  CHECK(first.waiting_ns == 50);
  CHECK(first.transfer_ns == 10);
  // A clock that is off makes no transfer negative.
  CHECK(split("all-reduce", 0, stays, false).waiting_ns == 60);
  CHECK(split("all-reduce", 0, stays, false).transfer_ns == 0);
}

TEST_CASE("overlap wins at most twofold, and what is exposed bounds it") {
  CHECK(bound(10, 10) == 2);
  CHECK(bound(30, 10) == Approx(4.0 / 3));
  CHECK(speed_up(0.09) == Approx(1.0989).epsilon(1e-4));
  CHECK(speed_up(1.0 / 6) == Approx(1.2));
  CHECK(hidden_share(10, 10, 20) == 0);
  CHECK(hidden_share(10, 10, 10) == 1);
  CHECK(hidden_share(30, 10, 35) == 0.5);
}

namespace {

PatternOptions of(int ranks) {
  PatternOptions options;
  options.ranks = ranks;
  options.bytes = 10;
  return options;
}

}  // namespace

TEST_CASE("patterns have the edges that their names say") {
  CHECK(pattern("chain", of(4)).size() == 3);
  CHECK(pattern("ring", of(4)).size() == 4);
  CHECK(pattern("ring", of(2)) == std::vector<Edge>{{0, 1, 10}, {1, 0, 10}});
  CHECK(pattern("star", of(5)).size() == 8);
  CHECK(pattern("tree", of(7)).size() == 12);
  CHECK(pattern("grid", of(12)).size() == 2 * (3 * 3 + 2 * 4));  // 3 rows of 4
  CHECK(pattern("random", of(8)).size() == 16);
  CHECK_THROWS(pattern("cube", of(8)));
}

TEST_CASE("experts get every token's choices, and a skew brings them to expert 0") {
  PatternOptions options = of(4);
  options.tokens = 100;
  options.degree = 4;  // every expert: each rank sends each other one all of its tokens
  for (const Edge& edge : pattern("moe", options)) CHECK(edge.bytes == 1000);
  options.degree = 1;
  options.skew_percent = 100;
  for (const Edge& edge : pattern("moe", options)) CHECK(edge.to == 0);
  options.tokens = 0;
  CHECK(pattern("moe", options).empty());
  options.tokens = 20;
  options.skew_percent = 30;
  CHECK(pattern("moe", options) == pattern("moe", options));
}

TEST_CASE("the busiest port of a star is its middle, and of a ring everybody's") {
  const auto star = loads(pattern("star", of(5)), 5), ring = loads(pattern("ring", of(5)), 5);
  CHECK(busiest(star) == 40);
  CHECK(star[1].out == 10);
  CHECK(busiest(ring) == 10);
}

TEST_CASE("a graph is read from a file, and a wrong line is named") {
  const auto path = std::filesystem::temp_directory_path() / ("p2plab graph 图 " + std::to_string(::getpid()));
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write("# mine\n0 1 4K\n\n1 0 7 # back\n0 1 1\n");
  CHECK(read_pattern(path, 2) == std::vector<Edge>{{0, 1, 4097}, {1, 0, 7}});
  const auto refused = [&](const std::string& text) {
    write(text);
    try {
      read_pattern(path, 2);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("0 1 4K\n0 2 1\n").find("line 2: there is no such rank") != std::string::npos);
  CHECK(refused("0 1\n").find("three words") != std::string::npos);
  CHECK(refused("0 1 4X\n").find("no number") != std::string::npos);
  CHECK(refused("1 1 4\n").find("itself") != std::string::npos);
  CHECK(refused("0 1 0\n").find("from 1 byte") != std::string::npos);
  CHECK(refused("").find("no edges") != std::string::npos);
  std::filesystem::remove(path);
  CHECK_THROWS(read_pattern(path, 2));
}

TEST_CASE("batches are what was written, and a batch is not taken for another") {
  const Batches batches(3, 1000);
  std::vector<std::byte> buffer(1000);
  batches.read(2, buffer);
  CHECK(Batches::is(2, buffer));
  CHECK_FALSE(Batches::is(1, buffer));
}
