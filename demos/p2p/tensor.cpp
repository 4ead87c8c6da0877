// Storage of tensors: zeroed, aligned to a cache line, shared between copies.
#include "demos/p2p/tensor.h"

#include <cstring>
#include <new>

#include "demos/p2p/options.h"

namespace p2p {
namespace {

constexpr std::align_val_t kAlignment{64};

std::size_t element_size(DType dtype) { return dtype == DType::f32 ? sizeof(float) : 1; }

std::shared_ptr<std::byte[]> allocate(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(::operator new[](bytes == 0 ? 1 : bytes, kAlignment));
  return {memory, [](std::byte* p) { ::operator delete[](p, kAlignment); }};
}

}  // namespace

Tensor Tensor::zeros(std::vector<std::int64_t> shape, DType dtype) {
  Tensor tensor;
  tensor.shape_ = std::move(shape);
  tensor.dtype_ = dtype;
  tensor.storage_ = allocate(tensor.numel() * element_size(dtype));
  std::memset(tensor.storage_.get(), 0, tensor.nbytes());
  return tensor;
}

Tensor Tensor::bytes_of(std::size_t count) { return zeros({static_cast<std::int64_t>(count)}, DType::u8); }

Tensor Tensor::clone() const {
  Tensor copy = *this;
  copy.storage_ = allocate(nbytes());
  std::memcpy(copy.storage_.get(), storage_.get(), nbytes());
  return copy;
}

std::size_t Tensor::numel() const {
  std::size_t count = 1;
  for (const std::int64_t extent : shape_) count *= static_cast<std::size_t>(extent);
  return count;
}

std::size_t Tensor::nbytes() const {
  return storage_ == nullptr && shape_.empty() ? 0 : numel() * element_size(dtype_);
}

std::span<float> Tensor::f32() const {
  if (dtype_ != DType::f32) throw Error("f32() was called on a tensor of bytes; use bytes().");
  return {reinterpret_cast<float*>(storage_.get()), numel()};
}

std::span<std::byte> Tensor::bytes() const { return {storage_.get(), nbytes()}; }

}  // namespace p2p
