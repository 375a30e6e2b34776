# SPDX-License-Identifier: Apache-2.0
"""Parcels that go with their lengths (engine/comm/messages/eager_messages.hpp).

Each rank of a small group sends each other one message: 8 bytes of length, and behind them the
parcel where it is short. A long one follows by itself. In larger groups lengths go first.
"""

MOST_RANKS = 16
"""of a group whose ranks all write to each other; among more, a library tells lengths"""

MOST_BYTES = 4096
"""of a parcel that goes with its length"""


def goes_with_length(parcel: float) -> bool:
    """Whether a parcel of so many bytes is short."""
    return parcel <= MOST_BYTES


def write_to_all(ranks: int) -> bool:
    """Whether a group is so small that all write to each other."""
    return ranks <= MOST_RANKS
