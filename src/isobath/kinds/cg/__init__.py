# SPDX-License-Identifier: Apache-2.0
"""bench cg: conjugate gradients against pipelined ones, on bilinear elements."""
