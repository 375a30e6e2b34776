# SPDX-License-Identifier: Apache-2.0
"""What several tables say of a cell; empty where it is not known."""

from isobath.report.race_cell import RacedCell
from isobath.report.wording import percent
from isobath.units import format_bytes


def bytes_of_rank(cell: RacedCell) -> str:
    """Bytes that a rank sends in a search, mean."""
    sent = cell.result.bytes_per_rank
    return "" if sent is None else format_bytes(sent.value)


def share_in_mpi(cell: RacedCell) -> str:
    """Share of a search that a rank is in MPI."""
    share = cell.result.mpi_share
    return "" if share is None else percent(share)


def memory_of(cell: RacedCell) -> str:
    """Peak memory of all ranks."""
    return "" if cell.peak_bytes is None else format_bytes(cell.peak_bytes)


def audit_of(cell: RacedCell) -> str:
    """Whether every byte is as expected."""
    return "" if cell.audited is None else "equal" if cell.audited else "UNEQUAL"
