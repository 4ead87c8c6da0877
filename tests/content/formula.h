// Works out the formula of a card: numbers, names, + - * / ^, parentheses, max(a,b) and min(a,b). Written apart from the cards'
// loader, so that a number on a card is not compared with itself.
#pragma once
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace content_test {

class Formula {
 public:
  Formula(std::string text, std::map<std::string, double> given) : text_(std::move(text)), given_(std::move(given)) {}
  double value() {
    const double out = sum();
    if (at_ != text_.size()) throw std::invalid_argument("left over: " + text_.substr(at_));
    return out;
  }

 private:
  bool take(char c) { return at_ < text_.size() && text_[at_] == c ? (++at_, true) : false; }
  void need(char c) {
    if (!take(c)) throw std::invalid_argument(std::string("expected ") + c + " in " + text_);
  }
  double sum() {
    double out = product();
    while (true) {
      if (take('+')) out += product();
      else if (take('-')) out -= product();
      else return out;
    }
  }
  double product() {
    double out = power();
    while (true) {
      if (take('*')) out *= power();
      else if (take('/')) out /= power();
      else return out;
    }
  }
  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, power()) : base;
  }
  double atom() {
    if (take('(')) {
      const double out = sum();
      need(')');
      return out;
    }
    const std::size_t from = at_;
    if (std::isalpha(static_cast<unsigned char>(text_.at(at_))) != 0) {
      while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      const std::string name = text_.substr(from, at_ - from);
      if (name != "max" && name != "min") return given_.at(name);
      need('(');
      const double a = sum();
      need(',');
      const double b = sum();
      need(')');
      return name == "max" ? std::max(a, b) : std::min(a, b);
    }
    char* end = nullptr;
    const double out = std::strtod(text_.c_str() + at_, &end);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    if (at_ == from) throw std::invalid_argument("no number in " + text_);
    return out;
  }
  std::string text_;
  std::map<std::string, double> given_;
  std::size_t at_ = 0;
};

}  // namespace content_test
