// SPDX-License-Identifier: Apache-2.0
#include "generator/edge_kernel.hpp"
namespace isobath {
EdgeKernel avx2_edge_kernel() { return portable_edge_kernel(); }
}  // namespace isobath
