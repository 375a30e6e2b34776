# SPDX-License-Identifier: Apache-2.0
# isobath_add_test(name SOURCES ... LAYERS ... [SUPPORT ...])      a program of tests without MPI
# isobath_add_mpi_test(name SOURCES ... LAYERS ... [SUPPORT ...] RANKS 1 2 3 4 6 [SLOW_RANKS 3 6])   the same once per rank
#     count; at SLOW_RANKS, which take longest and tell little that others do not, by ./isobath test --slow alone
# isobath_add_test_support(name SOURCES ... [LAYERS ...] [SUPPORT ...])   what several tests need, compiled once
# isobath_add_compile_fail_test(name SOURCE ... LAYERS ... SAYS regex)
#     passes when the source does not compile and the compiler's message matches; a second test, name.counterpart,
#     passes when the same source compiles with ISOBATH_COUNTERPART defined, so that nothing else is wrong with it
set(ISOBATH_MPIEXEC_FLAGS "" CACHE STRING "flags of the launcher in tests, for example --oversubscribe")
# Ranks and threads outnumber the cores, so nobody may wait actively. Under the sanitizer of addresses, which is slow, a rank
# has one thread, but for a run of each plan (apps/two_threads_test.cpp); under that of threads it has two.
set(ISOBATH_MPI_TEST_ENVIRONMENT "OMP_NUM_THREADS=$<IF:$<BOOL:${ISOBATH_SANITIZE}>,1,2>;OMP_WAIT_POLICY=passive"
  CACHE STRING "environment of tests that use MPI, besides what the MPI library needs to launch them")
set(ISOBATH_TEST_RANKS "1;2;3;4;6" CACHE STRING "rank counts of the MPI tests; a test runs at those it names that are in this list")
set(ISOBATH_SLOW_TEST_RANKS "" CACHE STRING "those of them whose tests have the label slow: ./isobath test --slow runs them")

# Tests of several ranks have the machine for themselves.
cmake_host_system_information(RESULT ISOBATH_CORES QUERY NUMBER_OF_LOGICAL_CORES)

# Parsing of headers is most of the time that a test takes to compile, and its own speed does not matter.
option(ISOBATH_QUICK_TEST_BUILD "compile several files at a time, the tests (not the engine) unoptimised" OFF)

if(ISOBATH_SANITIZED)
  list(APPEND ISOBATH_MPI_LAUNCH_ENVIRONMENT
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/engine/leaks.supp:print_suppressions=0")
endif()

function(isobath_test_target name)
  cmake_parse_arguments(test "" "" "LAYERS;SUPPORT" ${ARGN})
  list(TRANSFORM test_LAYERS PREPEND isobath::)
  target_link_libraries(${name} PUBLIC ${test_LAYERS} ${test_SUPPORT} GTest::gtest PRIVATE isobath_warnings)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/tests/engine")
  target_compile_definitions(${name} PRIVATE ISOBATH_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  if(ISOBATH_QUICK_TEST_BUILD)
    target_compile_options(${name} PRIVATE -O0)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
  if(test_LAYERS)
    isobath_precompile_test(${name})
  endif()
endfunction()

# All that the engine's tests run, and no other program: what a build is asked for whose programs nobody else uses.
add_custom_target(engine_tests)

# Marks a test that every run looks at with the sanitizer of threads.
function(isobath_is_thread_test target test)
  if(ISOBATH_SANITIZE_THREADS AND target IN_LIST ISOBATH_THREAD_TESTS)
    add_dependencies(thread_tests ${target})
    set_property(TEST ${test} APPEND PROPERTY LABELS threads)
  endif()
endfunction()

# A test whose own loops take longer than its compilation: test builds optimise it as they do the engine.
function(isobath_optimise_test name)
  if(ISOBATH_QUICK_TEST_BUILD)
    target_compile_options(${name} PRIVATE -O1)
    set_target_properties(${name} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # which are not for these options
  endif()
endfunction()

function(isobath_add_test_support name)
  cmake_parse_arguments(test "" "" "SOURCES;LAYERS;SUPPORT" ${ARGN})
  add_library(${name} STATIC ${test_SOURCES})
  isobath_test_target(${name} LAYERS ${test_LAYERS} SUPPORT ${test_SUPPORT})
endfunction()

# The main program of tests on all ranks.
function(isobath_add_mpi_main)
  isobath_add_test_support(isobath_mpi_main SOURCES "${PROJECT_SOURCE_DIR}/tests/engine/mpi_main.cpp" LAYERS comm)
endfunction()

function(isobath_add_test name)
  cmake_parse_arguments(test "" "" "SOURCES;LAYERS;SUPPORT" ${ARGN})
  add_executable(${name} ${test_SOURCES})
  isobath_test_target(${name} LAYERS ${test_LAYERS} SUPPORT ${test_SUPPORT})
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
  add_dependencies(engine_tests ${name})
  add_test(NAME ${name} COMMAND ${name})
  set(labels unit)
  if(ISOBATH_TEST_LAYERS)  # of a second MPI, of which these know nothing: the first has run them, with sanitizers
    list(APPEND labels slow)
  endif()
  # As many run at once as there are cores, each with as many threads.
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 1200 ENVIRONMENT "OMP_WAIT_POLICY=passive")
  isobath_is_thread_test(${name} ${name})
endfunction()

function(isobath_add_mpi_test name)
  cmake_parse_arguments(test "" "" "SOURCES;LAYERS;SUPPORT;RANKS;SLOW_RANKS" ${ARGN})
  add_executable(${name} ${test_SOURCES})
  isobath_test_target(${name} LAYERS ${test_LAYERS} SUPPORT ${test_SUPPORT})
  target_link_libraries(${name} PRIVATE isobath_mpi_main)
  add_dependencies(engine_tests ${name})
  foreach(ranks IN LISTS test_RANKS)
    if(ranks IN_LIST ISOBATH_TEST_RANKS)
      set(environment ${ISOBATH_MPI_TEST_ENVIRONMENT} ${ISOBATH_MPI_LAUNCH_ENVIRONMENT})
      if(ranks GREATER ISOBATH_CORES)
        list(APPEND environment ${ISOBATH_MPI_CROWDED_ENVIRONMENT})
      endif()
      set(labels mpi)
      if(ranks IN_LIST ISOBATH_SLOW_TEST_RANKS OR ranks IN_LIST test_SLOW_RANKS)
        list(APPEND labels slow)
      endif()
      set(processors ${ISOBATH_CORES})
      if(ranks EQUAL 1)
        set(processors 1)
      endif()
      add_test(NAME ${name}.${ranks}
        COMMAND ${MPIEXEC_EXECUTABLE} ${ISOBATH_MPIEXEC_FLAGS} -n ${ranks} $<TARGET_FILE:${name}>)
      set_tests_properties(${name}.${ranks} PROPERTIES LABELS "${labels}" PROCESSORS ${processors} TIMEOUT 1800
        ENVIRONMENT "${environment}")
      if(ranks EQUAL 2)
        isobath_is_thread_test(${name} ${name}.${ranks})
      endif()
    endif()
  endforeach()
endfunction()

function(isobath_add_compile_fail_test name)
  cmake_parse_arguments(test "" "SOURCE;SAYS" "LAYERS" ${ARGN})
  set(folders -I${PROJECT_SOURCE_DIR}/engine)
  foreach(layer IN LISTS test_LAYERS)
    set(property $<TARGET_PROPERTY:isobath::${layer},INTERFACE_INCLUDE_DIRECTORIES>)
    list(APPEND folders "$<$<BOOL:${property}>:-I$<JOIN:${property},$<SEMICOLON>-I>>")
  endforeach()
  get_filename_component(source ${test_SOURCE} ABSOLUTE)
  set(compile "${CMAKE_CXX_COMPILER}" -std=c++20 -fsyntax-only ${folders})
  add_test(NAME ${name} COMMAND ${compile} ${source} COMMAND_EXPAND_LISTS)
  add_test(NAME ${name}.counterpart COMMAND ${compile} -DISOBATH_COUNTERPART ${source} COMMAND_EXPAND_LISTS)
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${test_SAYS}")
  set_tests_properties(${name} ${name}.counterpart PROPERTIES LABELS unit TIMEOUT 600)
endfunction()
