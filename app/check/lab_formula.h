// Small arithmetic for lab.toml: "2*(p-1)*n/p". A teacher writes what a rule expects as a formula over the case.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::check {

/// Values by name: p (ranks), n (bytes), rank, knobs and the lab's own [values].
using LabValues = std::map<std::string, double, std::less<>>;

/// Numbers (64, 64K, 1M, 1.5), names, + - * / % ( ); functions min, max, ceil, floor, abs of one
/// or two arguments. Throws std::invalid_argument with what is wrong, an unknown name among it.
double evaluate(std::string_view formula, const LabValues& values);

/// The names that a formula uses; throws as evaluate does where it is no formula.
std::vector<std::string> names_in(std::string_view formula);

}  // namespace p2plab::check
