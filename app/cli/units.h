// Numbers with units on the command line. All throw Error with exit status 2: what was given, and what would be legal.
#pragma once
#include <cstdint>
#include <string>

#include "app/trace/clock.h"

namespace p2plab::cli {

/// "18522us", "1.5ms", "0": ns, us (µs), ms or s, rounded to ns; at most a year.
trace::Ns parse_duration(const std::string& option, const std::string& text);
/// "25GB/s", "400Gb/s", "2.5e10": bytes per second; K, M, G and T are powers of 1000.
double parse_bandwidth(const std::string& option, const std::string& text);
/// "64K", "1MiB", "4096": bytes; K, M and G are powers of 1024.
std::uint64_t parse_bytes(const std::string& option, const std::string& text);

}  // namespace p2plab::cli
