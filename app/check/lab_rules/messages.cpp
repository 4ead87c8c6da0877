// Rules over matched messages: how many, in which order, how large, over which links, in how many steps.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

using trace::Message;
using Type = RuleParameter::Type;

const trace::Span& sent(const trace::Trace& trace, const Message& message) { return trace.span(message.send); }
int source(const trace::Trace& trace, const Message& message) { return trace.rank_of(message.send); }
int target(const trace::Trace& trace, const Message& message) { return trace.rank_of(message.receive); }

/// Matched messages in the order in which they were posted.
std::vector<Message> in_order(const trace::Trace& trace) {
  std::vector<Message> messages = trace.messages();
  std::erase_if(messages, [](const Message& m) { return m.send == trace::kNoIndex || m.receive == trace::kNoIndex; });
  std::stable_sort(messages.begin(), messages.end(), [&](const Message& a, const Message& b) { return sent(trace, a).begin < sent(trace, b).begin; });
  return messages;
}

std::vector<Message> between(const LabEvidence& evidence, const RuleWith& with) {
  std::vector<Message> messages = in_order(evidence.trace);
  if (!with.contains("between")) return messages;
  const auto [a, b] = pair_of(with, "between");
  std::erase_if(messages, [&, a = a, b = b](const Message& m) {
    const int from = source(evidence.trace, m), to = target(evidence.trace, m);
    return !((from == a && to == b) || (from == b && to == a));
  });
  return messages;
}

RuleOutcome count(const LabEvidence& evidence, const RuleWith& with) {
  std::vector<Message> messages = between(evidence, with);
  if (with.contains("bytes")) {
    const double bytes = evaluate(with.at("bytes"), evidence.values);
    std::erase_if(messages, [&](const Message& m) { return static_cast<double>(sent(evidence.trace, m).bytes) != bytes; });
  }
  const Bounds bounds(with, evidence.values);
  const auto seen = static_cast<double>(messages.size());
  return bounds.hold(seen) ? RuleOutcome{} : broken("lab-rule.messages", bounds, seen, {{"bytes", with.contains("bytes") ? plain(evaluate(with.at("bytes"), evidence.values)) : ""}});
}

RuleOutcome alternation(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  const std::vector<Message> messages = between(evidence, with);
  RuleOutcome out;
  out.wanted = {{"order", "each message is posted after the one before has arrived"}};
  for (std::size_t i = 1; i < messages.size(); ++i) {
    const bool back = source(trace, messages[i]) == target(trace, messages[i - 1]) && target(trace, messages[i]) == source(trace, messages[i - 1]);
    const trace::Span& arrived = trace.span(messages[i - 1].receive);
    if (back && !arrived.open() && arrived.end <= sent(trace, messages[i]).begin) continue;
    out.pass = false;
    out.what = {back ? "lab-rule.alternation-early" : "lab-rule.alternation-side",
                {{"number", std::to_string(i + 1)}, {"rank", std::to_string(source(trace, messages[i]))}}};
    out.seen = {{"message", i + 1}, {"rank", source(trace, messages[i])}};
    out.spans = {messages[i - 1].send, messages[i - 1].receive, messages[i].send, messages[i].receive};
    return out;
  }
  if (messages.size() >= 2) return out;
  out.pass = false;
  out.what = {"lab-rule.alternation-none", {{"seen", std::to_string(messages.size())}}};
  out.seen = {{"messages", messages.size()}};
  return out;
}

/// Each answer carries the bytes that came; no two questions carry the same.
RuleOutcome echo(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  const std::vector<Message> messages = between(evidence, with);
  RuleOutcome out;
  const auto hash = [&](const Message& message) -> std::optional<std::uint64_t> {
    const auto found = trace.all_hashes().find(message.send);
    if (found == trace.all_hashes().end() || !found->second.has_post) return std::nullopt;
    return found->second.post;
  };
  std::map<std::uint64_t, std::size_t> questions;
  for (std::size_t i = 0; i + 1 < messages.size(); i += 2) {
    const auto ping = hash(messages[i]), pong = hash(messages[i + 1]);
    const auto fail = [&](const char* id, std::size_t other) {
      out.pass = false;
      out.what = {id, {{"number", std::to_string(i / 2 + 1)}, {"other", std::to_string(other + 1)}, {"rank", std::to_string(source(trace, messages[i + 1]))}}};
      out.wanted = {{"answer", "same bytes as the question"}, {"questions", "all different"}};
      out.seen = {{"round", i / 2 + 1}};
      out.spans = {messages[i].send, messages[i].receive, messages[i + 1].send, messages[i + 1].receive};
      return out;
    };
    if (!ping || !pong) return fail("lab-rule.echo-unknown", 0);
    if (*ping != *pong) return fail("lab-rule.echo-changed", 0);
    const auto [at, is_new] = questions.emplace(*ping, i / 2);
    if (!is_new && word_of(with, "distinct", "true") == "true") return fail("lab-rule.echo-same", at->second);
  }
  return out;
}

/// what = sent-bytes, received-bytes, sent-messages, received-messages.
RuleOutcome per_rank(const LabEvidence& evidence, const RuleWith& with) {
  const std::string what = word_of(with, "what", "sent-bytes");
  std::vector<double> totals(static_cast<std::size_t>(evidence.how.ranks), 0.0);
  for (const Message& message : in_order(evidence.trace)) {
    const int rank = what.starts_with("sent") ? source(evidence.trace, message) : target(evidence.trace, message);
    totals.at(static_cast<std::size_t>(rank)) += what.ends_with("messages") ? 1.0 : static_cast<double>(sent(evidence.trace, message).bytes);
  }
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const Bounds bounds(with, evidence.values, rank);
    const double seen = totals[static_cast<std::size_t>(rank)];
    if (!bounds.hold(seen)) return broken("lab-rule.per-rank-" + what, bounds, seen, {{"rank", std::to_string(rank)}});
  }
  return {};
}

/// The busiest ordered pair of ranks. what = bytes, messages.
RuleOutcome per_link(const LabEvidence& evidence, const RuleWith& with) {
  const bool bytes = word_of(with, "what", "bytes") == "bytes";
  std::map<std::pair<int, int>, double> links;
  for (const Message& message : in_order(evidence.trace))
    links[{source(evidence.trace, message), target(evidence.trace, message)}] += bytes ? static_cast<double>(sent(evidence.trace, message).bytes) : 1.0;
  const Bounds bounds(with, evidence.values);
  const auto busiest = std::max_element(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (busiest == links.end()) return bounds.hold(0) ? RuleOutcome{} : broken("lab-rule.per-link-none", bounds, 0);
  if (bounds.hold(busiest->second)) return {};
  return broken(bytes ? "lab-rule.per-link" : "lab-rule.per-link-messages", bounds, busiest->second,
                {{"rank", std::to_string(busiest->first.first)}, {"peer", std::to_string(busiest->first.second)}});
}

/// The send matrix is that of its own transpose: what each rank sent to another in all, it got back from it.
RuleOutcome conservation(const LabEvidence& evidence, const RuleWith&) {
  std::map<std::pair<int, int>, std::uint64_t> links;
  for (const Message& message : in_order(evidence.trace)) {
    const int from = source(evidence.trace, message), to = target(evidence.trace, message);
    links[{from, to}] += sent(evidence.trace, message).bytes;
    links[{to, from}] += 0;
  }
  for (const auto& [link, there] : links) {
    const std::uint64_t back = links.at({link.second, link.first});
    if (there <= back) continue;
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.conservation", {{"rank", std::to_string(link.first)}, {"peer", std::to_string(link.second)}, {"wanted", std::to_string(there)}, {"seen", std::to_string(back)}}};
    out.wanted = {{"bytes", there}};
    out.seen = {{"rank", link.first}, {"peer", link.second}, {"bytes", back}};
    return out;
  }
  return {};
}

/// The busiest port: bytes that one rank sends, or receives, in all.
RuleOutcome port(const LabEvidence& evidence, const RuleWith& with) {
  std::map<std::pair<int, bool>, double> ports;
  for (const Message& message : in_order(evidence.trace)) {
    const auto bytes = static_cast<double>(sent(evidence.trace, message).bytes);
    ports[{source(evidence.trace, message), true}] += bytes;
    ports[{target(evidence.trace, message), false}] += bytes;
  }
  const Bounds bounds(with, evidence.values);
  const auto busiest = std::max_element(ports.begin(), ports.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const double seen = busiest == ports.end() ? 0 : busiest->second;
  if (bounds.hold(seen)) return {};
  return broken(busiest != ports.end() && busiest->first.second ? "lab-rule.port-out" : "lab-rule.port-in", bounds, seen,
                {{"rank", busiest == ports.end() ? "–" : std::to_string(busiest->first.first)}});
}

RuleOutcome largest(const LabEvidence& evidence, const RuleWith& with) {
  const Bounds bounds(with, evidence.values);
  const trace::Trace& trace = evidence.trace;
  const std::vector<Message> messages = in_order(trace);
  const auto most = std::max_element(messages.begin(), messages.end(), [&](const Message& a, const Message& b) { return sent(trace, a).bytes < sent(trace, b).bytes; });
  const double seen = most == messages.end() ? 0 : static_cast<double>(sent(trace, *most).bytes);
  if (bounds.hold(seen)) return {};
  RuleOutcome out = broken("lab-rule.largest", bounds, seen, {{"rank", most == messages.end() ? "–" : std::to_string(source(trace, *most))}});
  if (most != messages.end()) out.spans = {most->send, most->receive};
  return out;
}

/// The longest chain of messages each of which was posted after its sender had received the one before.
RuleOutcome steps(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  const std::vector<Message> messages = in_order(trace);
  std::vector<int> depth(messages.size(), 1);
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const trace::Span& arrived = trace.span(messages[k].receive);
      if (target(trace, messages[k]) == source(trace, messages[i]) && !arrived.open() && arrived.end <= sent(trace, messages[i]).begin) depth[i] = std::max(depth[i], depth[k] + 1);
    }
    if (depth[i] > depth[deepest]) deepest = i;
  }
  const Bounds bounds(with, evidence.values);
  const double seen = messages.empty() ? 0 : depth[deepest];
  if (bounds.hold(seen)) return {};
  RuleOutcome out = broken("lab-rule.steps", bounds, seen);
  if (!messages.empty()) out.spans = {messages[deepest].send, messages[deepest].receive};
  return out;
}

/// How far ahead of the slowest a rank is whom the server answers: pushes of its own that have come to the server, less the
/// least number that has come from any rank. The bounds are on the farthest of all answers.
RuleOutcome lead(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  const int server = static_cast<int>(evaluate(with.at("server"), evidence.values));
  struct Event {
    trace::Ns at = 0;
    bool answer = false;
    int rank = 0;
    trace::SpanId span = trace::kNoIndex;
  };
  std::vector<Event> events;
  for (const Message& message : in_order(trace)) {
    if (target(trace, message) == server) events.push_back({trace.span(message.receive).end, false, source(trace, message), message.receive});
    if (source(trace, message) == server) events.push_back({sent(trace, message).begin, true, target(trace, message), message.send});
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return std::pair(a.at, a.answer) < std::pair(b.at, b.answer); });
  std::vector<int> pushed(static_cast<std::size_t>(evidence.how.ranks), 0);
  const auto slowest = [&] {
    int least = std::numeric_limits<int>::max();
    for (int rank = 0; rank < evidence.how.ranks; ++rank)
      if (rank != server) least = std::min(least, pushed[static_cast<std::size_t>(rank)]);
    return least;
  };
  const Event* farthest = nullptr;
  int most = 0;
  for (const Event& event : events) {
    int& own = pushed[static_cast<std::size_t>(event.rank)];
    if (!event.answer) ++own;
    else if (const int ahead = own - slowest(); farthest == nullptr || ahead > most) {
      most = ahead;
      farthest = &event;
    }
  }
  if (farthest == nullptr) {
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.lead-none", {{"rank", std::to_string(server)}}};
    out.seen = {{"answers", 0}};
    return out;
  }
  const Bounds bounds(with, evidence.values);
  if (bounds.hold(most)) return {};
  RuleOutcome out = broken("lab-rule.lead", bounds, most, {{"rank", std::to_string(farthest->rank)}});
  out.spans = {farthest->span};
  return out;
}

}  // namespace

std::span<const LabRule> message_rules() {
  static const std::vector<LabRule> kRules = {
      {"messages", {{"between"}, {"bytes", Type::formula}}, true, count},
      {"alternation", {{"between", Type::word, true}}, false, alternation},
      {"echo", {{"between", Type::word, true}, {"distinct"}}, false, echo},
      {"per-rank", {{"what"}}, true, per_rank},
      {"per-link", {{"what"}}, true, per_link},
      {"busiest-port", {}, true, port},
      {"conservation", {}, false, conservation},
      {"largest-message", {}, true, largest},
      {"steps", {}, true, steps},
      {"lead", {{"server", Type::formula, true}}, true, lead},
  };
  return kRules;
}

}  // namespace p2plab::check
