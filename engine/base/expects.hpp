// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

namespace isobath {

/// What ISOBATH_EXPECTS does where its condition does not hold. A function of its own keeps strings and
/// exceptions out of files compiled for one instruction set: of what is compiled there, too, and not inlined,
/// the linker takes one for all.
/// @throws InternalError always
[[noreturn]] void expectation_failed(const char* file, int line, const char* expected);

}  // namespace isobath

/// Precondition at the border of a layer; always checked.
#define ISOBATH_EXPECTS(condition) \
  ((condition) ? static_cast<void>(0) : ::isobath::expectation_failed(__FILE__, __LINE__, #condition))

/// Internal fact; checked where ISOBATH_ASSERTIONS is defined.
#ifdef ISOBATH_ASSERTIONS
#define ISOBATH_ASSERT(condition) ISOBATH_EXPECTS(condition)
#else
#define ISOBATH_ASSERT(condition) static_cast<void>(0)
#endif
