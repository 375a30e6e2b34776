// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

/// Precondition at the border of a layer; always checked.
#define ISOBATH_EXPECTS(condition)                                                                       \
  ((condition) ? static_cast<void>(0)                                                                    \
               : throw ::isobath::InternalError(std::string(__FILE__) + ":" + std::to_string(__LINE__) + \
                                                ": expected " #condition "; please report this"))

/// Internal fact; checked where ISOBATH_ASSERTIONS is defined.
#ifdef ISOBATH_ASSERTIONS
#define ISOBATH_ASSERT(condition) ISOBATH_EXPECTS(condition)
#else
#define ISOBATH_ASSERT(condition) static_cast<void>(0)
#endif
