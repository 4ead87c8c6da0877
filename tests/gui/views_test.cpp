// What the wait-for and bytes views decide before they draw.
#include <algorithm>

#include "app/gui/model/difference.h"
#include "app/gui/model/wait_drawing.h"
#include "app/gui/model/wait_labels.h"
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

TEST_CASE("two lanes of one rank are told apart, one lane alone is its rank") {
  trace::Trace trace;
  analysis::WaitForGraph graph;
  const auto send = blocked_send(trace, 0, 1);
  const auto comm = trace.track(0, trace.intern("comm")), other = trace.track(1, trace.intern("host"));
  for (const auto& [from, to] : {std::pair(trace.span(send).track, comm), std::pair(comm, other)}) {
    analysis::WaitNode node;
    node.track = from;
    node.needs.push_back({trace::kNoIndex, trace::kNone, {to}});
    graph.nodes.push_back(node);
  }
  const auto drawing = draw(trace, graph);
  REQUIRE(drawing.nodes.size() == 3);
  for (const auto& node : drawing.nodes) CHECK(node.several == (node.rank == 0));
}

TEST_CASE("the words of an edge stand where no node and no other words cover them, or shorter, or not at all") {
  trace::Trace trace;
  analysis::WaitForGraph graph;
  for (int rank = 0; rank < 4; ++rank) {
    const auto send = blocked_send(trace, rank, (rank + 1) % 4);
    analysis::WaitNode node;
    node.track = trace.span(send).track;
    node.span = send;
    node.needs.push_back({send, (rank + 1) % 4, {trace.track((rank + 1) % 4, trace.intern("host"))}});
    graph.nodes.push_back(node);
    graph.cycle.push_back(node.track);
  }
  const auto drawing = draw(trace, graph);
  for (const float height : {60.0f, 110.0f, 150.0f, 300.0f}) {  // of the panel; in a low one the nodes are low, too
    const WaitBox room{0, 0, 420, height};
    const float half_x = 46, half_y = height < 120 ? 11.0f : 23.0f, rx = room.x1 / 2 - half_x - 24, ry = height / 2 - half_y - 4;
    std::vector<WaitBox> nodes;
    std::vector<WaitPoint> middles;
    for (const auto& node : drawing.nodes) {
      middles.push_back({room.x1 / 2 + static_cast<float>(node.x) * rx, height / 2 + static_cast<float>(node.y) * ry});
      nodes.push_back({middles.back().x - half_x, middles.back().y - half_y, middles.back().x + half_x, middles.back().y + half_y});
    }
    std::vector<LabelWish> wishes;
    for (const auto& edge : drawing.edges) {
      LabelWish wish{{}, {{104, 32}, {104, 17}}};
      for (int i = 0; i <= 24; ++i) {
        const float t = static_cast<float>(i) / 24;
        wish.line.push_back({middles[edge.from].x + t * (middles[edge.to].x - middles[edge.from].x), middles[edge.from].y + t * (middles[edge.to].y - middles[edge.from].y)});
      }
      wishes.push_back(wish);
    }
    const auto places = place_labels(room, nodes, wishes);
    REQUIRE(places.size() == 4);
    for (std::size_t i = 0; i < places.size(); ++i) {
      INFO("height " << height << ", edge " << i << ", size " << places[i].size);
      if (height >= 110) CHECK(places[i].size >= 0);
      if (height >= 300) CHECK(places[i].size == 0);
      if (places[i].size < 0) continue;
      CHECK(places[i].box.within(room));
      const auto under = std::count_if(wishes[i].line.begin(), wishes[i].line.end(), [&](WaitPoint at) { return places[i].box.overlaps({at.x, at.y, at.x + 1, at.y + 1}); });
      CHECK(under <= 13);  // of 25: the arrow is still seen
      for (const auto& node : nodes) CHECK_FALSE(places[i].box.overlaps(node));
      for (std::size_t k = 0; k < i; ++k) CHECK_FALSE((places[k].size >= 0 && places[i].box.overlaps(places[k].box)));
    }
  }
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
