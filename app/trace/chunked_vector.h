// A vector that never moves its elements: growing costs no copy, and references stay valid.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace p2plab::trace {

template <class T, std::size_t kChunk = 4096>
class ChunkedVector {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  T& push_back(const T& value) {
    if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
    T& slot = (*this)[size_++];
    slot = value;
    return slot;
  }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace p2plab::trace
