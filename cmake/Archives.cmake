# SPDX-License-Identifier: Apache-2.0
# isobath_require(package): find_package, else the pinned source archive below by FetchContent.
#
#   ISOBATH_FETCH=OFF       never fetch: a missing library ends the configuration with a sentence
#   ISOBATH_ARCHIVES=DIR    take archives from this folder instead of the network; names do not matter, hashes do
#
# Every archive is pinned by SHA-256. The first hash is of upstream's archive of the tag, the second one (where the
# bytes differ) of the source archive that Debian 12 keeps of the same version with parts left out that we do not
# build. docs/how-to/install.md says how the hashes were verified.

set(ISOBATH_ARCHIVES "" CACHE PATH "folder with source archives of libraries, used instead of the network")

function(isobath_pin package version url)
  set_property(GLOBAL PROPERTY isobath_pin_${package} "${url}" "${version}" ${ARGN})
endfunction()

isobath_pin(fmt 9.1.0 https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2
  84ce1c2d0be3a9863935137969dcec6970125caac032f82474640bfc81463583)  # fmtlib_9.1.0+ds1.orig.tar.gz
isobath_pin(CLI11 2.1.2 https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz
  26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb
  8143d20b688e98ccce8e24562d3b68e5f47c12e896c42c7ca8553dbde5bed55d)  # cli11_2.1.2+ds.orig.tar.xz
isobath_pin(nlohmann_json 3.11.2 https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
  d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273)
isobath_pin(GTest 1.12.1 https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
  81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2)
isobath_pin(benchmark 1.7.1 https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
  6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7)

macro(isobath_require package)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    isobath_fetch(${package})
  endif()
endmacro()

function(isobath_fetch package)
  get_property(pin GLOBAL PROPERTY isobath_pin_${package})
  list(POP_FRONT pin url version)
  if(NOT ISOBATH_FETCH)
    message(FATAL_ERROR "The library ${package} is not installed here and ISOBATH_FETCH is off. "
      "Install it, name its place in CMAKE_PREFIX_PATH, or allow its archive: -DISOBATH_FETCH=ON")
  endif()
  list(GET pin 0 hash)
  if(ISOBATH_ARCHIVES)
    isobath_find_archive(${package} "${version}" "${pin}" url hash)
  endif()
  message(STATUS "${package} ${version} from ${url}")

  include(FetchContent)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)        # the settings below count
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)        # CMake 4 refuses what CLI11 2.1 asks for
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)      # the simulated engine is a library to load
  set(BUILD_TESTING OFF)
  foreach(off IN ITEMS FMT_DOC FMT_TEST FMT_INSTALL CLI11_BUILD_DOCS CLI11_BUILD_TESTS CLI11_BUILD_EXAMPLES
          JSON_BuildTests JSON_Install INSTALL_GTEST BENCHMARK_ENABLE_TESTING BENCHMARK_ENABLE_INSTALL
          BENCHMARK_ENABLE_GTEST_TESTS BENCHMARK_ENABLE_WERROR)
    set(${off} OFF)
  endforeach()
  string(TOLOWER "isobath_${package}" name)
  FetchContent_Declare(${name} URL "${url}" URL_HASH SHA256=${hash} DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  FetchContent_MakeAvailable(${name})
  foreach(target IN ITEMS fmt CLI11 nlohmann_json gtest gtest_main gmock benchmark)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES SYSTEM ON)  # our warnings are not for their headers
    endif()
  endforeach()
endfunction()

# The file in ISOBATH_ARCHIVES whose hash is one of `hashes`, whatever its name.
function(isobath_find_archive package version hashes url_result hash_result)
  file(GLOB candidates LIST_DIRECTORIES OFF "${ISOBATH_ARCHIVES}/*.tar.*" "${ISOBATH_ARCHIVES}/*.tgz"
    "${ISOBATH_ARCHIVES}/*.zip")
  foreach(candidate IN LISTS candidates)
    file(SHA256 "${candidate}" hash)
    if(hash IN_LIST hashes)
      set(${url_result} "${candidate}" PARENT_SCOPE)
      set(${hash_result} "${hash}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  list(JOIN hashes " or " wanted)
  message(FATAL_ERROR "The library ${package} is not installed here, and no file in ${ISOBATH_ARCHIVES} is its "
    "archive of version ${version} (SHA-256 ${wanted}). docs/how-to/install.md says where to get it.")
endfunction()
