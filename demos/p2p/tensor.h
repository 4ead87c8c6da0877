// A block of numbers with a shape. Copies share storage, as in PyTorch; clone() makes a new one. On a backend with a GPU
// the storage is the GPU's memory: kernels and messages use it, the host sees it through host().
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
  /// `count` bytes, all of this value.
  static Tensor bytes_of(std::size_t count, std::byte value = std::byte{0});
  /// A vector with these elements.
  static Tensor of(std::span<const float> values);
  /// A copy with storage of its own.
  Tensor clone() const;
  /// Elements `first` to `first + count` of it, as a vector that shares its storage (torch: narrow).
  Tensor narrow(std::size_t first, std::size_t count) const;
  /// Overwrites the storage with as many bytes of the host's; the caller waits for it.
  void put(std::span<const std::byte> from);

  bool defined() const { return storage_ != nullptr; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  std::size_t numel() const;
  std::size_t nbytes() const;
  // Of a tensor in the host's memory; of one in a GPU's memory they throw.
  std::span<float> f32() const;         ///< elements; only of DType::f32
  std::span<std::byte> bytes() const;   ///< raw storage
  /// This tensor in the host's memory. From a GPU (torch: cpu()) it is copied on the stream `compute`, behind what was
  /// enqueued there, and the caller waits for it; else it is this tensor itself.
  Tensor host() const;
  bool on_device() const { return on_device_; }
  /// Where the storage lies, for kernels and messages.
  std::byte* data() const { return storage_.get(); }

 private:
  std::shared_ptr<std::byte[]> storage_;
  std::vector<std::int64_t> shape_;
  DType dtype_ = DType::f32;
  bool on_device_ = false;
};

/// Where tensors lie while a backend with a GPU is in use.
class TensorMemory {
 public:
  virtual ~TensorMemory() = default;
  virtual std::shared_ptr<std::byte[]> allocate(std::size_t bytes) = 0;
  // The caller waits for each of these.
  virtual void set(std::byte* to, std::byte value, std::size_t bytes) = 0;
  virtual void copy_in(std::byte* to, const std::byte* host, std::size_t bytes) = 0;
  virtual void copy_out(std::byte* host, const std::byte* from, std::size_t bytes) = 0;
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// The one in use; null: the host's own memory.
  static TensorMemory* current;
};

}  // namespace p2p
