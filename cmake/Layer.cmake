# SPDX-License-Identifier: Apache-2.0
# isobath_add_layer(name SOURCES a.cpp ... [DEPENDS layer ...] [LIBRARIES target ...] [FILE_BY_FILE] [WIRING]
#     [MACHINE_SOURCES a.cpp ...] [MACHINE_DEPENDS layer ...] [SIMULATED_SOURCES a.cpp ...])
# The only way to add a library: one static library per layer, linked to the layers named and to no other,
# so that a call against the direction of the layers fails to link.
# FILE_BY_FILE: its files use the same names of their own, so that no build compiles several at a time.
# WIRING: no kernels, and headers that take longer than the code: every build compiles several files at a time, as test
# builds do with all layers, and test builds do not optimise them.
# MACHINE_..., SIMULATED_SOURCES: what a layer is made of on machines alone, and where it is simulated (Simulated.cmake).
# Sets layer_targets: the library, and that of the simulated engine where there is one.
function(isobath_add_layer name)
  cmake_parse_arguments(layer "FILE_BY_FILE;WIRING" ""
    "SOURCES;DEPENDS;LIBRARIES;MACHINE_SOURCES;MACHINE_DEPENDS;SIMULATED_SOURCES" ${ARGN})
  add_library(isobath_${name} STATIC ${layer_SOURCES} ${layer_MACHINE_SOURCES})
  add_library(isobath::${name} ALIAS isobath_${name})
  target_link_libraries(isobath_${name} PUBLIC OpenMP::OpenMP_CXX isobath_sanitizers ${layer_LIBRARIES})
  foreach(dependency IN LISTS layer_DEPENDS layer_MACHINE_DEPENDS)
    target_link_libraries(isobath_${name} PUBLIC isobath::${dependency})
  endforeach()
  set(targets isobath_${name})
  if(name IN_LIST ISOBATH_SIMULATED_LAYERS)
    set(one_by_one "")
    if(layer_FILE_BY_FILE)
      set(one_by_one FILE_BY_FILE)
    endif()
    isobath_add_simulated_layer(${name} ${one_by_one} SOURCES ${layer_SOURCES} ${layer_SIMULATED_SOURCES}
      DEPENDS ${layer_DEPENDS} LIBRARIES ${layer_LIBRARIES})
    list(APPEND targets isobath_${name}_smpi)
  endif()
  foreach(target IN LISTS targets)
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/engine")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_definitions(${target} PUBLIC $<$<BOOL:${ISOBATH_ASSERTIONS}>:ISOBATH_ASSERTIONS>)
    target_link_libraries(${target} PRIVATE isobath_warnings)
    if(ISOBATH_QUICK_TEST_BUILD AND NOT layer_FILE_BY_FILE)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
    elseif(layer_WIRING)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    endif()
    if(layer_WIRING AND ISOBATH_QUICK_TEST_BUILD)
      target_compile_options(${target} PRIVATE -O0)
    endif()
  endforeach()
  isobath_precompile(isobath_${name} engine)
  set(layer_targets ${targets} PARENT_SCOPE)
endfunction()
