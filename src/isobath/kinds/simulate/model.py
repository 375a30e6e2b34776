# SPDX-License-Identifier: Apache-2.0
"""What a simulation found, as it is stored (simulation.json) and printed by show --json."""

from typing import Literal

from isobath.simulation.platform import Source, Topology
from isobath.study.findings import Facts, Findings


class PlatformFacts(Facts):
    """What it was simulated on."""

    name: str
    title: str
    topology: Topology
    nodes: int
    """of the platform; ranks may be on fewer"""
    bytes_per_second: float
    """of a link, in each direction"""
    latency_seconds: float
    """of a link"""
    overhead_seconds: float
    """of a rank, for each message sent and each received"""
    segments: int = 0
    """of sizes, in which messages cost their ranks what was measured; 0: the overhead of each"""
    source: Source
    """where the numbers are from"""
    told: str
    digest: str
    """SHA-256 of the platform and what messages cost there, as SimGrid read it"""


class StepFacts(Facts):
    """All calls of one kind in one phase of one level. Counts and bytes are sums over ranks."""

    level: int
    """-1 outside of levels"""
    phase: str
    call: str
    """compute is no call"""
    communicator: str
    calls: int
    messages: int
    bytes_sent: int
    simulated_seconds_mean: float
    """over ranks"""
    simulated_seconds_max: float
    """of the slowest rank, added up over calls"""
    measured_seconds_max: float | None
    """of the run that it is of; null where nothing was run"""


class SimulationResult(Facts):
    """simulation.json."""

    run: str
    """the study that its counts are of; empty where they are closed forms"""
    search: int | None
    engine: bool = False
    """the engine itself searched and validated; else its calls were played"""
    plan: str
    exchange: str
    scale: int
    grid: str
    ranks: int
    nodes: int
    ranks_per_node: int
    mapping: Literal["columns", "rows"]
    algorithms: str
    """whose rules chose algorithms of collectives"""
    platform: PlatformFacts
    simgrid: str
    """its version"""
    flows: int
    """messages that were expected to be carried, inner ones of collectives included; of the engine
    itself nobody expects any: 0"""
    simulated_seconds: float
    """of the search, from the first step to the end of the last rank"""
    simulated_gteps: float | None
    """null where nothing was computed"""
    measured_seconds: float | None
    """of the search in the run"""
    took_seconds: float
    """of this machine, to simulate it"""
    took_bytes: int
    """of memory, the most that was seen; what is mapped several times counts once"""
    notes: list[str]
    """what is not as in a search"""
    problems: list[str]
    """of the run: what was not as it was sealed"""
    steps: list[StepFacts]


class SimulationFindings(Findings, SimulationResult):
    """A simulation. Every time is simulated unless its name says measured or took."""

    kind: Literal["simulate"]
