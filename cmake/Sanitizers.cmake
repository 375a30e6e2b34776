# SPDX-License-Identifier: Apache-2.0
add_library(isobath_sanitizers INTERFACE)
if(ISOBATH_SANITIZE)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(isobath_sanitizers INTERFACE ${flags})
  target_link_options(isobath_sanitizers INTERFACE ${flags})
endif()
