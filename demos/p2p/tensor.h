// A block of numbers with a shape. Copies share storage, as in PyTorch; clone() makes a new one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace p2p {

enum class DType : std::uint8_t { u8, f32 };

class Tensor {
 public:
  Tensor() = default;
  /// Zeros of this shape.
  static Tensor zeros(std::vector<std::int64_t> shape, DType dtype = DType::f32);
  /// `count` bytes, all zero.
  static Tensor bytes_of(std::size_t count);
  /// A copy with storage of its own.
  Tensor clone() const;

  bool defined() const { return storage_ != nullptr; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  std::size_t numel() const;
  std::size_t nbytes() const;
  std::span<float> f32() const;         ///< elements; only of DType::f32
  std::span<std::byte> bytes() const;   ///< raw storage

 private:
  std::shared_ptr<std::byte[]> storage_;
  std::vector<std::int64_t> shape_;
  DType dtype_ = DType::f32;
};

}  // namespace p2p
