// The list of generators; its source is made by CMake from the names of the files in generators/.
#pragma once
#include <vector>

#include "app/schedule/generator.h"

namespace p2plab::schedule {

std::vector<Generator> registered_generators();

}  // namespace p2plab::schedule
