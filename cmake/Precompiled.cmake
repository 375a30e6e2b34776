# SPDX-License-Identifier: Apache-2.0
# isobath_precompile(target set): headers of others, which take longer to read than most files of the engine to compile,
# are read once for all targets of a set. The code that comes out is the same. No header of the engine is among them.
#   engine     every layer
#   simulated  every layer of the simulated engine (Simulated.cmake)
#   tests      the tests of layers in test builds (isobath_precompile_test), with that of GoogleTest
# The layers of test builds go without, and so does clang-tidy: there a forgotten #include shows. With sanitizers a file
# of a layer takes 0.9 of the time with them; with the headers of CLI11 and nlohmann_json among them, 1.5 times as long.
option(ISOBATH_PRECOMPILE "read headers of others once for many files; not for layers in test builds" ON)

set(ISOBATH_PRECOMPILED <algorithm> <array> <atomic> <bit> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory>
  <numeric> <optional> <random> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)

function(isobath_precompile target set)
  if(NOT ISOBATH_PRECOMPILE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_INTERPROCEDURAL_OPTIMIZATION OR
      NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
    return()
  endif()
  set(holder isobath_precompiled_${set})
  if(NOT TARGET ${holder})
    # A compiler takes what was read with its own options alone: they are those of the targets.
    add_library(${holder} STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
    target_compile_features(${holder} PRIVATE cxx_std_20)
    target_link_libraries(${holder} PRIVATE fmt::fmt isobath_warnings)
    if(set STREQUAL "simulated")
      isobath_compile_as_simulated(${holder})
    else()
      target_link_libraries(${holder} PRIVATE OpenMP::OpenMP_CXX isobath_sanitizers)
    endif()
    target_precompile_headers(${holder} PRIVATE ${ISOBATH_PRECOMPILED})
  endif()
  isobath_reuse_precompiled(${target} ${holder})
endfunction()

# Of a test that has layers, and so the options that come with every layer.
function(isobath_precompile_test target)
  if(NOT ISOBATH_PRECOMPILE OR NOT ISOBATH_QUICK_TEST_BUILD OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(holder isobath_precompiled_tests)
  if(NOT TARGET ${holder})
    add_library(${holder} STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
    target_compile_features(${holder} PRIVATE cxx_std_20)
    target_compile_options(${holder} PRIVATE -O0)
    target_link_libraries(${holder} PRIVATE fmt::fmt GTest::gtest OpenMP::OpenMP_CXX isobath_sanitizers isobath_warnings)
    target_precompile_headers(${holder} PRIVATE ${ISOBATH_PRECOMPILED} <chrono> <fstream> <iterator> <gtest/gtest.h>)
  endif()
  isobath_reuse_precompiled(${target} ${holder})
endfunction()

function(isobath_reuse_precompiled target holder)
  target_precompile_headers(${target} REUSE_FROM ${holder})
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(own_options "${source}" COMPILE_OPTIONS)
    if(own_options)  # which what was read for the others does not fit
      set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
