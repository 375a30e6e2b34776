# SPDX-License-Identifier: Apache-2.0
add_library(isobath_warnings INTERFACE)
target_compile_options(isobath_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wcast-qual
  -Wcast-align -Wdouble-promotion -Wundef
  $<$<BOOL:${ISOBATH_WERROR}>:-Werror>)
