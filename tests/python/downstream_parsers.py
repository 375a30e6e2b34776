# SPDX-License-Identifier: Apache-2.0
"""How others read the official text: equivalents of seven published parsing rules.

Each takes the text and returns the headline value it finds, or None.
"""

import re
from collections.abc import Callable

FLOAT = r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"

Rule = Callable[[str], float | None]


def jube(text: str) -> float | None:
    """FZJ-JSC/jubench-graph500: a literal text, then a number."""
    found = re.search(rf"bfs  harmonic_mean_TEPS:     !  ({FLOAT})", text)
    return float(found[1]) if found else None


def dcperf(text: str) -> float | None:
    """facebookresearch/DCPerf since 2026-05: any word that ends in _TEPS, bangs skipped."""
    found = dict(re.findall(r"(\w+_TEPS):[\s!]+(\d+\.?\d*(?:e[+-]?\d+)?)", text))
    value = found.get("harmonic_mean_TEPS") or found.get("bfs_harmonic_mean_TEPS")
    return float(value) if value else None


def dcperf_before(text: str) -> float | None:
    """facebookresearch/DCPerf before 2026-05: no bang, and an exponent or sign is needed."""
    found = dict(re.findall(r"(\w+_TEPS):\s+(\d+\.?\d*e?[+-]\d*)", text))
    value = found.get("harmonic_mean_TEPS") or found.get("bfs_harmonic_mean_TEPS")
    return float(value) if value else None


def ramble(text: str) -> float | None:
    """Ramble-Project/ramble: blanks where the reference has a bang."""
    found = re.search(rf"bfs\s+harmonic_mean_TEPS:\s+({FLOAT})", text)
    return float(found[1]) if found else None


def virtual_client(text: str) -> float | None:
    """microsoft/VirtualClient: bangs deleted, lines split at colons, names as in the reference."""
    cleaned = text.replace("!", "").replace("-nan", "")
    found: dict[str, str] = {}
    for line in cleaned.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            found[name.strip()] = value.strip()
    headline = found.get("bfs  harmonic_mean_TEPS")
    return float(headline) if headline else None


def benchkit(text: str) -> float | None:
    """open-s4c/benchkit: lines split at colons, bangs stripped, any name."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        parts = line.split(":")
        if len(parts) == 2:
            try:
                found[parts[0].strip()] = float(parts[1].strip().lstrip("!").strip())
            except ValueError:
                continue
    for name in ("bfs  harmonic_mean_TEPS", "bfs_harmonic_mean_TEPS"):
        if name in found:
            return found[name]
    return None


def ahug(text: str) -> float | None:
    """The AHUG ReFrame check, were it switched on: a line that another one comes before."""
    found = re.search(rf"\nbfs\s+harmonic_mean_TEPS:[\s!]+({FLOAT})", text)
    return float(found[1]) if found else None


READS_REFERENCE: dict[str, tuple[Rule, bool]] = {
    "JUBE": (jube, True),
    "DCPerf": (dcperf, True),
    "DCPerf before 2026-05": (dcperf_before, False),
    "Ramble": (ramble, False),
    "VirtualClient": (virtual_client, True),
    "benchkit": (benchkit, True),
    "AHUG": (ahug, True),
}
"""Who finds the headline in the reference's text, as it was tried on its real output."""

READS_SPECIFICATION: dict[str, tuple[Rule, bool]] = {
    "JUBE": (jube, False),
    "DCPerf": (dcperf, True),
    "DCPerf before 2026-05": (dcperf_before, True),
    "Ramble": (ramble, False),
    "VirtualClient": (virtual_client, False),
    "benchkit": (benchkit, True),
    "AHUG": (ahug, False),
}
"""Who finds it under the specification's name, the value written with an exponent."""
