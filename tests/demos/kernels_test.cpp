// The bodies of kernels, index after index as a GPU runs them, and the shorter ways that the host takes.
#include <cmath>
#include <vector>

#include "demos/p2p/kernels.h"
#include "tests/support/catch.h"

using namespace p2p;
using Numbers = std::vector<float>;

namespace {

Numbers some(std::size_t count, float step) {
  Numbers out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = std::sin(step * static_cast<float>(i + 1));
  return out;
}

template <class Body>
void by_index(const Body& body, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

}  // namespace

TEST_CASE("a product on the host is the product index after index, to the last bit, whichever factor is transposed") {
  constexpr std::size_t rows = 5, columns = 7, inner = 3;
  const Numbers a = some(rows * inner, 0.3F), b = some(inner * columns, 0.7F);
  for (const bool ta : {false, true})
    for (const bool tb : {false, true}) {
      Numbers on_gpu(rows * columns, -1), on_host(rows * columns, -2);
      by_index(kernels::Gemm{a.data(), b.data(), on_gpu.data(), rows, columns, inner, ta, tb}, on_gpu.size());
      run_on_host({kernels::Gemm{a.data(), b.data(), on_host.data(), rows, columns, inner, ta, tb}, on_host.size()});
      CHECK(on_gpu == on_host);
      float wanted = 0;
      for (std::size_t k = 0; k < inner; ++k) wanted += a[ta ? k * rows + 4 : 4 * inner + k] * b[tb ? 6 * inner + k : k * columns + 6];
      CHECK(on_gpu[4 * columns + 6] == Approx(wanted));
    }
}

TEST_CASE("blocks in the other order and back again are what they were") {
  const Numbers from = some(2 * 3 * 4, 1);
  Numbers there(from.size()), back(from.size());
  by_index(kernels::SwapAxes{from.data(), there.data(), 2, 3, 4}, from.size());
  CHECK(there[(2 * 2 + 1) * 4 + 3] == from[(1 * 3 + 2) * 4 + 3]);
  by_index(kernels::SwapAxes{there.data(), back.data(), 3, 2, 4}, from.size());
  CHECK(back == from);
}

TEST_CASE("rows by name and columns by number; a row without a name is padding") {
  const Numbers from{0, 1, 10, 11, 20, 21};
  const std::vector<int> names{2, -1, 0};
  Numbers rows(6), column(3);
  by_index(kernels::Rows{from.data(), names.data(), rows.data(), 2}, rows.size());
  CHECK(rows == Numbers{20, 21, -1, -1, 0, 1});
  by_index(kernels::Columns{from.data(), column.data(), 2, 1, 1}, column.size());
  CHECK(column == Numbers{1, 11, 21});
}

TEST_CASE("the derivative of gelu is that of differences") {
  for (const float x : {-2.0F, -0.5F, 0.0F, 0.3F, 1.7F}) {
    const float by = 1e-2F, at[3]{x - by, x, x + by}, one[1]{1};
    float y[3], slope[1];
    by_index(kernels::Gelu{at, y}, 3);
    by_index(kernels::GeluGradient{at + 1, one, slope}, 1);
    CHECK(slope[0] == Approx((y[2] - y[0]) / (2 * by)).margin(1e-3));
  }
}

TEST_CASE("idle experts send every item back to where it came from, and combine adds what came by its weight") {
  const Numbers items{3, 1, 5, 0, 0.5F, 0.25F, 3, 1, 6, 1, 2, 4};  // two choices of one token of rank 1, two numbers each
  Numbers back(items.size());
  by_index(kernels::Experts{items.data(), back.data(), 2, true}, items.size());
  CHECK(back == Numbers{1, 1, 5, 0, 0.5F, 0.25F, 1, 1, 6, 1, 2, 4});
  const std::vector<int> row{1, 0, -1};  // the choices came back in the other order, the third was dropped
  const Numbers weight{0.5F, 0.25F, 9};
  Numbers sum(2);
  by_index(kernels::Combine{back.data(), row.data(), weight.data(), sum.data(), 2, 3}, sum.size());
  CHECK(sum == Numbers{0.5F * 2 + 0.25F * 0.5F, 0.5F * 4 + 0.25F * 0.25F});
}
