// What the wait-for and bytes views decide before they draw.
#include "app/gui/model/difference.h"
#include "app/gui/model/wait_drawing.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

trace::SpanId blocked_send(trace::Trace& trace, int rank, int peer) {
  trace::Span span;
  span.track = trace.track(rank, trace.intern("host"));
  span.kind = trace::Kind::send;
  span.name = trace.intern("send");
  span.site = trace.intern("demos/x/x.cpp:12");
  span.peer = peer;
  span.bytes = 64;
  return trace.begin(span);
}

}  // namespace

TEST_CASE("two ranks that wait for each other are drawn as two nodes and a cycle of two bent edges") {
  trace::Trace trace;
  analysis::WaitForGraph graph;
  for (int rank = 0; rank < 2; ++rank) {
    const auto send = blocked_send(trace, rank, 1 - rank);
    analysis::WaitNode node;
    node.track = trace.span(send).track;
    node.span = send;
    node.needs.push_back({send, 1 - rank, {trace.track(1 - rank, trace.intern("host"))}});
    graph.nodes.push_back(node);
    graph.stuck.push_back(node.track);
    graph.cycle.push_back(node.track);
  }
  const auto drawing = draw(trace, graph);
  REQUIRE(drawing.nodes.size() == 2);
  REQUIRE(drawing.edges.size() == 2);
  for (const auto& edge : drawing.edges) {
    CHECK(edge.in_cycle);
    CHECK(edge.both_ways);
    CHECK(edge.call == "MPI_Send");
    CHECK(edge.bytes == 64);
    CHECK(edge.from != edge.to);
  }
  CHECK(drawing.nodes[0].stuck);
  CHECK(drawing.nodes[0].x != drawing.nodes[1].x);
}

TEST_CASE("the lowest rank is drawn first, wherever the cycle was found to begin") {
  trace::Trace trace;
  analysis::WaitForGraph graph;
  std::vector<trace::SpanId> sends;
  for (int rank = 0; rank < 3; ++rank) sends.push_back(blocked_send(trace, rank, (rank + 1) % 3));
  for (const int rank : {2, 0, 1}) {
    analysis::WaitNode node;
    node.track = trace.span(sends[static_cast<std::size_t>(rank)]).track;
    node.span = sends[static_cast<std::size_t>(rank)];
    node.needs.push_back({node.span, (rank + 1) % 3, {trace.track((rank + 1) % 3, trace.intern("host"))}});
    graph.nodes.push_back(node);
  }
  for (const bool cycle : {false, true}) {
    if (cycle)
      for (const auto& node : graph.nodes) graph.cycle.push_back(node.track);
    const auto drawing = draw(trace, graph);
    REQUIRE(drawing.nodes.size() == 3);
    for (int i = 0; i < 3; ++i) CHECK(drawing.nodes[static_cast<std::size_t>(i)].rank == i);
  }
}

TEST_CASE("a rank that has left is a node of its own that releases nobody") {
  trace::Trace trace;
  analysis::WaitForGraph graph;
  const auto send = blocked_send(trace, 0, 3);
  analysis::WaitNode node;
  node.track = trace.span(send).track;
  node.span = send;
  node.needs.push_back({send, 3, {}});
  graph.nodes.push_back(node);
  const auto drawing = draw(trace, graph);
  REQUIRE(drawing.nodes.size() == 2);
  CHECK(drawing.nodes[1].gone);
  CHECK(drawing.nodes[1].rank == 3);
  REQUIRE(drawing.edges.size() == 1);
  CHECK_FALSE(drawing.edges[0].in_cycle);
}

TEST_CASE("without a waiting track nothing is drawn") {
  CHECK(draw(trace::Trace{}, {}).nodes.empty());
}

TEST_CASE("the first difference is read from the program's note") {
  const auto found = parse_difference(R"({"offset":4096,"sent":"00ff","received":"01fe"})");
  REQUIRE(found);
  CHECK(found->offset == 4096);
  CHECK(found->sent == std::vector<std::uint8_t>{0x00, 0xff});
  CHECK(found->received == std::vector<std::uint8_t>{0x01, 0xfe});
}

TEST_CASE("a note that is none is no difference and no crash") {
  for (const char* note : {"", "x", "{}", R"({"offset":-1,"sent":"00","received":"01"})", R"({"offset":1,"sent":"0g","received":"01"})",
                           R"({"offset":1,"sent":"000","received":"01"})", R"({"offset":1,"sent":7,"received":8})"})
    CHECK_FALSE(parse_difference(note));
}

TEST_CASE("a payload whose hash changed between post and completion is listed") {
  trace::Trace trace;
  const auto first = blocked_send(trace, 0, 1), second = blocked_send(trace, 0, 1);
  trace.hashes(first) = {7, 8, true, true};
  trace.hashes(second) = {7, 7, true, true};
  const auto changed = changed_payloads(trace);
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].span == first);
  CHECK(changed[0].post == 7);
  CHECK(changed[0].done == 8);
}
