// See program_symbols.h.
#include "app/check/program_symbols.h"

#include <sstream>
#include <string_view>

#include "app/check/machine.h"

namespace p2plab::check {

std::vector<ProgramSymbol> symbols_of(const std::filesystem::path& program, SymbolTable table) {
  std::vector<ProgramSymbol> found;
  std::vector<std::string> command = {"nm", program.string()};
  if (table == SymbolTable::dynamic) command.insert(command.begin() + 1, "-D");
  const auto text = output_of(command);
  if (!text) return found;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.rfind(' ');
    if (space == std::string::npos || space < 1) continue;
    found.push_back({line[space - 1], line.substr(space + 1, line.find('@', space) - space - 1)});  // without the version
  }
  return found;
}

std::set<std::string> calls_around(const std::filesystem::path& probe, const std::filesystem::path& program) {
  std::set<std::string> around, watched;
  for (const ProgramSymbol& symbol : symbols_of(probe, SymbolTable::dynamic)) {
    if (!symbol.undefined() && symbol.name.starts_with("MPI_")) watched.insert(symbol.name);
  }
  constexpr std::string_view kFunctions = "TtWwi";
  // A stripped program has only its dynamic table, a hidden function stands only in the other one.
  for (const SymbolTable table : {SymbolTable::whole, SymbolTable::dynamic}) {
    for (const ProgramSymbol& symbol : symbols_of(program, table)) {
      const bool called = symbol.undefined() && symbol.name.starts_with("PMPI_") && watched.count(symbol.name.substr(1)) != 0;
      const bool own = kFunctions.find(symbol.type) != std::string_view::npos && watched.count(symbol.name) != 0;
      if (called || own) around.insert(symbol.name);
    }
  }
  return around;
}

}  // namespace p2plab::check
