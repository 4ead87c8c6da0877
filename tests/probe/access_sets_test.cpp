// The sets of bytes behind the access checker, against sets that are simple enough to be right.
#include <map>
#include <memory>
#include <random>
#include <set>

#include "demos/probe/access/operations.h"
#include "tests/support/catch.h"

using namespace p2plab::probe::access;

namespace {

using Bytes = std::set<std::uintptr_t>;

Bytes bytes_of(std::span<const Piece> pieces) {
  Bytes bytes;
  for (const Piece& piece : pieces) {
    for (std::uintptr_t byte = piece.begin; byte < piece.end; ++byte) bytes.insert(byte);
  }
  return bytes;
}

bool is_normalized(std::span<const Piece> pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].begin >= pieces[i].end || (i > 0 && pieces[i - 1].end >= pieces[i].begin)) return false;
  }
  return true;
}

/// The lowest common bytes without a gap in the second set.
std::optional<Piece> common_of(const Bytes& a, Piece b) {
  for (std::uintptr_t byte = b.begin; byte < b.end; ++byte) {
    if (!a.contains(byte)) continue;
    Piece common{byte, byte + 1};
    while (common.end < b.end && a.contains(common.end)) ++common.end;
    return common;
  }
  return std::nullopt;
}

/// A generator of pieces around the borders of pages and words, where mistakes live.
class Pieces {
 public:
  explicit Pieces(unsigned seed, std::uintptr_t base, std::uintptr_t size) : random_(seed), base_(base), size_(size) {}
  std::uintptr_t upto(std::uintptr_t limit) { return std::uniform_int_distribution<std::uintptr_t>(0, limit)(random_); }
  Piece one(std::uintptr_t longest) {
    const std::uintptr_t begin = base_ + upto(size_ - longest);
    return {begin, begin + upto(longest)};
  }
  std::vector<Piece> some(std::size_t most, std::uintptr_t longest) {
    std::vector<Piece> pieces(upto(most));
    for (Piece& piece : pieces) piece = one(longest);
    return pieces;
  }

 private:
  std::mt19937 random_;
  std::uintptr_t base_, size_;
};

}  // namespace

TEST_CASE("sets of pieces agree with sets of bytes") {
  Pieces pieces(1, 1000, 200);
  for (int round = 0; round < 2000; ++round) {
    const auto a = pieces.some(6, 40), b = pieces.some(6, 40);
    const auto set_a = normalized(a), set_b = normalized(b);
    const Bytes bytes_a = bytes_of(a), bytes_b = bytes_of(b);
    REQUIRE(is_normalized(set_a));
    REQUIRE(bytes_of(set_a) == bytes_a);
    const auto rest = without(set_a, set_b);
    Bytes difference;
    for (const auto byte : bytes_a) {
      if (!bytes_b.contains(byte)) difference.insert(byte);
    }
    REQUIRE(bytes_of(rest) == difference);
    REQUIRE(is_normalized(rest));
    const Piece probe = pieces.one(20);
    const auto common = first_common(set_a, probe), expected = common_of(bytes_a, probe);
    REQUIRE(common.has_value() == expected.has_value());
    if (common) {
      REQUIRE(common->begin == expected->begin);
      REQUIRE(common->end == expected->end);
    }
    REQUIRE(first_common(set_a, set_b).has_value() == (difference.size() != bytes_a.size()));
  }
}

TEST_CASE("active operations and their shadow agree with bytes counted one by one") {
  constexpr std::uintptr_t kBase = (std::uintptr_t{1} << 30) * 3 - 3 * 4096,
                           kSize = 6 * 4096;  // across a table's border
  static Shadow shadow;                       // a megabyte, and its pages stay
  Operations operations(shadow);
  struct Active {
    Use use;
    Bytes bytes;
  };
  std::map<OperationId, Active> active;
  Pieces pieces(2, kBase, kSize);
  const unsigned long long steps = 1500;
  for (OperationId step = 1; step <= steps; ++step) {
    if (active.size() < 2 || pieces.upto(9) < 5) {
      const Use use = pieces.upto(1) == 0 ? Use::send : Use::receive;
      const auto added = pieces.some(3, pieces.upto(1) == 0 ? 100 : 3 * 4096);
      const bool more = !active.empty() && pieces.upto(7) == 0;
      const OperationId id = more ? active.begin()->first : step;
      operations.add(id, use, normalized(added));
      auto& one = active.try_emplace(id, Active{use, {}}).first->second;
      for (const auto byte : bytes_of(added)) one.bytes.insert(byte);
    } else if (pieces.upto(9) == 0) {
      const Piece gone = pieces.one(4096);
      operations.drop(gone);
      for (auto& [id, one] : active) {
        one.bytes.erase(one.bytes.lower_bound(gone.begin), one.bytes.lower_bound(gone.end));
      }
    } else {
      auto victim = std::next(active.begin(), static_cast<std::ptrdiff_t>(pieces.upto(active.size() - 1)));
      operations.remove(victim->first);
      active.erase(victim);
    }

    for (int look = 0; look < 20; ++look) {
      const Piece bytes = pieces.one(look < 10 ? 16 : 5000);
      std::map<OperationId, Piece> touching;
      bool read = false;
      for (const auto& [id, one] : active) {
        const auto from = one.bytes.lower_bound(bytes.begin);
        if (from == one.bytes.end() || *from >= bytes.end) continue;
        touching[id] = *common_of(one.bytes, {*from, bytes.end});
        read = read || one.use == Use::receive;
      }
      const bool write = !touching.empty();
      REQUIRE(shadow.forbids_range(bytes, true) == write);
      REQUIRE(shadow.forbids_range(bytes, false) == read);
      if (bytes.end - bytes.begin <= 64) {
        REQUIRE(shadow.forbids(bytes.begin, bytes.end - bytes.begin, true) == write);
        REQUIRE(shadow.forbids(bytes.begin, bytes.end - bytes.begin, false) == read);
      }
      if (write) {
        const Piece bounds = operations.bounds();
        REQUIRE((bounds.begin <= touching.begin()->second.begin && bounds.end >= touching.begin()->second.end));
      }
      std::uintptr_t lowest = bytes.end;
      operations.for_each_touching(bytes, [&](Operation& operation, Piece common) {
        REQUIRE(touching.contains(operation.id));
        REQUIRE(touching[operation.id].begin == common.begin);
        REQUIRE(touching[operation.id].end == common.end);
        lowest = std::min(lowest, common.begin);
        touching.erase(operation.id);
      });
      REQUIRE(touching.empty());
      REQUIRE(operations.lowest(bytes) == lowest);
    }
  }
  while (!active.empty()) {
    operations.remove(active.begin()->first);
    active.erase(active.begin());
  }
  CHECK(!shadow.forbids_range({kBase, kBase + kSize}, true));
  CHECK(operations.bounds().end == 0);
}

TEST_CASE("operations know with whom they share bytes") {
  static Shadow shadow;
  Operations operations(shadow);
  const auto shared_with = [&](OperationId id, std::vector<Piece> pieces) {
    std::set<OperationId> others;
    operations.for_each_sharing(operations.add(id, Use::receive, std::move(pieces)),
                                [&](Operation& other, Piece) { others.insert(other.id); });
    return others;
  };
  CHECK(shared_with(1, {{100, 200}}).empty());
  CHECK(shared_with(2, {{200, 300}}).empty());
  CHECK(shared_with(3, {{50, 60}, {199, 201}}) == std::set<OperationId>{1, 2});
  CHECK(shared_with(4, {{60, 100}, {300, 400}}).empty());
  CHECK(shared_with(5, {}).empty());
  operations.clear();
  CHECK(shared_with(6, {{100, 200}}).empty());
}

TEST_CASE("a place is news for each of the first ways that lead to it") {
  Operation operation{};
  int here = 0, there = 0;
  CHECK(operation.is_news(&here, Violation::access_read, 1));
  CHECK(!operation.is_news(&here, Violation::access_read, 1));
  CHECK(operation.is_news(&here, Violation::access_write, 1));
  CHECK(operation.is_news(&there, Violation::access_read, 1));
  int told = 1;
  for (std::size_t way = 2; way < 100; ++way) told += operation.is_news(&here, Violation::access_read, way) ? 1 : 0;
  CHECK(told == 16);
}
