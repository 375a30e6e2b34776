# SPDX-License-Identifier: Apache-2.0
"""Expected bytes of delta-compressed lists and packed proposals (engine/bfs/proposal_codec.hpp).

Ascending numbers are kept as differences less one, 7 bits to a byte. Of k numbers spread evenly
over N, a difference less one is geometric: it exceeds x with probability (1 - k/N)^(x+1).
"""

LEAST_FOR_BYTES = (1 << 7, 1 << 14, 1 << 21, 1 << 28)
"""From these values on a number takes one byte more."""


def number_bytes(value: float) -> int:
    """Bytes of one number, 7 bits each.

    >>> number_bytes(127), number_bytes(128)
    (1, 2)
    """
    return 1 + sum(value >= least for least in LEAST_FOR_BYTES)


def list_bytes(count: float, out_of: float) -> float:
    """Expected bytes of ``count`` ascending numbers below ``out_of``."""
    if count <= 0 or out_of <= 0:
        return 0.0
    gap = max(0.0, 1 - count / out_of)
    return float(count * (1 + sum(gap**least for least in LEAST_FOR_BYTES)))


def source_bits(column_vertices: int) -> int:
    """Bits of a source, counted from the first vertex of its grid column."""
    return max(0, column_vertices - 1).bit_length()


def proposals_bytes(count: float, out_of: float, bits: int) -> float:
    """Expected bytes of one parcel: how many, targets as a list, sources in so many bits each."""
    if count <= 0:
        return 0.0
    parcels = min(1.0, count)  # of less than one proposal, most parcels are not there
    return (
        parcels * number_bytes(count) + list_bytes(count, out_of) + (count * bits) / 8 + parcels / 2
    )
