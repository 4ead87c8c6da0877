// Storage of tensors: zeroed, aligned to a cache line, shared between copies.
#include "demos/p2p/tensor.h"

#include <cstring>
#include <new>

#include "demos/p2p/options.h"

namespace p2p {
namespace {

constexpr std::align_val_t kAlignment{64};

std::size_t element_size(DType dtype) { return dtype == DType::f32 ? sizeof(float) : 1; }

std::shared_ptr<std::byte[]> allocate_on_host(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(::operator new[](bytes == 0 ? 1 : bytes, kAlignment));
  return {memory, [](std::byte* p) { ::operator delete[](p, kAlignment); }};
}

std::shared_ptr<std::byte[]> allocate(std::size_t bytes, bool on_device) {
  return on_device ? TensorMemory::current->allocate(bytes) : allocate_on_host(bytes);
}

}  // namespace

TensorMemory* TensorMemory::current = nullptr;

Tensor Tensor::zeros(std::vector<std::int64_t> shape, DType dtype) {
  Tensor tensor;
  tensor.shape_ = std::move(shape);
  tensor.dtype_ = dtype;
  tensor.on_device_ = TensorMemory::current != nullptr;
  tensor.storage_ = allocate(tensor.numel() * element_size(dtype), tensor.on_device_);
  if (tensor.on_device_) {
    TensorMemory::current->set(tensor.data(), std::byte{0}, tensor.nbytes());
  } else {
    std::memset(tensor.storage_.get(), 0, tensor.nbytes());
  }
  return tensor;
}

Tensor Tensor::bytes_of(std::size_t count, std::byte value) {
  Tensor tensor = zeros({static_cast<std::int64_t>(count)}, DType::u8);
  if (value == std::byte{0}) return tensor;
  if (tensor.on_device_) {
    TensorMemory::current->set(tensor.data(), value, count);
  } else {
    std::memset(tensor.data(), std::to_integer<int>(value), count);
  }
  return tensor;
}

Tensor Tensor::of(std::span<const float> values) {
  Tensor tensor = zeros({static_cast<std::int64_t>(values.size())});
  tensor.put(std::as_bytes(values));
  return tensor;
}

void Tensor::put(std::span<const std::byte> from) {
  if (from.size() != nbytes()) throw Error("put() was given another number of bytes than the tensor has.");
  if (from.empty()) return;
  if (on_device_) {
    TensorMemory::current->copy_in(data(), from.data(), from.size());
  } else {
    std::memcpy(data(), from.data(), from.size());
  }
}

Tensor Tensor::clone() const {
  Tensor copy = *this;
  copy.storage_ = allocate(nbytes(), on_device_);
  if (on_device_) {
    TensorMemory::current->copy(copy.data(), data(), nbytes());
  } else {
    std::memcpy(copy.data(), data(), nbytes());
  }
  return copy;
}

Tensor Tensor::narrow(std::size_t first, std::size_t count) const {
  if (first > numel() || count > numel() - first) throw Error("narrow() was asked for elements beyond the end of the tensor.");
  Tensor part = *this;
  part.shape_ = {static_cast<std::int64_t>(count)};
  part.storage_ = {storage_, storage_.get() + first * element_size(dtype_)};
  return part;
}

Tensor Tensor::host() const {
  if (!on_device_) return *this;
  Tensor copy = *this;
  copy.on_device_ = false;
  copy.storage_ = allocate_on_host(nbytes());
  TensorMemory::current->copy_out(copy.data(), data(), nbytes());
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
  if (on_device_) throw Error("f32() was called on a tensor in the GPU's memory, which the host cannot read; use host().f32().");
  return {reinterpret_cast<float*>(storage_.get()), numel()};
}

std::span<std::byte> Tensor::bytes() const {
  if (on_device_) throw Error("bytes() was called on a tensor in the GPU's memory, which the host cannot read; use host().bytes().");
  return {storage_.get(), nbytes()};
}

}  // namespace p2p
