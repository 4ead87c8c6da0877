// Reads the heads of the shapes; README.md describes what may stand there.
#include "tests/verify/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace p2plab::corpus {

namespace {

namespace fs = std::filesystem;

struct Size {
  std::string name, cflags;
};

struct Variant {
  std::string name, cflags;
  std::vector<std::string> only;  ///< sizes and numbers of ranks; empty: all
  Expectation expected;
};

struct Head {
  std::vector<std::string> ranks{"2"};
  std::vector<Size> sizes{{}};
  std::vector<Variant> variants;
  std::vector<std::string> quick;
  std::string cflags;
  int timeout_s = 60;
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string part; std::getline(in, part, at);) out.push_back(part);
  return out;
}

bool holds(const std::vector<std::string>& list, const std::string& what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

/// Lines that end in a comment "// @name".
std::map<std::string, int> marks_of(const std::vector<std::string>& lines) {
  std::map<std::string, int> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto at = lines[i].rfind("// @");
    if (at != std::string::npos) out.emplace(lines[i].substr(at + 4), static_cast<int>(i) + 1);
  }
  return out;
}

/// "pass", "build-error", "*", or "kind|kind [also kind|kind] [at RANK@MARK …]".
Expectation parse_expectation(const std::string& text, const std::map<std::string, int>& marks) {
  using Verdict = Expectation::Verdict;
  const auto parts = words(text);
  if (parts.empty()) throw std::runtime_error("an expectation is missing after =>");
  Expectation out;
  if (parts[0] == "pass" || parts[0] == "build-error" || parts[0] == "*") {
    if (parts.size() > 1) throw std::runtime_error("nothing may follow " + parts[0]);
    out.verdict = parts[0] == "pass" ? Verdict::pass
                  : parts[0] == "*"  ? Verdict::anything_but_pass
                                     : Verdict::build_error;
    return out;
  }
  out.verdict = Verdict::fail;
  out.kinds = split(parts[0], '|');
  std::string mode;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] == "also" || parts[i] == "at") {
      mode = parts[i];
    } else if (mode == "also") {
      out.also = split(parts[i], '|');
    } else if (mode == "at") {
      const auto at = parts[i].find('@');
      if (at == std::string::npos) throw std::runtime_error("a place is RANK@MARK, not " + parts[i]);
      const auto mark = marks.find(parts[i].substr(at + 1));
      if (mark == marks.end()) throw std::runtime_error("no line is marked // " + parts[i].substr(at));
      out.places.push_back({std::stoi(parts[i].substr(0, at)), mark->second});
    } else {
      throw std::runtime_error("not understood: " + parts[i]);
    }
  }
  return out;
}

Variant parse_variant(const std::string& value, const std::map<std::string, int>& marks) {
  const auto colon = value.find(':');
  const auto arrow = value.find("=>");
  if (colon == std::string::npos || arrow == std::string::npos || arrow < colon) {
    throw std::runtime_error("a variant is NAME [SIZE|RANKS …]: [FLAGS] => EXPECTATION");
  }
  Variant out;
  auto names = words(value.substr(0, colon));
  if (names.empty()) throw std::runtime_error("a variant needs a name");
  out.name = names[0];
  out.only.assign(names.begin() + 1, names.end());
  out.cflags = value.substr(colon + 1, arrow - colon - 1);
  out.expected = parse_expectation(value.substr(arrow + 2), marks);
  return out;
}

void parse_line(const std::string& line, const std::map<std::string, int>& marks, Head& head) {
  const std::string text = line.substr(line.find_first_not_of("/ "));
  if (text.starts_with("variant ")) {
    head.variants.push_back(parse_variant(text.substr(8), marks));
    return;
  }
  const auto colon = text.find(": ");
  if (colon == std::string::npos) return;
  const std::string key = text.substr(0, colon), value = text.substr(colon + 2);
  if (key == "ranks") head.ranks = words(value);
  if (key == "cflags") head.cflags = value;
  if (key == "timeout") head.timeout_s = std::stoi(value);
  if (key == "quick") head.quick = words(value);
  if (key == "sizes") {
    head.sizes.clear();
    for (const std::string& part : split(value, ',')) {
      const auto pieces = words(part);
      if (pieces.size() < 2) throw std::runtime_error("a size is NAME FLAG …");
      head.sizes.push_back({pieces[0], fmt::format("{}", fmt::join(pieces.begin() + 1, pieces.end(), " "))});
    }
  }
}

/// `selectors` name a variant, and a size and a number of ranks where not the first is meant: "wrong/large/4".
bool is_quick(const std::vector<std::string>& selectors, const Head& head, const Variant& variant,
              const std::string& size, const std::string& first_size, const std::string& ranks) {
  return std::any_of(selectors.begin(), selectors.end(), [&](const std::string& selector) {
    auto parts = split(selector, '/');
    if (parts[0] != variant.name) return false;
    const bool size_named = std::any_of(parts.begin() + 1, parts.end(), [&](const std::string& part) {
      return std::any_of(head.sizes.begin(), head.sizes.end(), [&](const Size& one) { return one.name == part; });
    });
    const bool ranks_named =
        std::any_of(parts.begin() + 1, parts.end(), [&](const std::string& part) { return holds(head.ranks, part); });
    return (size_named ? holds(parts, size) : size == first_size) &&
           (ranks_named ? holds(parts, ranks) : ranks == head.ranks.front());
  });
}

std::string joined_flags(const std::string& a, const std::string& b, const std::string& c) {
  auto flags = words(a + " " + b + " " + c);
  return fmt::format("{}", fmt::join(flags, " "));
}

std::vector<Program> programs_of(const Head& head, const fs::path& source) {
  std::vector<Program> out;
  const std::string kind = source.parent_path().filename();
  const std::string shape = kind + "/" + source.stem().string();
  for (const Variant& variant : head.variants) {
    std::string first_size;
    bool any_size = false;
    for (const Size& size : head.sizes) {
      const bool sized = std::any_of(variant.only.begin(), variant.only.end(), [&](const std::string& word) {
        return std::any_of(head.sizes.begin(), head.sizes.end(), [&](const Size& one) { return one.name == word; });
      });
      if (sized && !holds(variant.only, size.name)) continue;
      if (!any_size) first_size = size.name;
      any_size = true;
      for (const std::string& ranks : head.ranks) {
        const bool ranked = std::any_of(variant.only.begin(), variant.only.end(),
                                        [&](const std::string& word) { return holds(head.ranks, word); });
        if (ranked && !holds(variant.only, ranks)) continue;
        Program program;
        program.id = shape + ":" + variant.name + (size.name.empty() ? "" : "/" + size.name) + "/" + ranks;
        program.kind = kind;
        program.source = source;
        program.cflags = joined_flags(head.cflags, size.cflags, variant.cflags);
        program.ranks = std::stoi(ranks);
        program.timeout_s = head.timeout_s;
        program.quick = is_quick(head.quick, head, variant, size.name, first_size, ranks);
        program.expected = variant.expected;
        out.push_back(std::move(program));
      }
    }
    if (!any_size)
      throw std::runtime_error(source.string() + ": variant " + variant.name + " names no size of this shape");
  }
  return out;
}

}  // namespace

std::vector<Program> read_shape(const fs::path& source) {
  std::ifstream in(source);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto marks = marks_of(lines);
  Head head;
  for (std::size_t i = 0; i < lines.size() && lines[i].starts_with("// "); ++i) {
    try {
      parse_line(lines[i], marks, head);
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{}:{}: {}", source.string(), i + 1, error.what()));
    }
  }
  if (head.variants.empty())
    throw std::runtime_error(source.string() + ": no variant is described in its first comments");
  return programs_of(head, source);
}

std::vector<Program> read_corpus(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  std::vector<Program> out;
  for (const fs::path& source : sources) {
    auto some = read_shape(source);
    std::move(some.begin(), some.end(), std::back_inserter(out));
  }
  return out;
}

std::string describe(const Expectation& expected) {
  using Verdict = Expectation::Verdict;
  switch (expected.verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::build_error:
      return "build-error";
    case Verdict::anything_but_pass:
      return "anything but pass";
    case Verdict::fail:
      break;
  }
  std::string out = fmt::format("{}", fmt::join(expected.kinds, "|"));
  for (const Place& place : expected.places) out += fmt::format(" rank {} line {}", place.rank, place.line);
  return out;
}

}  // namespace p2plab::corpus
