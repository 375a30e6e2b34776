# SPDX-License-Identifier: Apache-2.0
"""Latency between made-up nodes: by the kernel's netem, or by isobath-delay where it has none.

isobath-delay is one process. It stands where the bridge of the nodes would: it reads what comes
from a node, keeps it until it is due and writes it to the interface of its receiver (ADR 0045).
"""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.links import NETEM, QUEUE_PACKETS
from isobath.launch.mpi_library import known_libraries

PROGRAM = "isobath-delay"
REAL_TIME = "real-time"
"""The priority of a program that runs before all others."""

END_SECONDS = 20.0
"""It looks at its input at least as often as a frame is due; then it ends at once."""

NO_NETEM = "this kernel cannot add latency to a link (it has no netem)"


@dataclass
class Latency:
    """What adds the latency between made-up nodes. Counts are known when the nodes have ended."""

    by: str
    """netem or isobath-delay"""
    microseconds: int
    """added from node to node, one way"""
    priority: str = ""
    """of isobath-delay: real-time, high or usual"""
    passed_frames: int | None = None
    lost_frames: int | None = None
    processor_seconds: float | None = None
    """of isobath-delay, which the ranks did not have"""
    late_us: dict[str, int] | None = None
    """microseconds after their time at which frames went on: median, p99, most"""
    ended_early: bool | None = None
    """isobath-delay ended before the nodes did: nothing passed from then on"""

    def facts(self) -> dict[str, Any]:
        """For environment.json; what is not known is absent."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}

    def note(self) -> str:
        """For people, in run.json."""
        words = f"latency of {self.microseconds} us between nodes by {self.by}"
        if self.by == NETEM:
            return words
        words += ": this kernel has no netem, and it takes processor time from the ranks"
        if self.processor_seconds is not None:
            words += f" ({self.processor_seconds:.2f} s)"
        if self.priority != REAL_TIME:
            words += "; it may not run before them, so it is late where they use all processors"
        if self.late_us is not None:
            words += f"; frames went on {self.late_us['median']} us late (median)"
        if self.ended_early:
            words += "; IT ENDED BEFORE THE NODES DID"
        if self.lost_frames:
            words += f"; LOST {self.lost_frames} frames, which TCP sent again"
        return words


class DelayLine:
    """isobath-delay while it runs. It ends with its standard input, so with us, however we end."""

    def __init__(self, entered: Sequence[str], ports: Sequence[str], latency: Latency) -> None:
        """Starts it. Args: entered is what runs a command in the namespace of the ports.

        Raises: EnvironmentProblem where it is not built, or cannot stand there.
        """
        limits = ["--latency-us", str(latency.microseconds), "--limit", str(QUEUE_PACKETS)]
        self._latency = latency
        # A session of its own: a Ctrl-C on the terminal is not for it.
        self.process = subprocess.Popen(
            [*entered, str(delay_program()), *limits, *ports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        try:
            latency.priority = str(json.loads(self.process.stdout.readline())["priority"])
        except (ValueError, TypeError, KeyError):
            self.process.kill()
            _, said = self.process.communicate()
            words = (said.strip().splitlines() or ["it said nothing"])[-1]
            raise EnvironmentProblem(
                f"{NO_NETEM}, and what does it instead does not work ({words}); leave the latency "
                "out of the transport"
            ) from None

    def close(self) -> None:
        """Ends it and learns what became of the frames."""
        self._latency.ended_early = self.process.poll() is not None
        try:
            out, _ = self.process.communicate("", timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, _ = self.process.communicate()
        try:
            told = json.loads(out)
            self._latency.passed_frames = int(told["passed"])
            self._latency.lost_frames = int(told["lost_waiting"]) + int(told["lost_at_interfaces"])
            self._latency.processor_seconds = float(told["processor_seconds"])
            self._latency.late_us = {name: int(told["late_us"][name]) for name in told["late_us"]}
        except (ValueError, TypeError, KeyError):
            return  # it was killed: then nothing is known


def delay_program() -> Path:
    """Where it is: any build has it, as it knows no MPI.

    Raises: EnvironmentProblem where none has.
    """
    for library in known_libraries(Installation.here()):
        try:
            return library.program(PROGRAM)
        except EnvironmentProblem:
            continue
    raise EnvironmentProblem(
        f"{NO_NETEM}, and {PROGRAM}, which does it instead, is not built; build it: "
        "./isobath setup, or leave the latency out of the transport"
    )
