// A recursive descent over the text; no tree is kept, formulas are short.
#include "app/check/lab_formula.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace p2plab::check {

namespace {

class Formula {
 public:
  using Lookup = std::function<double(const std::string&)>;
  Formula(std::string_view text, Lookup lookup) : text_(text), lookup_(std::move(lookup)) {}

  double value() {
    const double out = sum();
    blanks();
    if (at_ < text_.size()) wrong("\"" + std::string(text_.substr(at_)) + "\" is left over");
    return out;
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const { throw std::invalid_argument("formula \"" + std::string(text_) + "\": " + what); }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double sum() {
    double out = product();
    for (;;) {
      if (take('+')) out += product();
      else if (take('-')) out -= product();
      else return out;
    }
  }
  double product() {
    double out = factor();
    for (;;) {
      if (take('*')) out *= factor();
      else if (take('/')) out /= factor();
      else if (take('%')) out = std::fmod(out, factor());
      else return out;
    }
  }
  double factor() {
    if (++depth_ > 64) wrong("it is nested too deeply");
    blanks();
    double out = 0;
    if (take('-')) {
      out = -factor();
    } else if (take('(')) {
      out = sum();
      close();
    } else if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.')) {
      out = number();
    } else {
      out = name();
    }
    --depth_;
    return out;
  }
  void close() {
    if (!take(')')) wrong("a \")\" is missing");
  }
  double number() {
    std::size_t length = 0;
    const std::string rest(text_.substr(at_));
    double out = 0;
    try {
      out = std::stod(rest, &length);
    } catch (const std::exception&) {
      wrong("\"" + rest + "\" is no number");
    }
    at_ += length;
    if (at_ < text_.size() && (text_[at_] == 'K' || text_[at_] == 'M' || text_[at_] == 'G')) {
      out *= text_[at_] == 'K' ? 1024.0 : text_[at_] == 'M' ? 1048576.0 : 1073741824.0;
      ++at_;
    }
    return out;
  }
  double name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    if (word.empty()) wrong("a number or a name is missing");
    if (!take('(')) return lookup_(word);
    const double first = sum();
    if (!take(',')) {
      close();
      if (word == "ceil") return std::ceil(first);
      if (word == "floor") return std::floor(first);
      if (word == "abs") return std::abs(first);
      if (word == "log2" && first > 0) return std::log2(first);
      wrong("there is no function " + word + " of one value");
    }
    const double second = sum();
    close();
    if (word == "min") return std::min(first, second);
    if (word == "max") return std::max(first, second);
    wrong("there is no function " + word + " of two values");
  }

  std::string_view text_;
  Lookup lookup_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate(std::string_view formula, const LabValues& values) {
  return Formula(formula, [&](const std::string& name) {
           const auto found = values.find(name);
           if (found == values.end()) throw std::invalid_argument("formula \"" + std::string(formula) + "\": nothing is called \"" + name + "\"");
           return found->second;
         }).value();
}

std::vector<std::string> names_in(std::string_view formula) {
  std::vector<std::string> names;
  Formula(formula, [&](const std::string& name) {
    names.push_back(name);
    return 1.0;
  }).value();
  return names;
}

}  // namespace p2plab::check
