// The names that a program defines and asks for, as its linker left them.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace p2plab::check {

struct ProgramSymbol {
  char type = '?';  ///< as nm has it: 'U' undefined, 'T' 't' 'W' a function, …
  std::string name;

  bool undefined() const { return type == 'U'; }
};

enum class SymbolTable { whole, dynamic };

/// Nothing when the file has none, or cannot be read.
std::vector<ProgramSymbol> symbols_of(const std::filesystem::path& program, SymbolTable table = SymbolTable::whole);

/// Of a program's own objects: what leads past the profiling layer `probe`, which sees calls of MPI_ names and no others. PMPI_Send
/// where it is called, MPI_Send where the program has one of its own. Only of names that the layer stands in front of.
std::set<std::string> calls_around(const std::filesystem::path& probe, const std::filesystem::path& program);

}  // namespace p2plab::check
