# SPDX-License-Identifier: Apache-2.0
# MPI::MPI_CXX, its own launcher, and what tests need to launch with it.
#
#   MPI_CXX_COMPILER      the compiler wrapper; default: the standard-ABI wrapper of the MPICH wheel in .venv where
#                         there is one, else what FindMPI finds
#   MPIEXEC_EXECUTABLE    the launcher; default: the one beside the wrapper. It must belong to the same MPI: a program
#                         under a foreign launcher aborts, or runs as copies that do not know each other.
#
# Result: MPI::MPI_CXX, MPI_CXX_VERSION, MPIEXEC_EXECUTABLE, ISOBATH_MPI_FAMILY (mpich, openmpi, intel or other), ISOBATH_MPI_ABI.

if(NOT MPI_CXX_COMPILER AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/mpicxx_abi")
  set(MPI_CXX_COMPILER "${PROJECT_SOURCE_DIR}/.venv/bin/mpicxx_abi" CACHE FILEPATH "MPI compiler wrapper")
endif()
if(MPI_CXX_COMPILER AND NOT IS_ABSOLUTE "${MPI_CXX_COMPILER}")
  find_program(ISOBATH_MPI_WRAPPER NAMES "${MPI_CXX_COMPILER}" REQUIRED)
  set(MPI_CXX_COMPILER "${ISOBATH_MPI_WRAPPER}" CACHE FILEPATH "MPI compiler wrapper" FORCE)
endif()

# A launcher that the caller names is kept and checked; one that was found is looked for again.
set(launcher_is_named OFF)
if(MPIEXEC_EXECUTABLE AND NOT MPIEXEC_EXECUTABLE STREQUAL "${ISOBATH_LAUNCHER_FOUND}")
  set(launcher_is_named ON)
endif()

# The wheel: an imported target of our own. Its wrapper is a script that breaks on a space in its path, and FindMPI
# would take another MPI's launcher.
function(isobath_import_standard_abi folder)
  add_library(MPI::MPI_CXX SHARED IMPORTED GLOBAL)
  set_target_properties(MPI::MPI_CXX PROPERTIES
    IMPORTED_LOCATION "${folder}/lib/libmpi_abi.so"
    INTERFACE_INCLUDE_DIRECTORIES "${folder}/include"
    INTERFACE_COMPILE_DEFINITIONS MPI_ABI
    # LD_LIBRARY_PATH comes first, so that the program runs under every library of this ABI.
    INTERFACE_LINK_OPTIONS LINKER:--enable-new-dtags)
  file(STRINGS "${folder}/include/mpi_abi.h" lines REGEX "#define MPI_(SUB)?VERSION")
  if(lines MATCHES "MPI_VERSION +([0-9]+).*MPI_SUBVERSION +([0-9]+)")
    set(MPI_CXX_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}" PARENT_SCOPE)
  endif()
endfunction()

set(ISOBATH_MPI_ABI OFF)
if(MPI_CXX_COMPILER MATCHES "_abi$")
  set(ISOBATH_MPI_ABI ON)
  cmake_path(GET MPI_CXX_COMPILER PARENT_PATH mpi_folder)
  cmake_path(GET mpi_folder PARENT_PATH mpi_folder)
endif()
if(ISOBATH_MPI_ABI AND EXISTS "${mpi_folder}/lib/libmpi_abi.so")
  isobath_import_standard_abi("${mpi_folder}")
else()
  find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
endif()
# The C++ bindings were removed from MPI long ago; some libraries still carry them, with warnings.
set_property(TARGET MPI::MPI_CXX APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

# What its mpi.h says. Asked again when another MPI is named in the same build folder.
if(NOT ISOBATH_MPI_FACTS_OF STREQUAL MPI_CXX_COMPILER)
  unset(ISOBATH_MPI_HAS_ABI CACHE)
  unset(ISOBATH_MPI_IS_OPENMPI CACHE)
  unset(ISOBATH_MPI_IS_INTEL CACHE)
  unset(ISOBATH_MPI_IS_MPICH CACHE)
  set(ISOBATH_MPI_FACTS_OF "${MPI_CXX_COMPILER}" CACHE INTERNAL "")
endif()
include(CheckCXXSourceCompiles)
function(isobath_mpi_defines macro result)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("#include <mpi.h>\n#ifndef ${macro}\n#error absent\n#endif\nint main() {}" ${result})
endfunction()

isobath_mpi_defines(MPI_ABI_VERSION ISOBATH_MPI_HAS_ABI)
if(ISOBATH_MPI_ABI AND NOT ISOBATH_MPI_HAS_ABI)
  message(FATAL_ERROR
    "${MPI_CXX_COMPILER} is named as a standard-ABI wrapper, but with it mpi.h does not define MPI_ABI_VERSION. "
    "Programs would mix two sets of handles and crash. Name another wrapper: -DMPI_CXX_COMPILER=/path/to/mpicxx")
endif()
isobath_mpi_defines(OMPI_MAJOR_VERSION ISOBATH_MPI_IS_OPENMPI)
isobath_mpi_defines(I_MPI_VERSION ISOBATH_MPI_IS_INTEL)
isobath_mpi_defines(MPICH_VERSION ISOBATH_MPI_IS_MPICH)
if(ISOBATH_MPI_IS_OPENMPI)
  set(ISOBATH_MPI_FAMILY openmpi)
  set(launcher_words "Open MPI|OpenRTE|PRRTE")
elseif(ISOBATH_MPI_IS_INTEL)
  set(ISOBATH_MPI_FAMILY intel)
  set(launcher_words "Intel")
elseif(ISOBATH_MPI_IS_MPICH OR ISOBATH_MPI_ABI)
  set(ISOBATH_MPI_FAMILY mpich)
  set(launcher_words "HYDRA|MPICH")
else()
  set(ISOBATH_MPI_FAMILY other)
  set(launcher_words ".")
endif()

# Does this launcher belong to the MPI found above?
function(isobath_check_launcher launcher result)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    "${launcher}" --version OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 20)
  if(said MATCHES "${launcher_words}")
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

if(launcher_is_named)
  isobath_check_launcher("${MPIEXEC_EXECUTABLE}" launcher_fits)
else()
  cmake_path(GET MPI_CXX_COMPILER PARENT_PATH mpi_bin)
  cmake_path(GET MPI_CXX_COMPILER EXTENSION LAST_ONLY mpi_suffix)
  set(launcher_fits OFF)
  foreach(name IN ITEMS "mpiexec${mpi_suffix}" "mpiexec.${ISOBATH_MPI_FAMILY}" mpiexec.hydra mpiexec mpirun)
    if(EXISTS "${mpi_bin}/${name}")
      isobath_check_launcher("${mpi_bin}/${name}" launcher_fits)
      if(launcher_fits)
        set(MPIEXEC_EXECUTABLE "${mpi_bin}/${name}" CACHE FILEPATH "the launcher beside the MPI compiler wrapper" FORCE)
        set(ISOBATH_LAUNCHER_FOUND "${MPIEXEC_EXECUTABLE}" CACHE INTERNAL "")
        break()
      endif()
    endif()
  endforeach()
endif()
if(NOT launcher_fits)
  message(FATAL_ERROR
    "No launcher of its own for ${MPI_CXX_COMPILER} (${ISOBATH_MPI_FAMILY}): "
    "'${MPIEXEC_EXECUTABLE}' belongs to another MPI or is missing. Name it: -DMPIEXEC_EXECUTABLE=/path/to/mpiexec")
endif()
message(STATUS "MPI: ${ISOBATH_MPI_FAMILY}, ${MPI_CXX_COMPILER}, launched by ${MPIEXEC_EXECUTABLE}")

# Tests have more ranks than cores and may run as root in a container.
if(ISOBATH_MPI_FAMILY STREQUAL "openmpi")
  set(ISOBATH_MPI_LAUNCH_ENVIRONMENT
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none)
elseif(ISOBATH_MPI_FAMILY STREQUAL "mpich")
  # Where ranks outnumber cores, a waiting rank leaves its core to the others (ADR 0022).
  set(ISOBATH_MPI_CROWDED_ENVIRONMENT
    MPIR_CVAR_BARRIER_DEVICE_COLLECTIVE=0 MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0
    MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE=0 MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 MPIR_CVAR_POLLS_BEFORE_YIELD=50)
endif()
