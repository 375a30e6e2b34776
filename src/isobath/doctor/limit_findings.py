# SPDX-License-Identifier: Apache-2.0
"""What was measured of the machine's memory, a line for each size."""

from isobath.doctor.finding import Finding
from isobath.machine.load import is_busy
from isobath.records.memory_limits import MemoryLimits
from isobath.units import format_bytes


def limit_findings(limits: MemoryLimits) -> list[Finding]:
    """A warning where others were at work: then the machine gives more than was seen."""
    findings = [
        Finding(
            f"{format_bytes(rates.bytes)} array",
            "good",
            f"read {rates.read_bytes_per_second / 1e9:.3g} GB/s, "
            f"written {rates.write_bytes_per_second / 1e9:.3g} GB/s, "
            f"{rates.random_reads_per_second / 1e9:.2g} billion random reads a second "
            f"({limits.threads} threads)",
        )
        for rates in limits.rates
    ]
    if is_busy(limits.load, limits.threads):
        findings.append(
            Finding(
                "load",
                "warning",
                f"others wanted {limits.load:.1f} processors meanwhile, so the limits are too low",
                "./isobath doctor --limits on an idle machine",
            )
        )
    return findings
