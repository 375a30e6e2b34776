// SPDX-License-Identifier: Apache-2.0
// Where the processor family has no AVX-512.
#include "sssp/path_steps.hpp"

namespace isobath {

const PathSteps& path_steps_avx512() { return path_steps_portable; }

}  // namespace isobath
