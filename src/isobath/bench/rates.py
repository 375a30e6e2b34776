# SPDX-License-Identifier: Apache-2.0
"""Rates with their names. A bandwidth without a name does not occur."""

from isobath.bench.measured import MeasuredCell

K_COMPUTER = "K computer throughput"
"""size times nodes by seconds (``k_throughput``), as the K computer report defines it for
allgather, gather, scatter and alltoall; for the others the same formula is this project's choice"""

BUS = "bus bandwidth"
"""wire bytes by seconds: what the busiest rank had to send or receive at least"""

ALGORITHM = "algorithm bandwidth"
"""bytes that one rank contributes, by seconds"""


def bus_bandwidth(measured: MeasuredCell) -> float:
    """Bytes per second."""
    return measured.wire_bytes / measured.seconds


def algorithm_bandwidth(measured: MeasuredCell) -> float:
    """Bytes per second."""
    return measured.first.bytes_per_rank / measured.seconds
