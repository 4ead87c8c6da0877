// Results of a rank program beyond single numbers: tables, row by row.
#pragma once
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "demos/p2p/world.h"

namespace p2p {

/// One cell of a table of results: the column, and a number or a word.
struct Cell {
  std::string_view column;
  std::variant<double, std::string> value;
  Cell(std::string_view name, double number) : column(name), value(number) {}
  template <std::integral Number>
  Cell(std::string_view name, Number number) : column(name), value(static_cast<double>(number)) {}
  Cell(std::string_view name, std::string_view word) : column(name), value(std::string(word)) {}
  Cell(std::string_view name, const char* word) : column(name), value(std::string(word)) {}
  Cell(std::string_view name, const std::string& word) : column(name), value(word) {}
};

/// A row of the table of this name. The lab prints, draws and saves tables as demo.toml says (number, table, chart).
void row(World& world, std::string_view table, std::initializer_list<Cell> cells);

/// Returns once the lab has read most of what this thread recorded, at the latest after a second: called between two
/// bursts of short messages, so that none of their records is lost. Takes no time where nothing is recorded.
void let_lab_catch_up();

/// The value of each rank, on every rank; a collective.
std::vector<double> of_all_ranks(World& world, double value);
/// The largest of them.
double largest_of_all_ranks(World& world, double value);
/// The middle one; the mean of the two middle ones when their number is even.
double median(std::vector<double> values);

}  // namespace p2p
