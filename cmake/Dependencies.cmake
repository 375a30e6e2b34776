# SPDX-License-Identifier: Apache-2.0
# Libraries of others: what the machine has comes first; what it lacks is built from a pinned archive (Archives.cmake).
include(Mpi)
include(Archives)

find_package(OpenMP REQUIRED COMPONENTS CXX)
isobath_require(fmt)
isobath_require(CLI11)
isobath_require(nlohmann_json)
if(ISOBATH_BUILD_TESTS)
  isobath_require(GTest)
endif()
if(ISOBATH_BUILD_BENCHMARKS)
  isobath_require(benchmark)
endif()
