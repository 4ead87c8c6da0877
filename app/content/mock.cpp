// See mock.h.
#include "app/content/mock.h"

#include <algorithm>

#include "app/content/deck.h"

namespace p2plab::content {

Mock::Mock(const Cards& cards, std::uint64_t seed, double minutes) : cards_(cards), seed_(seed), lots_(seed), minutes_(minutes) {}

const Card* Mock::next() {
  const Card* card = choose();
  finished_ = card == nullptr;
  return card;
}

const Card* Mock::choose() {
  if (gone_ >= minutes_ * 60) return nullptr;
  const Card* card = follow_up();
  int depth = 0;
  std::string because;
  if (card != nullptr) {
    depth = asked_.back().depth + 1;
    because = asked_.back().card->id;
  } else {
    card = from_topics();
  }
  if (card == nullptr) return nullptr;
  used_.insert(card->id);
  asked_.push_back({card, depth, because, false, {}, {}});
  return card;
}

void Mock::answered(const Attempt& attempt, double seconds) {
  Asked& last = asked_.back();
  last.answered = true;
  last.attempt = attempt;
  last.grade = grade(*last.card, attempt);
  gone_ += std::max(seconds, last.card->seconds() * 0.5 + 30);
}

/// The heaviest missing point decides; a complete answer is probed deeper every second time.
const Card* Mock::follow_up() {
  if (asked_.empty() || !asked_.back().answered || asked_.back().depth >= kMostFollowUps) return nullptr;
  const Asked& last = asked_.back();
  for (const std::size_t point : last.grade.missed) {
    const std::string& id = last.card->points[point].ask;
    if (!id.empty() && !used_.contains(id)) return cards_.find(id);
  }
  if (!last.grade.good() || draw(lots_, 2) == 0) return nullptr;
  for (const KeyPoint& point : last.card->points)
    if (!point.ask.empty() && !used_.contains(point.ask)) return cards_.find(point.ask);
  return nullptr;
}

const Card* Mock::from_topics() {
  std::vector<std::pair<const Topic*, std::vector<const Card*>>> open;
  std::size_t sum = 0;
  for (const Topic& topic : cards_.topics()) {
    std::vector<const Card*> left;
    for (const Card& card : cards_.all())
      if (card.topic == topic.id && !used_.contains(card.id) && (!asked_.empty() || card.kind == CardKind::pitch)) left.push_back(&card);
    if (left.empty() || topic.weight == 0) continue;
    sum += static_cast<std::size_t>(topic.weight);
    open.emplace_back(&topic, std::move(left));
  }
  if (open.empty()) return nullptr;
  std::size_t lot = draw(lots_, sum);
  for (const auto& [topic, left] : open) {
    const auto weight = static_cast<std::size_t>(topic->weight);
    if (lot < weight) return left[draw(lots_, left.size())];
    lot -= weight;
  }
  return nullptr;
}

MockResult result_of(const Mock& mock) {
  MockResult out;
  std::map<std::string, MockResult::TopicScore> topics;
  int in_a_row = 0;
  std::vector<std::pair<double, const Card*>> redo;
  for (const Asked& asked : mock.asked()) {
    if (!asked.answered) continue;
    ++(asked.depth == 0 ? out.questions : out.follow_ups);
    in_a_row = asked.depth == 0 ? 0 : asked.grade.good() ? in_a_row + 1 : 0;
    out.deepest = std::max(out.deepest, in_a_row);
    ++out.letters[asked.grade.letter];
    out.score += asked.grade.score;
    auto& topic = topics[asked.card->topic];
    topic.topic = asked.card->topic;
    ++topic.asked;
    topic.score += asked.grade.score;
    for (std::size_t i = 0; i < asked.attempt.fatal.size(); ++i)
      if (asked.attempt.fatal[i]) out.fatal.push_back({asked.card, i});
    for (const std::size_t point : asked.grade.missed) out.missed.push_back({asked.card, point, asked.card->points[point].weight});
    if (!asked.grade.good()) redo.emplace_back(asked.grade.score, asked.card);
  }
  if (const int count = out.questions + out.follow_ups; count > 0) out.score /= count;
  for (auto& [id, topic] : topics) {
    topic.score /= topic.asked;
    out.topics.push_back(topic);
  }
  std::stable_sort(out.topics.begin(), out.topics.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
  std::stable_sort(out.missed.begin(), out.missed.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  if (out.missed.size() > 10) out.missed.resize(10);
  std::stable_sort(redo.begin(), redo.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [score, card] : redo) out.redo.push_back(card);
  return out;
}

}  // namespace p2plab::content
