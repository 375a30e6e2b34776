# SPDX-License-Identifier: Apache-2.0
# The engine as a program that SimGrid simulates (ADR 0040): where its compiler wrapper is, the layers that
# isobath-graph500-smpi needs are built a second time, against SimGrid's MPI, without OpenMP, as one library to load. The
# wrapper itself is not asked to compile: it replaces `exit`, `malloc` and the like by macros, in headers of others too.
find_program(ISOBATH_SMPICXX smpicxx DOC "SimGrid's compiler wrapper; without it nothing is simulated")
set(ISOBATH_SIMULATED_LAYERS "")
# Test builds have nothing to add: the program knows no MPI but SimGrid's, and is tested as it is used.
if(NOT ISOBATH_SMPICXX OR ISOBATH_TEST_LAYERS OR ISOBATH_SANITIZE_THREADS OR ISOBATH_QUICK_TEST_BUILD)
  return()
endif()
find_path(ISOBATH_SMPI_HEADERS smpi/mpi.h REQUIRED DOC "folder of SimGrid's headers")
find_library(ISOBATH_SIMGRID simgrid REQUIRED DOC "SimGrid's library")
set(ISOBATH_SIMULATED_LAYERS
  base machine random partition comm record placement generator graph validate bfs sssp graph500 apps)

add_library(isobath_simgrid INTERFACE)
target_include_directories(isobath_simgrid SYSTEM INTERFACE "${ISOBATH_SMPI_HEADERS}/smpi")
target_link_libraries(isobath_simgrid INTERFACE "${ISOBATH_SIMGRID}")

# No OpenMP: a simulated rank is one thread, and libgomp keeps its state by thread, which all ranks share. Compiled for
# a short build, several files at a time and with -O1: nothing that it computes is timed.
function(isobath_compile_as_simulated target)
  target_compile_options(${target} PRIVATE -O1 -Wno-unknown-pragmas -Wno-unused-variable)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

function(isobath_add_simulated_layer name)
  cmake_parse_arguments(layer "FILE_BY_FILE" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  list(TRANSFORM layer_LIBRARIES REPLACE "^MPI::MPI_CXX$" isobath_simgrid)
  list(TRANSFORM layer_DEPENDS REPLACE "^(.+)$" "isobath_\\1_smpi")
  add_library(isobath_${name}_smpi STATIC EXCLUDE_FROM_ALL ${layer_SOURCES})
  target_link_libraries(isobath_${name}_smpi PUBLIC ${layer_LIBRARIES} ${layer_DEPENDS} isobath_simgrid)
  isobath_compile_as_simulated(isobath_${name}_smpi)
  if(NOT layer_FILE_BY_FILE AND NOT name STREQUAL comm)  # whose other files name functions that SimGrid lacks
    set_target_properties(isobath_${name}_smpi PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  isobath_precompile(isobath_${name}_smpi simulated)
endfunction()

# A program that smpirun loads, once for each rank; installed beside the others.
function(isobath_add_simulated_program name)
  cmake_parse_arguments(program "" "" "SOURCES;LAYERS" ${ARGN})
  list(TRANSFORM program_LAYERS REPLACE "^(.+)$" "isobath_\\1_smpi")
  add_library(${name} MODULE ${program_SOURCES})
  target_link_libraries(${name} PRIVATE ${program_LAYERS} isobath_simgrid isobath_warnings)
  target_link_options(${name} PRIVATE LINKER:-z,defs)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  install(PROGRAMS "$<TARGET_FILE:${name}>" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()
