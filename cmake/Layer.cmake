# SPDX-License-Identifier: Apache-2.0
# isobath_add_layer(name SOURCES a.cpp ... [DEPENDS layer ...] [LIBRARIES target ...])
# The only way to add a library: one static library per layer, linked to the layers named and to no other,
# so that a call against the direction of the layers fails to link.
function(isobath_add_layer name)
  cmake_parse_arguments(layer "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_library(isobath_${name} STATIC ${layer_SOURCES})
  add_library(isobath::${name} ALIAS isobath_${name})
  target_include_directories(isobath_${name} PUBLIC "${PROJECT_SOURCE_DIR}/engine")
  target_compile_features(isobath_${name} PUBLIC cxx_std_20)
  target_compile_definitions(isobath_${name} PUBLIC $<$<BOOL:${ISOBATH_ASSERTIONS}>:ISOBATH_ASSERTIONS>)
  target_link_libraries(isobath_${name}
    PUBLIC OpenMP::OpenMP_CXX isobath_sanitizers ${layer_LIBRARIES}
    PRIVATE isobath_warnings)
  foreach(dependency IN LISTS layer_DEPENDS)
    target_link_libraries(isobath_${name} PUBLIC isobath::${dependency})
  endforeach()
endfunction()
