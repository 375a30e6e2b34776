# SPDX-License-Identifier: Apache-2.0
# isobath_add_layer(name SOURCES a.cpp ... [DEPENDS layer ...] [LIBRARIES target ...] [FILE_BY_FILE] [WIRING])
# The only way to add a library: one static library per layer, linked to the layers named and to no other,
# so that a call against the direction of the layers fails to link.
# FILE_BY_FILE: its files use the same names of their own, so that no build compiles several at a time.
# WIRING: no kernels, and headers that take longer than the code: every build compiles several files at a time, as test
# builds do with all layers, and test builds do not optimise them.
function(isobath_add_layer name)
  cmake_parse_arguments(layer "FILE_BY_FILE;WIRING" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_library(isobath_${name} STATIC ${layer_SOURCES})
  add_library(isobath::${name} ALIAS isobath_${name})
  target_include_directories(isobath_${name} PUBLIC "${PROJECT_SOURCE_DIR}/engine")
  target_compile_features(isobath_${name} PUBLIC cxx_std_20)
  target_compile_definitions(isobath_${name} PUBLIC $<$<BOOL:${ISOBATH_ASSERTIONS}>:ISOBATH_ASSERTIONS>)
  target_link_libraries(isobath_${name}
    PUBLIC OpenMP::OpenMP_CXX isobath_sanitizers ${layer_LIBRARIES}
    PRIVATE isobath_warnings)
  if(layer_WIRING OR (ISOBATH_QUICK_TEST_BUILD AND NOT layer_FILE_BY_FILE))
    set_target_properties(isobath_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  if(layer_WIRING AND ISOBATH_QUICK_TEST_BUILD)
    target_compile_options(isobath_${name} PRIVATE -O0)
  endif()
  foreach(dependency IN LISTS layer_DEPENDS)
    target_link_libraries(isobath_${name} PUBLIC isobath::${dependency})
  endforeach()
endfunction()
