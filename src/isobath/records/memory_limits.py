# SPDX-License-Identifier: Apache-2.0
"""What the memory of a machine gives, as isobath-limits measured it; kept in environment.json."""

from pydantic import Field

from isobath.records.record import Part
from isobath.units import Bytes

ENVIRONMENT_KEY = "memory_limits"
"""under which the facts of a node have them"""


class MemoryRates(Part):
    """Of all threads together, on an array of one size."""

    bytes: Bytes = Field(gt=0)
    read_bytes_per_second: float = Field(gt=0)
    """in order"""
    write_bytes_per_second: float = Field(gt=0)
    """in order"""
    random_reads_per_second: float = Field(gt=0)
    """of 4 bytes, at addresses that do not depend on each other"""


class MemoryLimits(Part):
    """Rates by size, the smallest first."""

    threads: int = Field(ge=1)
    rates: tuple[MemoryRates, ...] = Field(min_length=1)
    hostname: str
    cpu_model: str
    measured_at: float
    """Unix time in seconds"""
    load: float = Field(ge=0)
    """processes of others that wanted a processor meanwhile"""

    def at(self, size: Bytes) -> MemoryRates:
        """Rates of the smallest array measured that is not smaller; of the largest beyond."""
        return next((rates for rates in self.rates if rates.bytes >= size), self.rates[-1])
