# SPDX-License-Identifier: Apache-2.0
# Options of the build, and what holds for every target.
option(ISOBATH_BUILD_TESTS "build the engine's tests" ON)
option(ISOBATH_BUILD_BENCHMARKS "build the programs in benchmarks/" OFF)
option(ISOBATH_ASSERTIONS "check internal facts at run time" OFF)
option(ISOBATH_WERROR "warnings are errors" OFF)
option(ISOBATH_SANITIZE "address and undefined-behaviour sanitizers" OFF)
option(ISOBATH_SANITIZE_THREADS "sanitizer of threads; needs Clang, its libomp and archer" OFF)
option(ISOBATH_BUILD_FUZZERS "build the libFuzzer targets in tests/fuzz; needs Clang" OFF)
option(ISOBATH_FETCH "download a missing library from its pinned archive" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Bits are counted everywhere, and without the instruction that is a call for each word. The one instruction that all of
# an x86-64 build may use beyond the architecture (ADR 0051); others are chosen when a program starts
# (base/instruction_set.hpp). Before the flags of the user, so that -mno-popcnt among those takes it back.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  string(PREPEND CMAKE_CXX_FLAGS "-mpopcnt ")
endif()

# GCC since version 11 takes a function that does nothing but prefetch for one without effect, and leaves its calls out,
# unless it was inlined before. In the place of 56 prefetches of original_arcs.cpp, with_arc.cpp, grid_climb.cpp and
# others stood nothing (ADR 0054).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 11)
  string(PREPEND CMAKE_CXX_FLAGS "-fno-ipa-modref ")
endif()
