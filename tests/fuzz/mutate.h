// Damage for files: the same seed does the same damage. A few seconds of it belong to every test run, more to `--all`.
#pragma once
#include <cstdlib>
#include <random>
#include <string>

namespace fuzz {

/// How many damaged files each reader is given.
inline int rounds() { return std::getenv("P2PLAB_TEST_ALL") != nullptr ? 20'000 : 400; }

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  /// A copy of `whole` with one to eight faults: bits turned, bytes of meaning put in, pieces cut, doubled, moved.
  std::string operator()(std::string whole) {
    for (int faults = 1 + below(8); faults > 0 && !whole.empty(); --faults) {
      const std::size_t at = below(whole.size());
      const std::size_t size = 1 + below(std::min<std::size_t>(whole.size() - at, 64));
      switch (below(7)) {
        case 0: whole[at] = static_cast<char>(whole[at] ^ (1 << below(8))); break;
        case 1: whole[at] = kTelling[below(sizeof kTelling - 1)]; break;
        case 2: whole.resize(at); break;
        case 3: whole.erase(at, size); break;
        case 4: whole.insert(at, whole.substr(at, size)); break;
        case 5: whole.insert(below(whole.size()), whole.substr(at, size)); break;
        default: whole.insert(at, std::string(size, kTelling[below(sizeof kTelling - 1)])); break;
      }
    }
    return whole;
  }

 private:
  // What readers take for lengths, signs, ends and quotes.
  static constexpr char kTelling[] = "\0\x01\x7f\x80\xff\"\\[]{}=,.-e9\n";

  std::size_t below(std::size_t n) { return random_() % n; }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::mt19937_64 random_;
};

}  // namespace fuzz
