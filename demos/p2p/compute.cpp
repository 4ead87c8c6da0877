// Computation: paced (the lane is busy for the stated time, the arithmetic included) or real (a GEMM of stated size).
#include <fmt/format.h>

#include "demos/p2p/runtime.h"

namespace p2p {
namespace {

constexpr std::size_t kGemmSize = 192;  ///< C = A B of this many rows and columns: 14 million floating-point operations

// Returns an element of the product, so that nobody may leave the work out.
float gemm(std::size_t n) {
  thread_local std::vector<float> a, b, c;
  a.assign(n * n, 1.0F);
  b.assign(n * n, 0.5F);
  c.assign(n * n, 0.0F);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const float factor = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
  }
  return c[n + 1];
}

std::string default_name(const ComputeLabel& label) {
  const char* kind = label.kind == Kind::forward    ? "F"
                     : label.kind == Kind::backward ? "B"
                     : label.kind == Kind::weight   ? "W"
                                                    : nullptr;
  if (kind == nullptr) return label.kind == Kind::optimizer ? "optimizer" : "compute";
  return label.microbatch < 0 ? kind : fmt::format("{}{}", kind, label.microbatch);
}

}  // namespace

Record Runtime::describe_compute(const ComputeLabel& label, const Where& where) {
  Record record = annotate(label.kind, label.name.empty() ? default_name(label) : label.name, where);
  record.microbatch = label.microbatch;
  record.chunk = static_cast<std::int16_t>(label.chunk);
  record.stage = static_cast<std::int16_t>(label.stage);
  if (!options.real_compute || is_virtual()) record.flags = p2plab::trace::kPaced;
  return record;
}

void Runtime::compute(const ComputeLabel& label, std::chrono::nanoseconds duration, std::function<void()> body,
                      StreamState& on, Where where) {
  const Record record = describe_compute(label, where);
  if (device_ != nullptr) {
    if (body) {
      throw Error(fmt::format("compute ({}:{}) was given a function of the host, which a GPU's stream cannot run; use launch() with kernels "
                              "(demos/p2p/kernels.h), or run with --backend host.", where.file_name(), where.line()));
    }
    return device_launch(record, duration, {}, on);
  }
  const std::size_t size = gemm_size();
  on.executor->enqueue(guarded([this, record, duration, body = std::move(body), size] {
    const OpenSpan span(record);
    const std::int64_t begin = backend->now_ns();
    if (body) body();
    if (options.real_compute && !is_virtual()) {  // arithmetic takes no virtual time
      if (gemm(size) < 0.0F) throw Error("The matrix product came out negative.");
    } else {
      backend->sleep_until(begin + duration.count());
    }
  }));
}

void Runtime::launch(const ComputeLabel& label, std::chrono::nanoseconds duration, std::vector<Kernel> kernels,
                     StreamState& on, Where where) {
  if (device_ != nullptr) return device_launch(describe_compute(label, where), duration, kernels, on);
  compute(label, duration, [kernels = std::move(kernels)] {
    for (const Kernel& kernel : kernels) run_on_host(kernel);
  }, on, where);
}

std::size_t Runtime::gemm_size() const {
  if (!options.real_compute) return 1;  // of a program that multiplies by itself: only to try
  const auto it = options.knobs.find("gemm");
  return it == options.knobs.end() ? kGemmSize : static_cast<std::size_t>(parse_amount("gemm", it->second));
}

void Runtime::pause(std::chrono::nanoseconds duration, std::string_view why, Where where) {
  Record record = annotate(Kind::other, why, where);
  record.flags = p2plab::trace::kPaced;
  const OpenSpan span(record);
  backend->sleep_until(backend->now_ns() + duration.count());
}

}  // namespace p2p
