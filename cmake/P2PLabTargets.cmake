# Compiler flags and the output layout, the same in the build tree as after `cmake --install`:
#   bin/            p2plab, p2plab-gui
#   lib/p2plab/     p2plab-supervise, demo programs, libp2plab-p2p.so, backends
#   share/p2plab/   assets, demo sources and manifests, headers of the runtime
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(P2PLAB_BIN ${CMAKE_BINARY_DIR}/bin)
set(P2PLAB_LIB ${CMAKE_BINARY_DIR}/lib/p2plab)
set(P2PLAB_SHARE ${CMAKE_BINARY_DIR}/share/p2plab)
file(MAKE_DIRECTORY ${P2PLAB_BIN} ${P2PLAB_LIB} ${P2PLAB_SHARE})
foreach(folder assets demos labs)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${P2PLAB_SHARE}/${folder} SYMBOLIC)
endforeach()
file(CREATE_LINK ${CMAKE_SOURCE_DIR} ${P2PLAB_SHARE}/include SYMBOLIC)

# -O3 buys nothing measurable here and costs a fifth of the build.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # lets ccache see through precompiled headers
endif()

set(P2PLAB_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")
# How everything is compiled, and p2plab_flags: the same under the sanitizers of the build.
add_library(p2plab_language INTERFACE)
target_include_directories(p2plab_language INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(p2plab_language INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror
  -Wno-restrict  # false alarms of GCC 12 on "…" + std::string (GCC bug 105651)
  "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")  # source lines are shown relative to the tree
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # False alarms: inlined std::vector and std::string at -O2, references out of functions that take a string; GCC 12 and
  # the sanitizers look for the real ones.
  target_compile_options(p2plab_language INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized
    -Wno-dangling-reference)
endif()
if(CMAKE_UNITY_BUILD)  # includes .cpp files, whose unnamed namespaces are then taken for those of headers
  target_compile_options(p2plab_language INTERFACE -Wno-subobject-linkage)
endif()
add_library(p2plab_flags INTERFACE)
target_link_libraries(p2plab_flags INTERFACE p2plab_language)
if(P2PLAB_SANITIZE)
  target_compile_options(p2plab_flags INTERFACE -fsanitize=${P2PLAB_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(p2plab_flags INTERFACE -fsanitize=${P2PLAB_SANITIZE})
endif()

# p2plab_library(NAME [DEPENDS…]): a static library of all .cpp files of the calling folder.
function(p2plab_library name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(NOT sources)  # a library of headers only still is a library
    set(sources ${CMAKE_BINARY_DIR}/headers_only.cpp)
    if(NOT EXISTS ${sources})
      file(WRITE ${sources} "")
    endif()
  endif()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC p2plab_flags ${ARGN})
  if(NOT name STREQUAL p2plab_schedule)  # which depends on nothing, not even fmt
    target_precompile_headers(${name} REUSE_FROM p2plab_pch)
  endif()
endfunction()

# p2plab_precompiled_headers(): after the packages are found; the headers that cost most of a build are parsed once.
function(p2plab_precompiled_headers)
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "")
  add_library(p2plab_pch STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(p2plab_pch PRIVATE p2plab_flags fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(p2plab_pch PRIVATE <filesystem> <functional> <map> <memory> <optional> <string> <vector>
    <fmt/format.h> <nlohmann/json.hpp>)
endfunction()

# p2plab_skip(WHAT WHY): the one clear line for a part that cannot be built here.
function(p2plab_skip what why)
  message(STATUS "P2P Lab: skipped ${what}: ${why}")
endfunction()
