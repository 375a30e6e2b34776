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
