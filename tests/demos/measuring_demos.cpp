// The decisive numbers of the measuring demos, on the virtual clock: exact, by formula.
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/check/links.h"
#include "demos/p2p-vs-collective/traffic.h"
#include "tests/demos/measured.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_host;
using p2plab::test::on_sim;
using p2plab::test::run_demo;

namespace {

p2plab::check::Link link(const std::string& id) {
  for (const auto& one : p2plab::check::load_links(p2plab::launch::Installation::find().assets() / "links.toml"))
    if (one.id == id) return one;
  throw std::runtime_error("no link " + id);
}

}  // namespace

TEST_CASE("ping-pong on a modelled link gives back its latency, its bandwidth and n½") {
  for (const std::string id : {"ib-ndr", "nvlink", "ethernet10"}) {
    const auto m = on_sim("latency-bandwidth", {{"iterations", "2"}, {"max_bytes", "1M"}}, 2, id);
    const auto wanted = link(id);
    INFO(id << "\n" << describe(*m.run));
    CHECK(m.number("alpha_ns") == Approx(static_cast<double>(wanted.alpha_ns)).epsilon(0.02));
    CHECK(m.number("beta_bytes_per_s") == Approx(wanted.bytes_per_s).epsilon(0.02));
    CHECK(m.number("n_half_bytes") == Approx(wanted.n_half_bytes()).epsilon(0.04));
    CHECK(m.number("step_ns") == Approx(2.0 * static_cast<double>(wanted.alpha_ns)).epsilon(0.02));  // the request and its answer
    CHECK(m["table"].size() == 23);  // 0, 1, 2 … 1 MiB, and the byte after the eager limit of 64 KiB
  }
}

TEST_CASE("a send returns at once up to the eager limit, and above it when the receiver comes") {
  const auto m = on_sim("latency-bandwidth", {{"variant", "late-receiver"}, {"receiver_delay_ms", "20"}, {"min_bytes", "1K"}, {"max_bytes", "1M"}});
  CHECK(m.number("send_smallest_ns") < 1e6);
  CHECK(m.number("send_largest_ns") >= 20e6);
  const auto strict = on_sim("latency-bandwidth", {{"variant", "late-receiver"}, {"receiver_delay_ms", "20"}, {"min_bytes", "1K"}, {"max_bytes", "1M"}}, 2, "raw", true);
  CHECK(strict.number("send_smallest_ns") >= 20e6);
}

TEST_CASE("isend returns at once although the receiver is late; wait holds the caller under MPI's rules, and the stream under NCCL's") {
  for (const std::string semantics : {"mpi", "nccl"}) {
    p2plab::check::RunRequest request;
    request.demo = "latency-bandwidth";
    request.backend = "sim";
    request.semantics = semantics;
    request.knobs = {{"variant", "late-isend"}, {"min_bytes", "1M"}, {"max_bytes", "1M"}};
    const auto run = run_demo(std::move(request));
    INFO(describe(*run));
    CHECK(run->result().as_promised);
    CHECK(run->result().metrics["send_largest_ns"].get<double>() < 1e6);
    CHECK((run->result().metrics["wait_largest_ns"].get<double>() >= 20e6) == (semantics == "mpi"));
  }
}

TEST_CASE("both ways at once takes as long as one way, where the link carries them side by side") {
  const std::map<std::string, std::string> eager{{"iterations", "1"}, {"min_bytes", "4K"}, {"max_bytes", "64K"}};
  auto both = eager;
  both["variant"] = "both-ways";
  CHECK(on_sim("latency-bandwidth", both)["table"] == on_sim("latency-bandwidth", eager)["table"]);
}

TEST_CASE("one size gives no line, and the run does not say that its time lies on one") {
  p2plab::check::RunRequest request;
  request.demo = "latency-bandwidth";
  request.backend = "sim";
  request.knobs = {{"min_bytes", "4K"}, {"max_bytes", "4K"}, {"iterations", "1"}};
  const auto run = run_demo(std::move(request));
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::pass);
  CHECK(run->result().metrics["n_half_bytes"].is_null() == run->result().not_shown.has_value());
}

TEST_CASE("several messages under way come closer to the bandwidth than ping-pong does") {
  const auto one = on_sim("latency-bandwidth", {{"iterations", "2"}, {"min_bytes", "4K"}, {"max_bytes", "64K"}});
  const auto many = on_sim("latency-bandwidth", {{"variant", "window"}, {"iterations", "2"}, {"min_bytes", "4K"}, {"max_bytes", "64K"}});
  CHECK(many["table"][0]["algbw_bytes_per_s"].get<double>() > 3 * one["table"][0]["algbw_bytes_per_s"].get<double>());
}

TEST_CASE("a copy by send is never slower than the ring's sum; with two ranks they meet") {
  const auto four = on_sim("p2p-vs-collective", {{"iterations", "1"}}, 4);
  CHECK(four.number("ring_over_send_times") >= 1.5);
  CHECK(four.number("ring_over_send_most_times") == Approx(6).epsilon(0.05));  // 2(p-1) latencies
  for (const auto& row : four["table"]) {
    const double wanted = bytes_of_busiest(row["algorithm"].get<std::string>(), 4, row["bytes"].get<double>());
    INFO(row.dump());
    CHECK(row["sent_bytes"].get<double>() == (wanted > 0 ? wanted : least_of_busiest(row["algorithm"].get<std::string>(), 4, row["bytes"].get<double>())));
    CHECK(row["sent_by"] == (wanted > 0 ? "counted" : "at-least"));
    // A ring and recursive doubling load all ranks alike; through rank 0 it sends as much as the three others together.
    const std::string way = row["algorithm"];
    const double sent = row["sent_bytes"].get<double>();
    CHECK(row["total_sent_bytes"].is_null() == (wanted == 0));
    if (way == "ring" || way == "doubling") CHECK((row["least_sent_bytes"] == sent && row["total_sent_bytes"] == 4 * sent));
    if (way == "gather-broadcast") CHECK((row["least_sent_bytes"] == sent / 3 && row["total_sent_bytes"] == 2 * sent));
    if (way == "send") CHECK((row["least_sent_bytes"] == 0 && row["total_sent_bytes"] == sent));
  }
  const auto two = on_sim("p2p-vs-collective", {{"iterations", "1"}, {"min_bytes", "64M"}, {"max_bytes", "64M"}}, 2);
  CHECK(two.number("ring_over_send_times") >= 1);
  CHECK(two.number("ring_over_send_times") < 1.05);
}

TEST_CASE("the ring's sum over the copy is what bytes and latencies make of it, and the run says how much of it is latency") {
  const auto nic = link("ib-ndr");
  for (const int p : {2, 4, 8}) {
    for (const auto& [bytes, latencies] : std::map<std::string, double>{{"16777216", 3.0}, {"1024", 1.0}}) {  // rendezvous, eager
      const auto m = on_sim("p2p-vs-collective", {{"iterations", "1"}, {"min_bytes", bytes}, {"max_bytes", bytes}}, p);
      const double step = latencies * static_cast<double>(nic.alpha_ns), wire = std::stod(bytes) / nic.bytes_per_s * 1e9;
      INFO(p << " ranks, " << bytes << " bytes");
      CHECK(m.number("ring_over_send_largest_times") == Approx((2 * (p - 1) * step + 2.0 * (p - 1) / p * wire) / (step + wire)).epsilon(0.001));
      CHECK(m.number("ring_beyond_step_ns") == Approx(step).epsilon(0.01));
      CHECK(m.number("ring_beyond_ns") == Approx(2 * (p - 1) * step).epsilon(0.01));
    }
  }
  // A copy that asks first beside steps that do not: no one latency explains both.
  const auto mixed = on_sim("p2p-vs-collective", {{"iterations", "1"}, {"min_bytes", "128K"}, {"max_bytes", "128K"}}, 4);
  CHECK(mixed["ring_beyond_step_ns"].is_null());
}

TEST_CASE("for each size the run says which sum is the fastest, and by how much") {
  const auto m = on_sim("p2p-vs-collective", {{"iterations", "1"}}, 4);
  std::map<double, std::map<std::string, double>> times;
  for (const auto& row : m["table"])
    if (row["algorithm"] != "send" && row["algorithm"] != "broadcast") times[row["bytes"].get<double>()][row["algorithm"].get<std::string>()] = row["time_ns"].get<double>();
  REQUIRE(m["winners"].size() == times.size());
  for (const auto& row : m["winners"]) {
    INFO(row.dump());
    const auto& ways = times.at(row["bytes"].get<double>());
    std::vector<double> sorted;
    for (const auto& [way, ns] : ways) sorted.push_back(ns);
    std::sort(sorted.begin(), sorted.end());
    CHECK(ways.at(row["sum"].get<std::string>()) == sorted[0]);
    CHECK(row["next_times"].get<double>() == Approx(sorted[1] / sorted[0]));
    CHECK(row["next"] != row["sum"]);
  }
  CHECK(m["winners"][0]["sum"] == "doubling");  // small: the fewest rounds
  const auto large = on_sim("p2p-vs-collective", {{"iterations", "1"}, {"min_bytes", "64M"}, {"max_bytes", "64M"}}, 4);
  CHECK(large["winners"][0]["sum"] == "all-reduce");  // large: the fewest bytes, and on the virtual clock no rendezvous
  CHECK(large["winners"][0]["next"] == "ring");
  CHECK(on_sim("p2p-vs-collective", {{"variant", "ring"}, {"iterations", "1"}}, 4)["winners"].is_null());
}

TEST_CASE("each way of p2p-vs-collective runs by itself") {
  for (const std::string way : {"send", "broadcast", "gather-broadcast", "ring", "doubling", "all-reduce"}) {
    const auto m = on_sim("p2p-vs-collective", {{"variant", way}, {"iterations", "1"}, {"min_bytes", "4K"}, {"max_bytes", "4K"}});
    REQUIRE(m["table"].size() == 1);
    CHECK(m["table"][0]["algorithm"] == way);
  }
}

TEST_CASE("sums are right for numbers of ranks that are no power of two") {
  for (const int ranks : {3, 5, 6, 7}) on_sim("p2p-vs-collective", {{"iterations", "1"}, {"min_bytes", "4"}, {"max_bytes", "64"}}, ranks);
}

TEST_CASE("a slow rank is waited for by all, by those behind it, or by its partner") {
  const auto waiting = [](const std::string& variant, const std::string& bytes = "4096") {
    return on_sim("straggler", {{"variant", variant}, {"bytes", bytes}, {"slow_rank", "1"}}, 4).number("waiting_ranks");
  };
  CHECK(waiting("all-reduce") == 3);
  CHECK(waiting("chain") == 2);
  CHECK(waiting("chain", "1M") == 3);  // above the eager limit the one before it waits too
  CHECK(waiting("pairs") == 1);
  // A small broadcast is no barrier: nobody waits for a late leaf, and all wait for a late root.
  CHECK(waiting("broadcast") == 0);
  CHECK(waiting("broadcast", "1M") == 3);
  CHECK(on_sim("straggler", {{"variant", "broadcast"}, {"slow_rank", "0"}}, 4).number("waiting_ranks") == 3);
  const auto all = on_sim("straggler", {{"variant", "all-reduce"}, {"steps", "4"}}, 4);
  CHECK(all.number("waiting_ns") == Approx(2e6).epsilon(0.01));  // 150 % of 4 ms is 2 ms late
  CHECK(all.number("slowdown_times") > 1.5);
}

TEST_CASE("the waiting and the transfer of each rank stand in a table") {
  const auto m = on_sim("straggler", {{"variant", "pairs"}, {"steps", "4"}}, 4);
  REQUIRE(m["ranks"].size() == 4);
  for (int rank = 0; rank < 4; ++rank) {
    const auto& row = m["ranks"][static_cast<std::size_t>(rank)];
    INFO(row.dump());
    CHECK(row["compute_ns"] == (rank == 1 ? 24e6 : 16e6));
    // Rank 0 is the partner of rank 1, which is 2 ms late in each of 4 steps and finds all messages there.
    CHECK(row["waiting_ns"].get<double>() == Approx(rank == 0 ? 8e6 : 0).epsilon(0.01));
    CHECK((row["transfer_ns"] == 0) == (rank == 1));
  }
  const auto& tables = m.run->demo().results.tables;
  CHECK(std::any_of(tables.begin(), tables.end(), [](const auto& table) { return table.id == "ranks"; }));
}

TEST_CASE("a straggler that is none is waited for by nobody, and nobody says so") {
  for (const std::string variant : {"all-reduce", "chain", "pairs"})
    for (const auto& edge : {std::pair<std::string, std::string>{"slow_percent", "100"}, {"compute_us", "0"}}) {
      const auto none = on_sim("straggler", {{"variant", variant}, {edge.first, edge.second}, {"steps", "2"}}, 4);
      CHECK(none.number("waiting_ranks") == 0);
      CHECK(none.run->result().says.en.starts_with("No rank is slower"));
      CHECK(none["slowdown_times"].is_null() == (edge.first == "compute_us"));
    }
}

TEST_CASE("a star's traffic passes one port, a ring's is spread over all") {
  CHECK(on_sim("topology", {{"variant", "star"}, {"iterations", "1"}}, 8).number("imbalance_times") == 4);  // 7 of 14 messages, 8 ports
  const auto ring = on_sim("topology", {{"variant", "ring"}, {"iterations", "1"}}, 8);
  CHECK(ring.number("imbalance_times") == 1);
  CHECK(ring["matrix"].size() == 64);
  const auto even = on_sim("topology", {{"variant", "moe"}, {"iterations", "1"}, {"bytes", "1K"}}, 8);
  const auto skewed = on_sim("topology", {{"variant", "moe"}, {"iterations", "1"}, {"bytes", "1K"}, {"skew_percent", "80"}}, 8);
  CHECK(skewed.number("imbalance_times") > 2 * even.number("imbalance_times"));
  CHECK(skewed.number("exchange_ns") > even.number("exchange_ns"));
  const auto none = on_sim("topology", {{"variant", "moe"}, {"iterations", "1"}, {"tokens", "0"}}, 4);
  CHECK(none["imbalance_times"].is_null());
  CHECK(none.run->result().says.en.starts_with("Nobody has anything to send"));
}

TEST_CASE("the busiest port and the links that carry most are named, in every graph") {
  const auto path = std::filesystem::temp_directory_path() / ("p2plab graph " + std::to_string(::getpid()));
  std::ofstream(path) << "0 3 64K\n2 1 1M\n1 0 4K\n";
  struct Wanted {
    std::string graph;
    int messages, busiest;
    std::string link;  ///< the heaviest
  };
  // Of six ranks: grid is 2 x 3. Inner ranks of a tree have more than one edge.
  for (const Wanted& one : {Wanted{"chain", 5, 0, "0>1"}, {"ring", 6, 0, "0>1"}, {"tree", 10, 1, "0>1"}, {"grid", 14, 1, "0>1"}, {"random", 12, -1, ""}, {"file", 3, 1, "2>1"}}) {
    INFO(one.graph);
    std::map<std::string, std::string> knobs{{"variant", one.graph}, {"iterations", "1"}};
    if (one.graph == "file") knobs["file"] = path.string();
    const auto m = on_sim("topology", knobs, 6);
    CHECK(m.number("message_count") == one.messages);
    if (one.busiest >= 0) CHECK(m.number("busiest_rank") == one.busiest);
    const auto& link = m["links"][0];
    if (!one.link.empty()) CHECK(link["from"] == "rank " + one.link.substr(0, 1));
    if (!one.link.empty()) CHECK(link["to"] == "rank " + one.link.substr(2));
    for (std::size_t i = 1; i < m["links"].size(); ++i) CHECK(m["links"][i - 1]["bytes"].get<double>() >= m["links"][i]["bytes"].get<double>());
  }
  std::filesystem::remove(path);
}

TEST_CASE("where messages move in calls alone, isend hides nothing; tests, a thread that tests and a stream do") {
  const auto m = on_sim("overlap", {{"iterations", "1"}, {"compute_percent", "100"}, {"progress", "in-calls"}});
  CHECK(m.number("isend_gain_times") == Approx(1).epsilon(0.01));
  CHECK(m.number("polling_gain_times") > 1.7);
  CHECK(m.number("thread_gain_times") > 1.9);
  CHECK(m.number("stream_gain_times") > 1.9);
  CHECK(m.run->result().says.en.starts_with("Weak progress"));
  // Eager messages are gone when they are posted, and who blocks makes progress: nothing else changes.
  const auto eager = on_sim("overlap", {{"variant", "isend"}, {"iterations", "1"}, {"compute_percent", "100"}, {"progress", "in-calls"}, {"bytes", "64K"}});
  CHECK(eager.number("isend_gain_times") > 1.9);
  const std::map<std::string, std::string> blocking{{"iterations", "1"}, {"min_bytes", "4K"}, {"max_bytes", "1M"}};
  auto in_calls = blocking;
  in_calls["progress"] = "in-calls";
  CHECK(on_sim("latency-bandwidth", in_calls)["table"] == on_sim("latency-bandwidth", blocking)["table"]);
}

TEST_CASE("where the link carries by itself, isend hides all that can be hidden") {
  const auto m = on_sim("overlap", {{"iterations", "1"}});
  CHECK(m.number("bound_times") == Approx(2).epsilon(0.01));
  CHECK(m.number("isend_gain_times") == Approx(m.number("bound_times")).epsilon(0.05));
  CHECK(m.number("stream_gain_times") == Approx(m.number("bound_times")).epsilon(0.05));
  for (const auto& row : m["table"]) CHECK(row["gain_times"].get<double>() <= 2.01);
}

TEST_CASE("prefetch hides the shorter of loading and training, to the tick") {
  const auto m = on_sim("prefetch", {});
  CHECK(m["epoch_ns"] == m["ideal_ns"]);
  CHECK(m["epoch_ns"] == 6'000'000 + 12 * 8'000'000);
  CHECK(m["serial_ns"] == 12 * 14'000'000);
  CHECK(m.number("corrupt_bytes") == 0);
  const auto single = on_sim("prefetch", {{"buffers", "1"}});
  CHECK(single["epoch_ns"] == single["serial_ns"]);
  CHECK(single.run->result().says.en.starts_with("With a single buffer"));
  const auto one = on_sim("prefetch", {{"batches", "1"}});
  CHECK(one["epoch_ns"] == one["serial_ns"]);
  CHECK(one.run->result().says.en.starts_with("With a single batch"));
  const auto early = on_sim("prefetch", {{"variant", "too-early"}});
  CHECK(early.run->result().verdict == Verdict::corrupt);
  // Batch b is used at 8 b + 8/3 ms and overwritten at 6 (b + 2) ms: 5 to 9 come too late, in every run; nothing follows 10 and 11.
  CHECK(early.number("corrupt_bytes") == 5 << 20);
  for (const std::string buffers : {"1", "2"}) {  // nothing waits for anything: the longer lane alone
    p2plab::check::RunRequest request;
    request.demo = "prefetch";
    request.backend = "sim";
    request.knobs = {{"variant", "too-early"}, {"batches", "3"}, {"buffers", buffers}};
    const auto brief = run_demo(std::move(request));
    CHECK(brief->result().metrics["epoch_ns"] == brief->result().metrics["ideal_ns"]);
  }
}

TEST_CASE("what a demo cannot run with is refused in one sentence before anything starts") {
  const auto refused = [](const std::string& demo, std::map<std::string, std::string> knobs, const std::string& semantics = "mpi") {
    p2plab::check::RunRequest request;
    request.semantics = semantics;
    request.demo = demo;
    request.knobs = std::move(knobs);
    try {
      complete(p2plab::check::load_demo(p2plab::launch::Installation::find().demos() / demo), request);
    } catch (const p2plab::Error& error) {
      return error.text().id;
    }
    return std::string();
  };
  CHECK(refused("latency-bandwidth", {{"min_bytes", "2M"}, {"max_bytes", "1M"}}) == "run.knob_order");
  CHECK(refused("latency-bandwidth", {{"iterations", "0"}}) == "run.out_of_range");
  CHECK(refused("straggler", {{"slow_rank", "4"}}) == "run.no_such_rank");
  CHECK(refused("topology", {{"file", "/nowhere/at/all"}}) == "run.no_file");
  CHECK(refused("topology", {{"variant", "cube"}}) == "run.bad_choice_far");
  CHECK(refused("overlap", {{"bytes", "many"}}) == "run.bad_value");
  CHECK(refused("overlap", {{"variant", "progress-thread"}}, "nccl") == "refuse.progress_thread");
}

TEST_CASE("with two ranks next and previous are one, and untagged messages swap silently") {
  const auto swapped = [](const std::string& variant, const std::string& semantics, int ranks) {
    p2plab::check::RunRequest request;
    request.demo = "matching";
    request.backend = "sim";
    request.semantics = semantics;
    request.ranks = ranks;
    request.knobs = {{"variant", variant}};
    const auto run = run_demo(std::move(request));
    INFO(variant << " " << semantics << " " << ranks << "\n" << describe(*run));
    CHECK(run->result().as_promised);
    const int count = run->result().metrics["swapped_count"].get<int>();
    CHECK((run->result().verdict == Verdict::corrupt) == (count > 0));
    return count;
  };
  for (const std::string semantics : {"mpi", "nccl"}) {
    CHECK(swapped("two-ranks", semantics, 2) == 4);  // both receives of both ranks
    CHECK(swapped("two-ranks", semantics, 3) == 0);
    CHECK(swapped("two-ranks-ordered", semantics, 2) == 0);
    CHECK(swapped("order", semantics, 2) == 0);
    CHECK(swapped("any", semantics, 4) == 0);
  }
  CHECK(swapped("two-ranks-tagged", "mpi", 2) == 0);
  CHECK(swapped("two-ranks-tagged", "nccl", 2) == 4);
  CHECK(swapped("tags", "mpi", 2) == 0);
  CHECK(swapped("tags", "nccl", 2) == 2);
}

TEST_CASE("the measuring demos run on real MPI in every variant, and what needs no clock is as on the virtual one") {
  const std::map<std::string, std::string> brief_sweep{{"iterations", "2"}, {"max_bytes", "64K"}};
  const auto with = [](std::map<std::string, std::string> knobs, const std::string& knob, const std::string& value) {
    knobs[knob] = value;
    return knobs;
  };
  for (const std::string variant : {"ping-pong", "window", "both-ways", "late-receiver", "late-isend"}) on_host("latency-bandwidth", with(brief_sweep, "variant", variant));
  for (const std::string variant : {"all", "send", "broadcast", "gather-broadcast", "ring", "doubling", "all-reduce"}) {
    const auto m = on_host("p2p-vs-collective", with(brief_sweep, "variant", variant), 4);
    if (!m) return;  // there is no host
    for (const auto& row : (*m)["table"]) {
      INFO(row.dump());
      const double wanted = bytes_of_busiest(row["algorithm"].get<std::string>(), 4, row["bytes"].get<double>());
      if (wanted > 0) CHECK(row["sent_bytes"].get<double>() == wanted);
    }
  }
  // 40 ms late in each step: who depends on the slow rank waits. A busy machine may make another rank late as well, but not each time.
  for (const auto& [variant, waiting] : std::map<std::string, int>{{"all-reduce", 3}, {"chain", 2}, {"pairs", 1}}) {
    double most = 0;
    for (int attempt = 0; attempt < 5 && most < waiting; ++attempt) {
      const auto m = on_host("straggler", {{"variant", variant}, {"steps", "2"}, {"slow_percent", "1000"}, {"compute_us", "4500"}, {"bytes", "1K"}}, 4);
      INFO(describe(*m->run));
      most = std::max(most, static_cast<double>(m->number("waiting_ranks")));
    }
    INFO(variant);
    CHECK(most >= waiting);
  }
  on_host("straggler", {{"variant", "broadcast"}, {"steps", "2"}}, 4);
  for (const std::string variant : {"chain", "ring", "star", "tree", "grid", "random", "moe"}) {
    const std::map<std::string, std::string> knobs{{"variant", variant}, {"iterations", "1"}, {"bytes", "1K"}};
    const auto real = on_host("topology", knobs, 6), exact = std::optional(on_sim("topology", knobs, 6));
    for (const char* number : {"total_bytes", "busiest_bytes", "busiest_rank", "message_count", "links"}) CHECK((*real)[number] == (*exact)[number]);
  }
  for (const std::string variant : {"isend", "polling", "progress-thread", "comm-stream"})
    on_host("overlap", {{"variant", variant}, {"iterations", "1"}, {"compute_percent", "100"}, {"bytes", "1M"}});
  for (const std::string variant : {"serial", "prefetch", "too-early"}) {
    const auto m = on_host("prefetch", {{"variant", variant}, {"batches", variant == "too-early" ? "12" : "3"}});
    if (variant != "too-early") CHECK(m->number("corrupt_bytes") == 0);
  }
  for (const auto& [variant, swapped] : std::map<std::string, int>{{"two-ranks", 4}, {"two-ranks-tagged", 0}, {"two-ranks-ordered", 0}, {"order", 0}, {"tags", 0}, {"any", 0}})
    CHECK(on_host("matching", {{"variant", variant}}, 2)->number("swapped_count") == swapped);
}
