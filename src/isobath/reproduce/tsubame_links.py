# SPDX-License-Identifier: Apache-2.0
"""TSUBAME 2.0's fat tree: what its nodes can send at most."""

from isobath.costmodel.fat_tree import FatTree

RAIL_BYTES = 6.4e9
"""a second of two rails, from literature: 3.2 GB/s each by MPI"""

TREE = FatTree((16, 88), (1, 6), (1, 3))
"""of a rail, consistent with port counts; from literature"""


def all_to_all_bound(nodes: int) -> float:
    """Bytes a second that a node can send at most: its rails, and the busiest cable of the tree.

    Whole leaves of 16 nodes; 18 cables leave a leaf.
    """
    leaf, cables = TREE.down[0], TREE.up[1] * TREE.cables[1]
    busiest_cable = leaf * (nodes - leaf) / cables if nodes > leaf else 0.0
    return RAIL_BYTES * (nodes - 1) / max(nodes - 1, busiest_cable)
