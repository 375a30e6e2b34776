# SPDX-License-Identifier: Apache-2.0
include(CheckCXXSourceCompiles)
add_library(isobath_sanitizers INTERFACE)
if(ISOBATH_SANITIZE)
  # Left out: checks before every access that double the time to compile and find what the address sanitizer finds
  # too (null, object-size), or what only other processors mind (alignment).
  set(flags -fsanitize=address,undefined -fno-sanitize=null,object-size,alignment,vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  list(JOIN flags " " CMAKE_REQUIRED_FLAGS)
  check_cxx_source_compiles("int main() {}" ISOBATH_HAS_SANITIZERS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(ISOBATH_HAS_SANITIZERS)
    target_compile_options(isobath_sanitizers INTERFACE ${flags})
    target_link_options(isobath_sanitizers INTERFACE ${flags})
  else()
    message(WARNING "${CMAKE_CXX_COMPILER} has no address and undefined-behaviour sanitizers; this build is without")
  endif()
endif()
# The laboratory reads it from the cache.
set(ISOBATH_SANITIZED OFF CACHE INTERNAL "the sanitizers were asked for and the compiler has them")
if(ISOBATH_SANITIZE AND ISOBATH_HAS_SANITIZERS)
  set(ISOBATH_SANITIZED ON CACHE INTERNAL "the sanitizers were asked for and the compiler has them")
endif()

# The sanitizer of threads goes with Clang alone: GCC's libgomp tells it nothing of barriers and locks, and every right
# loop looks wrong. LLVM's libomp tells archer, a tool of its own, which is linked into every program: found at run time
# it would have to be named in each environment, and is left out in silence where it is not.
if(ISOBATH_SANITIZE_THREADS)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libarcher_static.a
    OUTPUT_VARIABLE archer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(ISOBATH_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT EXISTS "${archer}")
    message(FATAL_ERROR "the sanitizer of threads stands alone and needs Clang with archer; apt-get install clang-19 "
      "libclang-rt-19-dev libomp-19-dev, and configure with --preset tsan")
  endif()
  add_library(isobath_sanitizer_options OBJECT "${PROJECT_SOURCE_DIR}/tests/engine/threads/sanitizer_options.cpp")
  find_program(ISOBATH_SYMBOLIZER addr2line REQUIRED)  # of binutils; Clang's own is in a package of its own
  target_compile_definitions(isobath_sanitizer_options PRIVATE ISOBATH_SYMBOLIZER="${ISOBATH_SYMBOLIZER}")
  target_compile_options(isobath_sanitizers INTERFACE -fsanitize=thread)
  target_link_options(isobath_sanitizers INTERFACE -fsanitize=thread LINKER:--undefined=ompt_start_tool)
  target_link_libraries(isobath_sanitizers INTERFACE $<TARGET_OBJECTS:isobath_sanitizer_options> "${archer}")
endif()
