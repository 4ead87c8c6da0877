// protozero, told to throw where a field has another wire type than expected, instead of asserting: files may be
// damaged.
#pragma once
#include <exception>

namespace p2plab::trace {

struct WrongWireType : std::exception {};

}  // namespace p2plab::trace

#define protozero_assert(condition) ((condition) ? void() : throw p2plab::trace::WrongWireType{})
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
