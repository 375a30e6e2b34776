# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=<tree> -DHEADER=<file> -P git_state.cmake
# Writes the commit of a work tree, and whether what the engine is built from differs from it, into a C++
# header; the file is touched only when something changed. Outside a git work tree the commit is empty.
set(commit "")
set(dirty false)
find_program(git_program git)
if(git_program)
  set(git "${git_program}" -c safe.directory=* -C "${SOURCE}")
  execute_process(COMMAND ${git} rev-parse HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND ${git} rev-parse --show-toplevel
    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # A tarball unpacked inside somebody else's work tree must not carry that tree's commit.
  file(REAL_PATH "${SOURCE}" source)
  if(NOT failed AND top STREQUAL source)
    set(commit "${head}")
    execute_process(COMMAND ${git} status --porcelain -- engine cmake CMakeLists.txt CMakePresets.json
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT changes STREQUAL "")
      set(dirty true)
    endif()
  endif()
endif()
set(text "// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
inline constexpr std::string_view git_commit = \"${commit}\";
inline constexpr bool git_dirty = ${dirty};
")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" before)
  if(before STREQUAL text)
    return()
  endif()
endif()
file(WRITE "${HEADER}" "${text}")
