// The demos tensor-parallel, parameter-server and moe: their arithmetic, and their decisive numbers on the virtual clock.
#include <cmath>
#include <numeric>

#include "demos/moe/routing.h"
#include "demos/parameter-server/servers.h"
#include "demos/tensor-parallel/block.h"
#include "tests/demos/measured.h"

using p2plab::test::describe;
using p2plab::test::Measured;
using p2plab::test::on_host;
using p2plab::test::on_sim;

namespace {

/// The row of a table with this word in a column.
nlohmann::ordered_json row_of(const Measured& m, const char* table, const std::string& column, const nlohmann::json& word) {
  for (const auto& row : m[table])
    if (row[column] == word) return row;
  FAIL(table << " has no row with " << column << " = " << word.dump());
  return {};
}

}  // namespace

TEST_CASE("a product by columns and then by rows is the whole product in parts of a sum") {
  const Matrix x = numbers(3, 8, 1), dy = numbers(3, 8, 2);
  const Weights whole{numbers(8, 32, 3), numbers(32, 8, 4)};
  const Step right = whole_step(x, whole, dy);
  Matrix sum(3, 8), gathered(12, 8);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const Matrix part = multiply(gelu(multiply(x, columns_of(whole.a, rank * 8, 8))), rows_of(whole.b, rank * 8, 8));
    for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += part.data[i];
    const Matrix columns = multiply(x, columns_of(whole.a, rank * 8, 8));
    std::copy(columns.data.begin(), columns.data.end(), gathered.data.begin() + static_cast<std::ptrdiff_t>(rank * columns.data.size()));
  }
  CHECK(largest_difference(sum, right.y) < 1e-6F);
  const Matrix wide = side_by_side(gathered, 4);
  CHECK(largest_difference(wide, multiply(x, whole.a)) < 1e-6F);
  CHECK(in_blocks(wide, 4).data == gathered.data);
}

TEST_CASE("the gradients of the block are those of differences") {
  Matrix x = numbers(2, 4, 1);
  const Matrix dy = numbers(2, 4, 2);
  Weights w{numbers(4, 16, 3), numbers(16, 4, 4)};
  const Step step = whole_step(x, w, dy);
  const auto loss = [&] {
    const Matrix y = whole_step(x, w, dy).y;
    return std::inner_product(y.data.begin(), y.data.end(), dy.data.begin(), 0.0);
  };
  const auto slope = [&](float& at) {
    const float kept = at, by = 1e-2F;
    at = kept + by;
    const double above = loss();
    at = kept - by;
    const double below = loss();
    at = kept;
    return (above - below) / (2 * static_cast<double>(by));
  };
  CHECK(slope(x.at(1, 2)) == Approx(step.dx.at(1, 2)).epsilon(0.01).margin(1e-4));
  CHECK(slope(w.a.at(3, 7)) == Approx(step.da.at(3, 7)).epsilon(0.01).margin(1e-4));
  CHECK(slope(w.b.at(9, 1)) == Approx(step.db.at(9, 1)).epsilon(0.01).margin(1e-4));
}

TEST_CASE("tensor parallel: one all-reduce forward and one backward, as the trace has them, and the result of one rank") {
  const auto m = on_sim("tensor-parallel", {{"variant", "megatron"}, {"min_tokens", "16"}, {"max_tokens", "16"}, {"iterations", "1"}}, 4);
  CHECK(m.number("forward_collectives") == 1);
  CHECK(m.number("backward_collectives") == 1);
  CHECK(m.number("message_count") == 0);
  CHECK(m.number("grad_error") < 1e-5);
  const auto& trace = m.run->trace();
  std::map<std::string, int> calls;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto& span = trace.span(static_cast<p2plab::trace::SpanId>(i));
    if (trace.tracks()[span.track].rank == 2 && (span.kind == p2plab::trace::Kind::collective || span.kind == p2plab::trace::Kind::send)) ++calls[std::string(trace.name(span.name))];
  }
  CHECK(calls["all_reduce"] == 2 * 2);  // a step that is measured, and one before it
  CHECK(calls.count("isend") == 0);
}

TEST_CASE("tensor parallel: gathering after each product sends 11/4 of the bytes, P2P to all t/2 of them") {
  for (const int t : {2, 4, 6}) {
    const auto m = on_sim("tensor-parallel", {{"max_tokens", "64"}, {"iterations", "1"}}, t);
    CHECK(m.number("gather_bytes_times") == Approx(11.0 / 4));
    CHECK(m.number("p2p_bytes_times") == Approx(t / 2.0));
    CHECK(m.number("grad_error") < 1e-5);
    const double bytes = 64 * static_cast<double>((64 + t - 1) / t * t) * 4;
    const auto book = sent_by_the_book(t, bytes);
    const auto sent = [&](const char* way) { const auto row = row_of(m, "ways", "way", way); return row["forward_bytes"].get<double>() + row["backward_bytes"].get<double>(); };
    CHECK(sent("megatron") == Approx(book.megatron));
    CHECK(sent("gather") == Approx(book.gather));
    CHECK(sent("p2p") == Approx(book.p2p));
  }
  const auto large = on_sim("tensor-parallel", {{"min_tokens", "1024"}, {"iterations", "1"}}, 8);
  CHECK(large.number("p2p_time_times") > 1);     // bytes decide
  CHECK(large.number("gather_time_times") > 1.5);
  const auto small = on_sim("tensor-parallel", {{"max_tokens", "4"}, {"iterations", "1"}}, 8);
  CHECK(small.number("p2p_time_times") < 1);     // one latency against 2(t-1)
}

TEST_CASE("tensor parallel: without the sums every shape is right and the numbers are not") {
  const auto m = on_sim("tensor-parallel", {{"variant", "forgotten"}, {"max_tokens", "16"}, {"iterations", "1"}});
  CHECK(m.run->result().verdict == p2plab::analysis::Verdict::fail);
  CHECK(m.number("grad_error") > 0.01);
}

TEST_CASE("the busiest port of parameter servers") {
  CHECK(hottest_separate(8, 1, 100) == 800);
  CHECK(hottest_separate(8, 4, 100) == 200);
  CHECK(hottest_separate(8, 8, 100) == 100);
  CHECK(hottest_separate(8, 16, 100) == 100);  // the workers' own port
  CHECK(hottest_on_workers(8, 1, 800) == 7 * 800);
  CHECK(hottest_on_workers(8, 8, 800) == hottest_ring(8, 800));
}

TEST_CASE("staleness is counted, and bounded by how far a worker may be ahead") {
  Histogram histogram;
  for (const int each : {0, 2, 2}) histogram.add(each);
  CHECK(histogram.counts() == std::vector<int>{1, 0, 2});
  CHECK(histogram.mean() == Approx(4.0 / 3));
  CHECK(histogram.largest() == 2);
  CHECK(largest_staleness(4, 0) == 3);
  CHECK(largest_staleness(4, 2) == 15);
}

TEST_CASE("parameter server: one server is n times as hot as a worker, a shard on every worker is the ring") {
  const auto m = on_sim("parameter-server", {{"iterations", "1"}}, 8);
  const double bytes = 2 << 20;
  // n/B against 2(n-1)/(nB) with 7 workers, push and pull in chunks.
  CHECK(m.number("server_over_ring_times") > 3.5);
  CHECK(m.number("server_over_ring_times") < 7);
  CHECK(m.number("server_hottest_bytes") == Approx(hottest_separate(7, 1, bytes)).epsilon(0.001));
  CHECK(m.number("sharded_over_ring_times") == Approx(1).epsilon(0.1));
  CHECK(m.number("sharded_hottest_bytes") == Approx(hottest_ring(8, bytes)).epsilon(0.001));
  CHECK(m.number("equal_over_ring_times") < 1);  // 4 workers, 4 servers: push and pull at the same time
  CHECK(m.number("equal_hottest_times") == Approx(2.0 / 3).epsilon(0.001));  // through the busiest port less,
  CHECK(m.number("equal_total_times") == Approx(4.0 / 3).epsilon(0.001));    // in total more
  for (const auto& row : m["growth"]) {
    const int n = row["workers"].get<int>();
    const std::string way = row["way"].get<std::string>();
    INFO(row.dump());
    const double wanted = way == "ring" || way == "on-workers" ? hottest_ring(n, bytes) : hottest_separate(n, std::stoi(way.substr(8)), bytes);
    CHECK(row["hottest_bytes"].get<double>() == Approx(wanted).epsilon(0.001));
    CHECK(row["time_ns"].get<double>() >= 0.99 * wanted / 1.25);  // ns, of Ethernet's 10 Gb/s
  }
  for (const auto& row : m["shards"])
    if (row["way"] == "on-workers") CHECK(row["hottest_bytes"].get<double>() == Approx(hottest_on_workers(8, row["shards"].get<int>(), bytes)).epsilon(0.001));
}

TEST_CASE("parameter server: what all separate servers move through the busiest port, beside a ring of as many workers, falls with their number") {
  const double bytes = 2 << 20;
  double before = 1e9;
  for (const int servers : {1, 2, 4}) {
    const int workers = servers == 1 ? 7 : servers == 2 ? 6 : 4;  // the most that fit on 8 ranks, in the steps of the sweep
    INFO(servers << " servers");
    const auto m = on_sim("parameter-server", {{"iterations", "1"}, {"servers", std::to_string(servers)}}, 8);
    CHECK(m.number("most_servers_workers") == workers);
    CHECK(m.number("most_servers_hottest_times") == Approx(hottest_separate(workers, servers, bytes) / hottest_ring(workers, bytes)).epsilon(0.001));
    CHECK(m.number("most_servers_total_times") > 1);
    CHECK(m.number("most_servers_hottest_times") < before);
    before = m.number("most_servers_hottest_times");
  }
  CHECK(before < 1);
}

TEST_CASE("parameter server: a number and what stands beside it are of the same number of workers") {
  for (const int ranks : {3, 5, 8}) {
    const auto m = on_sim("parameter-server", {{"iterations", "1"}, {"bytes", "1M"}}, ranks);
    const auto cell = [&](double workers, const std::string& way, const char* column) {
      for (const auto& row : m["growth"])
        if (row["workers"] == workers && row["way"] == way) return row[column].get<double>();
      FAIL("no row of " << workers << " workers, " << way);
      return 0.0;
    };
    const double n = m.number("server_workers");
    CHECK(n == ranks - 1);
    CHECK(m.number("server_over_ring_times") == Approx(cell(n, "servers-1", "time_ns") / cell(n, "ring", "time_ns")));
    CHECK(m.number("server_hottest_bytes") == cell(n, "servers-1", "hottest_bytes"));
    CHECK(m.number("server_ring_hottest_bytes") == cell(n, "ring", "hottest_bytes"));
    CHECK(m.number("server_ring_time_ns") == cell(n, "ring", "time_ns"));
    const double all = m.number("ring_workers");
    CHECK(m.number("sharded_hottest_bytes") == cell(all, "on-workers", "hottest_bytes"));
    CHECK(m.number("ring_hottest_bytes") == cell(all, "ring", "hottest_bytes"));
    CHECK(m.number("ring_time_ns") == cell(all, "ring", "time_ns"));
  }
}

TEST_CASE("parameter server: where latency outweighs the bytes, nobody says that one server's port is the bottleneck") {
  p2plab::check::RunRequest request;
  request.demo = "parameter-server";
  request.backend = "sim";
  request.knobs = {{"bytes", "64"}, {"iterations", "1"}};
  const auto run = p2plab::test::run_demo(std::move(request));
  INFO(describe(*run));
  CHECK(run->result().verdict == p2plab::analysis::Verdict::pass);
  CHECK(run->result().metrics["server_over_ring_times"].get<double>() < 1);
  CHECK_FALSE(run->result().as_promised);
  CHECK(run->result().not_shown.has_value());
}

TEST_CASE("parameter server: the limit bites by default, and where it does not the run says so") {
  const auto bites = on_sim("parameter-server", {{"variant", "bounded"}}), never = on_sim("parameter-server", {{"variant", "bounded"}, {"ahead", "200"}});
  const auto async = on_sim("parameter-server", {{"variant", "async"}});
  CHECK(bites.number("held_count") > 0);
  CHECK(bites["staleness"] != async["staleness"]);
  CHECK(bites.number("staleness_mean") < async.number("staleness_mean"));
  CHECK(never.number("held_count") == 0);
  CHECK(never["staleness"] == async["staleness"]);
  CHECK(never.run->result().says.en.starts_with("The limit never bit"));
}

TEST_CASE("parameter server: without waiting gradients are n-1 updates old, with a limit never older than it says") {
  const auto async = on_sim("parameter-server", {{"variant", "async"}}, 8);
  CHECK(async.number("staleness_mean") == Approx(6).epsilon(0.1));
  CHECK(async.number("updates_needed") > 1.2 * async.number("updates_needed_alone"));
  int gradients = 0;
  for (const auto& row : async["staleness"]) gradients += row["count"].get<int>();
  CHECK(gradients == 7 * 12);
  const auto slow = on_sim("parameter-server", {{"variant", "async"}, {"slow_percent", "800"}}, 5);
  for (const std::string ahead : {"0", "1", "3"}) {
    const auto bounded = on_sim("parameter-server", {{"variant", "bounded"}, {"slow_percent", "800"}, {"ahead", ahead}}, 5);
    CHECK(bounded.number("staleness_largest") <= bounded.number("staleness_limit"));
    CHECK(bounded.number("staleness_largest") < slow.number("staleness_largest"));
  }
  // Nobody waits for the slow one, unless he may not get ahead.
  const auto waiting = [](const Measured& m) { return row_of(m, "workers", "worker", "rank 2")["waiting_ns"].get<double>(); };
  const auto bounded = on_sim("parameter-server", {{"variant", "bounded"}, {"slow_percent", "800"}, {"ahead", "1"}}, 5);
  CHECK(waiting(bounded) > 10 * waiting(slow));
  const auto again = on_sim("parameter-server", {{"variant", "bounded"}, {"slow_percent", "800"}, {"ahead", "1"}}, 5);
  CHECK(again["staleness"] == bounded["staleness"]);
  CHECK(again["whole_ns"] == bounded["whole_ns"]);
}

TEST_CASE("the router gives every token k different experts, with weights that sum to 1") {
  MoeOptions options;
  options.top_k = 3;
  const auto choices = route(options, 2, hidden_states(options, 2));
  REQUIRE(choices.size() == 64 * 3);
  for (std::size_t i = 0; i < choices.size(); i += 3) {
    CHECK(choices[i].weight + choices[i + 1].weight + choices[i + 2].weight == Approx(1));
    CHECK(choices[i].weight >= choices[i + 1].weight);
    CHECK((choices[i].expert != choices[i + 1].expert && choices[i].expert != choices[i + 2].expert && choices[i + 1].expert != choices[i + 2].expert));
  }
  options.top_k = 8;
  options.ranks = 2;
  CHECK(options.choices() == 4);  // there are no more
}

TEST_CASE("an expert's capacity is a share of the mean, and what comes beyond is dropped") {
  MoeOptions options;
  options.capacity_percent = 125;
  CHECK(options.capacity() == 10);  // 64 tokens, 2 of 16 experts: 8 on average
  options.skew_percent = 100;
  const auto choices = route(options, 0, hidden_states(options, 0));
  int kept = 0, dropped = 0;
  for (const Choice& choice : choices)
    if (choice.expert == 0) ++(choice.dropped ? dropped : kept);
  CHECK(kept == 10);
  CHECK(dropped == 54);
  options.empty_ranks = 3;
  CHECK(hidden_states(options, 5).empty());
  CHECK_FALSE(hidden_states(options, 4).empty());
}

TEST_CASE("moe: packing by destination makes few messages, and a latency for each is what one message a token pays") {
  const auto m = on_sim("moe", {{"iterations", "1"}});
  CHECK(m.number("message_count") == 2 * 2 * 8 * 7);  // there and back, each with its count before it
  CHECK(m.number("counts_count") == 2 * 8 * 7);
  CHECK(m.number("per_token_messages_times") > 7);
  CHECK(m.number("per_token_times") > 10);
  CHECK(m.number("per_expert_times") > 1);
  CHECK(m.number("dropped_count") == 0);
  CHECK(row_of(m, "ways", "way", "all-to-all")["between_count"] == 2 * 2 * 8 * 4);
  CHECK(row_of(m, "ways", "way", "two-level")["between_count"] == 2 * 2 * 8 * 1);
  CHECK(row_of(m, "ways", "way", "two-level")["message_count"] == 2 * 2 * 8 * (3 + 1));
  CHECK(row_of(m, "ways", "way", "padded")["sent_bytes"].get<double>() > row_of(m, "ways", "way", "all-to-all")["sent_bytes"].get<double>());
  CHECK(row_of(m, "ways", "way", "padded")["message_count"] == 2 * 8 * 7);  // no counts
  CHECK(row_of(m, "ways", "way", "padded")["counts_count"] == 0);
  const auto many = on_sim("moe", {{"iterations", "1"}, {"window", "4096"}});
  CHECK(many.number("per_token_times") < 2);  // many under way hide the latency
}

TEST_CASE("moe: the pairs stay, the bytes change; skew fills one port, and a capacity drops what is too much") {
  const auto run = [](const std::string& skew) {
    return on_sim("moe", {{"variant", "all-to-all"}, {"iterations", "1"}, {"hidden", "1024"}, {"token_ns", "0"}, {"skew_percent", skew}}, 8, "ethernet10");
  };
  const auto even = run("0"), skewed = run("100");
  CHECK(even.number("pair_count") == 56);
  CHECK(skewed.number("pair_count") == 56);
  CHECK(skewed.number("imbalance_times") > 3 * even.number("imbalance_times"));
  CHECK(skewed.number("layer_ns") > 1.4 * even.number("layer_ns"));
  const auto limited = on_sim("moe", {{"variant", "all-to-all"}, {"iterations", "1"}, {"skew_percent", "60"}, {"capacity_percent", "125"}});
  CHECK(limited.number("dropped_count") > 100);
  CHECK(limited.number("imbalance_times") < skewed.number("imbalance_times"));
}

TEST_CASE("moe: ranks with no tokens take part, in nodes that are not full as well, and so does a layer without any") {
  for (const int ranks : {2, 3, 5, 6}) on_sim("moe", {{"iterations", "1"}, {"tokens", "9"}, {"empty_ranks", "1"}, {"node_size", "2"}, {"capacity_percent", "100"}}, ranks);
  on_sim("moe", {{"iterations", "1"}, {"tokens", "5"}, {"empty_ranks", "7"}, {"node_size", "3"}});
}

TEST_CASE("moe: what is timed is counted, message by message, as the trace has them") {
  for (const std::string way : {"per-token", "per-expert", "all-to-all", "two-level", "padded"}) {
    const auto m = on_sim("moe", {{"variant", way}, {"iterations", "1"}, {"tokens", "16"}});
    int sent = 0;
    double bytes = 0;
    const auto& trace = m.run->trace();
    for (const auto& message : trace.messages()) {
      ++sent;
      bytes += static_cast<double>(trace.span(message.send).bytes);
    }
    INFO(way);
    CHECK(m.number("message_count") == sent / 2);  // a round that is measured, and one before it
    CHECK(m.number("sent_bytes") == bytes / 2);
  }
}

TEST_CASE("moe: without a token there is nothing to compare, and nobody says that there is") {
  for (const auto& knobs : {std::map<std::string, std::string>{{"tokens", "0"}}, {{"empty_ranks", "4"}}}) {
    auto brief = knobs;
    brief["iterations"] = "1";
    const auto none = on_sim("moe", brief, 4);
    CHECK(none.number("pair_count") == 0);
    for (const char* ratio : {"imbalance_times", "per_token_times", "padded_times", "two_level_times", "dropped_ratio"}) CHECK(none[ratio].is_null());
    CHECK(none.run->result().says.en.starts_with("There is no token"));
  }
}

TEST_CASE("tensor-parallel, parameter-server and moe run on real MPI in every variant") {
  for (const std::string semantics : {"mpi", "nccl"})
    for (const std::string variant : {"all", "forgotten"}) on_host("tensor-parallel", {{"variant", variant}, {"max_tokens", "64"}, {"iterations", "1"}}, 4, semantics);
  on_host("parameter-server", {{"bytes", "256K"}, {"iterations", "1"}}, 6);
  for (const std::string variant : {"async", "bounded"}) on_host("parameter-server", {{"variant", variant}, {"steps", "5"}, {"compute_us", "500"}}, 4);
  for (const std::string semantics : {"mpi", "nccl"}) on_host("moe", {{"iterations", "1"}}, 6, semantics);
}

TEST_CASE("what tensor-parallel, parameter-server and moe cannot run with is refused in one sentence") {
  const auto refused = [](const std::string& demo, std::map<std::string, std::string> knobs, int ranks = 0) {
    p2plab::check::RunRequest request;
    request.demo = demo;
    request.knobs = std::move(knobs);
    request.ranks = ranks;
    try {
      complete(p2plab::check::load_demo(p2plab::launch::Installation::find().demos() / demo), request);
    } catch (const p2plab::Error& error) {
      return error.text().id;
    }
    return std::string();
  };
  CHECK(refused("tensor-parallel", {{"min_tokens", "64"}, {"max_tokens", "16"}}) == "run.knob_order");
  CHECK(refused("tensor-parallel", {}, 1) == "run.too_few_ranks");
  CHECK(refused("parameter-server", {{"servers", "0"}}) == "run.out_of_range");
  CHECK(refused("parameter-server", {}, 2) == "run.too_few_ranks");
  CHECK(refused("moe", {{"top_k", "0"}}) == "run.out_of_range");
  CHECK(refused("moe", {{"variant", "per-rank"}}).starts_with("run.bad_choice"));
}
