// The C++ library between the program and its buffers: the line that counts is the program's own.
#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "access_shim.h"

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const { return 0; }
};
struct Square : Shape {
  double side = 2;
  double area() const override { return side * side; }    // ! access_read 7
};
struct Point { double x, y, z; };
double length(Point p) { return p.x + p.y + p.z; }
Point made() { return {1, 2, 3}; }

void throws() {
  std::array<char, 64> buffer{};
  start_receive(20, buffer.data(), buffer.size());
  throw std::runtime_error("left");                  // !gcc out_of_scope 20
}

void catches() {
  try {
    throws();                                        // !clang out_of_scope 20
  } catch (const std::exception&) {
  }
  std::string("a function is entered here");
}

}  // namespace

extern "C" int access_test_main() {
  std::vector<int> r(100), own(100);
  std::vector<double> s(1000, 1.0);
  std::string text(100, 'x');
  start_receive(1, r.data(), r.size() * sizeof(int));
  start_send(2, s.data(), s.size() * sizeof(double));
  start_receive(3, &text[0], text.size());
  own[0] = r[0];                                     // ! access_read 1
  own[1] = r.at(1);                                  // ! access_read 1
  std::copy(r.begin(), r.end(), own.begin());        // ! access_read 1
  std::vector<int> copy = r;                         // ! access_read 1
  own = r;                                           // ! access_read 1
  own[2] = std::accumulate(r.begin(), r.end(), 0);   // ! access_read 1
  own[3] = *std::max_element(r.begin(), r.end());    // ! access_read 1
  std::fill(r.begin(), r.end(), 0);                  // ! access_write 1
  std::iota(r.begin(), r.end(), 0);                  // ! access_write 1
  std::sort(r.begin(), r.end());                     // ! access_read 1 ! access_write 1
  for (int& value : r) value = 3;                    // ! access_write 1
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  std::sort(s.begin(), s.end());                     // ! access_write 2
  std::fill(s.begin(), s.end(), 1.0);                // ! access_write 2
  std::string word(text);                            // ! access_read 3
  std::cout << text << '\n';                         // ! access_read 3
  std::ofstream("/dev/null").write(text.data(), 50); // ! access_read 3
  std::istringstream("word") >> std::ws;
  text.assign(5, 'y');                               // ! access_write 3
  text += "zz";                                      // ! access_write 3
  complete(1);
  complete(2);
  complete(3);
  own[4] = r[3] + static_cast<int>(sum) + static_cast<int>(s[3]) + text[2];
  std::sort(r.begin(), r.end());

  start_send(4, r.data(), 40);
  r.clear();
  r.shrink_to_fit();                                 // ! freed 4
  complete(4);
  auto owned = std::make_unique<std::array<int, 64>>();
  start_send(5, owned.get(), sizeof *owned);
  owned.reset();                                     // ! freed 5
  complete(5);
  start_send(6, own.data(), 40);
  std::vector<int>().swap(own);                      // ! freed 6
  complete(6);

  Square square;
  start_receive(7, &square, sizeof square);
  const Shape* shape = &square;
  double area = shape->area();                       // ! access_read 7
  complete(7);
  Point point{1, 2, 3};
  start_receive(8, &point, sizeof point);
  area += length(point);                             // !clang access_read 8
  point = made();                                    // !clang access_write 8
  complete(8);
  std::atomic<int> flag{0};
  start_receive(9, &flag, sizeof flag);
  flag = 1;                                          // ! access_write 9
  complete(9);

  catches();
  complete(20);
  return area + flag > 1e9 ? 1 : 0;
}
int main() { return access_test_main(); }
