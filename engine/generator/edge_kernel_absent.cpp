// SPDX-License-Identifier: Apache-2.0
#include "generator/edge_kernel.hpp"

// Built for processor families that have neither instruction set; is_supported() keeps callers away from
// these.

namespace isobath {

EdgeKernel avx2_edge_kernel() { return portable_edge_kernel(); }
EdgeKernel avx512_edge_kernel() { return portable_edge_kernel(); }

}  // namespace isobath
