// SPDX-License-Identifier: Apache-2.0
// Must not compile: a vertex becomes a number, and a number a vertex, by name only.
#include "base/vertex.hpp"

#ifdef ISOBATH_COUNTERPART
std::int64_t number(isobath::GlobalVertex v) { return isobath::raw(v); }
#else
std::int64_t number(isobath::GlobalVertex v) { return v; }
#endif
