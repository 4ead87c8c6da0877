// See stepper.h.
#include "app/content/stepper.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace p2plab::content {

Stepper::Stepper(const std::vector<std::string>& programs, int slots) : slots_(slots) {
  if (programs.size() < 2 || programs.size() > 9) throw std::invalid_argument("2 to 9 ranks can be stepped");
  for (const std::string& text : programs) {
    Rank rank;
    std::istringstream calls(text);
    for (std::string each; std::getline(calls, each, ';');) {
      std::istringstream words(each);
      std::string name, peer, more;
      words >> name >> peer;
      if (name.empty()) continue;
      const bool number = !peer.empty() && peer.find_first_not_of("0123456789") == std::string::npos && peer.size() < 2;
      const bool any = name == "recv" && peer == "any";
      if ((name != "send" && name != "ssend" && name != "recv") || (!number && !any) || (words >> more)) throw std::invalid_argument("\"" + each + "\" is no call");
      const int with = any ? kAny : std::stoi(peer);
      if (with >= static_cast<int>(programs.size()) || with == static_cast<int>(ranks_.size())) throw std::invalid_argument("\"" + each + "\" names no other rank");
      rank.program.push_back({name == "send" ? Kind::send : name == "ssend" ? Kind::ssend : Kind::recv, with});
    }
    ranks_.push_back(std::move(rank));
  }
}

bool Stepper::finished(int rank) const {
  const Rank& one = ranks_[static_cast<std::size_t>(rank)];
  return one.at == one.program.size();
}

bool Stepper::all_finished() const {
  for (int rank = 0; rank < ranks(); ++rank)
    if (!finished(rank)) return false;
  return true;
}

bool Stepper::deadlocked() const {
  for (int rank = 0; rank < ranks(); ++rank)
    if (!finished(rank) && !blocked(rank)) return false;
  return !all_finished();
}

void Stepper::advance(int rank) {
  Rank& one = ranks_[static_cast<std::size_t>(rank)];
  one.posted = false;
  ++one.at;
}

bool Stepper::wants(int receiver, int source) const {
  if (finished(receiver) || !blocked(receiver)) return false;
  const Call& call = now(receiver);
  return call.kind == Kind::recv && (call.peer == kAny || call.peer == source);
}

Stepper::Moved Stepper::step(int rank) {
  if (finished(rank)) return Moved::finished;
  Rank& one = ranks_[static_cast<std::size_t>(rank)];
  if (one.posted) return Moved::blocked;
  const Call call = now(rank);
  if (call.kind == Kind::recv) {
    const auto message = std::find_if(one.waiting.begin(), one.waiting.end(), [&](int source) { return call.peer == kAny || source == call.peer; });
    if (message != one.waiting.end()) {
      one.waiting.erase(message);
      advance(rank);
      return Moved::done;
    }
    const auto sender = std::find_if(one.senders.begin(), one.senders.end(), [&](int source) { return call.peer == kAny || source == call.peer; });
    if (sender != one.senders.end()) {
      const int source = *sender;
      one.senders.erase(sender);
      advance(source);
      advance(rank);
      return Moved::done;
    }
  } else {
    Rank& receiver = ranks_[static_cast<std::size_t>(call.peer)];
    if (wants(call.peer, rank)) {
      advance(call.peer);
      advance(rank);
      return Moved::done;
    }
    if (call.kind == Kind::send && static_cast<int>(receiver.waiting.size()) < slots_) {
      receiver.waiting.push_back(rank);
      advance(rank);
      return Moved::done;
    }
    receiver.senders.push_back(rank);
  }
  one.posted = true;
  return Moved::blocked;
}

std::string Stepper::call(int rank) const {
  if (finished(rank)) return "";
  const Call& call = now(rank);
  const std::string peer = call.peer == kAny ? "any" : std::to_string(call.peer);
  return (call.kind == Kind::send ? "send " : call.kind == Kind::ssend ? "ssend " : "recv ") + peer;
}

std::string Stepper::state() const {
  std::string out;
  for (const Rank& rank : ranks_) {
    out += std::to_string(rank.at) + (rank.posted ? "p" : ".");
    for (const int source : rank.waiting) out += static_cast<char>('0' + source);
    out += '/';
    for (const int source : rank.senders) out += static_cast<char>('0' + source);
    out += ' ';
  }
  return out;
}

std::optional<std::vector<int>> Stepper::way(bool deadlock) const {
  std::deque<std::pair<Stepper, std::vector<int>>> open{{*this, {}}};
  std::set<std::string> seen{state()};
  while (!open.empty()) {
    const auto [at, path] = std::move(open.front());
    open.pop_front();
    if (deadlock ? at.deadlocked() : at.all_finished()) return path;
    for (int rank = 0; rank < ranks(); ++rank) {
      if (at.finished(rank) || at.blocked(rank)) continue;
      Stepper next = at;
      next.step(rank);
      if (!seen.insert(next.state()).second) continue;
      auto longer = path;
      longer.push_back(rank);
      open.emplace_back(std::move(next), std::move(longer));
    }
  }
  return std::nullopt;
}

}  // namespace p2plab::content
