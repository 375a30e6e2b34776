# SPDX-License-Identifier: Apache-2.0
"""SimGrid of this machine: is it here; one supervised simulation, from start to a known end."""

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.exit_status import Said, trouble_of
from isobath.launch.heartbeat import Pulse, RankState
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Limits
from isobath.launch.mpi_library import inventory
from isobath.launch.plain_run import PlainOutcome
from isobath.launch.processes import is_alive
from isobath.launch.start_up import StartUp
from isobath.launch.supervised import Ended, Launch, OnInterrupt, supervise
from isobath.launch.watchdog import Trouble

PROGRAM = "isobath-skeleton-smpi"
ENGINE = "isobath-graph500-smpi"
ARC_SECONDS = "ISOBATH_ARC_SECONDS"
"""what a rank of the engine computes for each arc (engine/base/simulated_clock.cpp)"""

MESSAGE_COSTS = "ISOBATH_MESSAGE_COSTS"
"""what messages cost ranks within a node and between two (engine/skeleton/message_costs.hpp)"""

END_WITH_SMPIRUN = "setpriv --pdeathsig KILL"
"""smpirun, a shell script, would leave the simulator behind when it is killed"""
LOOK_SECONDS = 0.5
"""between two looks at its memory"""

SIMULATOR = b"smpimain"
"""the process that smpirun, a shell script, starts"""
INSTALL = "apt-get install libsimgrid-dev, then ./isobath setup"
WITHOUT_SETPRIV = "setpriv is not here, without which a simulation that is killed would go on"
INSTALL_SETPRIV = "apt-get install util-linux"
CRITICAL = re.compile(r"^\[[^\]]*\] (?:\S+ )?\[[\w/]+/CRITICAL\] (?P<why>.+)$", re.M)
"""How SimGrid says what is wrong with a platform."""


@dataclass(frozen=True)
class SimGrid:
    """What simulates."""

    version: str
    smpirun: str
    skeleton: Path

    @property
    def engine(self) -> Path:
        """Beside it. Raises: EnvironmentProblem where it is not built."""
        program = self.skeleton.with_name(ENGINE)
        if not program.is_file():
            raise EnvironmentProblem(f"{ENGINE} is not built; build it: ./isobath setup")
        return program


def simgrid_version() -> str | None:
    """As smpirun says it; None where there is none."""
    smpirun = shutil.which("smpirun")
    if smpirun is None:
        return None
    done = subprocess.run([smpirun, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r"version ([\d.]+)", done.stdout)
    return version[1] if version else "of unknown version"


def has_setpriv() -> bool:
    """Whether what ends a simulator with its smpirun is here."""
    return shutil.which(END_WITH_SMPIRUN.split(maxsplit=1)[0]) is not None


def find_simgrid() -> SimGrid:
    """Raises: EnvironmentProblem where it is not here, or the skeleton is not built for it."""
    version = simgrid_version()
    if version is None:
        raise EnvironmentProblem(f"smpirun of SimGrid is not here; on Debian: {INSTALL}")
    if not has_setpriv():
        raise EnvironmentProblem(f"{WITHOUT_SETPRIV}; {INSTALL_SETPRIV}")
    for library in inventory(Installation.here()):
        if library.build_dir is not None:
            program = library.build_dir / "bin" / PROGRAM
            if program.is_file():
                return SimGrid(version, shutil.which("smpirun") or "smpirun", program)
    raise EnvironmentProblem(f"{PROGRAM} is not built; build it: ./isobath setup")


@dataclass(frozen=True)
class EngineWords:
    """What the engine is asked, in the place of a schedule that is played."""

    words: tuple[str, ...]
    records: Path
    arc_seconds: float
    """that a rank computes for each arc it scans"""


@dataclass(frozen=True)
class Simulation:
    """What is simulated, in files."""

    schedule: Path
    platform: Path
    hosts: Path
    ranks: int
    options: Sequence[str]
    run_id: str
    engine: EngineWords | None = field(default=None, kw_only=True)
    """none: the skeleton plays the schedule"""
    message_costs: str = field(default="", kw_only=True)
    """of a platform that has other costs within a node; empty where options tell them"""

    def line(self, simgrid: SimGrid) -> LaunchLine:
        """What starts it. Raises: EnvironmentProblem for a folder that smpirun cannot name."""
        program = simgrid.engine if self.engine else simgrid.skeleton
        for path in (self.schedule, program):
            if any(letter.isspace() for letter in str(path)):
                raise EnvironmentProblem(
                    f"{path.parent} has a space in its name, which smpirun breaks at; name another "
                    "folder with --store, or --prefix for the build"
                )
        return LaunchLine(
            (
                simgrid.smpirun, "-np", str(self.ranks), "-platform", str(self.platform),
                "-hostfile", str(self.hosts), "-wrapper", END_WITH_SMPIRUN, "-no-privatize",
                str(program), *self._words(), "--run-id", self.run_id, *self.options,
            ),
            ({ARC_SECONDS: repr(self.engine.arc_seconds)} if self.engine else {})
            | {MESSAGE_COSTS: self.message_costs},  # empty, too: a shell may have others
        )  # fmt: skip

    def _words(self) -> tuple[str, ...]:
        if self.engine is None:
            return (str(self.schedule),)
        return (*self.engine.words, "--record", str(self.engine.records))


def simulate(
    simulation: Simulation,
    simgrid: SimGrid,
    *,
    stdout: Path,
    stderr: Path,
    limits: Limits,
    interrupts: Stop,
) -> tuple[PlainOutcome, int]:
    """Runs it and waits. All ranks are one process, which writes at its end alone.

    Returns: how it ended, and the most memory that it was seen to have.
    Raises: EnvironmentProblem where it cannot be started or a file cannot be written.
    """
    line = simulation.line(simgrid)
    launch = Launch(
        line, limits, interrupts, OnInterrupt.END, has_heartbeat=False, stdout=stdout,
        stderr=stderr, owns=lambda _: True,
    )  # fmt: skip
    watched: list[_Simulator] = []

    def pulse(start_up: StartUp) -> Pulse:
        watched.append(_Simulator(start_up))
        return watched[0]

    ended = supervise(launch, pulse, lambda _: False)
    return _outcome(ended, line, stdout, stderr), watched[0].most_bytes


def _outcome(ended: Ended, line: LaunchLine, stdout: Path, stderr: Path) -> PlainOutcome:
    elapsed = ended.elapsed_seconds
    if ended.interrupted:
        return PlainOutcome(ExitCode.ENVIRONMENT, "interrupted", elapsed, interrupted=True)
    trouble = trouble_of(ended, line.launcher_name, Said(stdout, stderr))
    if trouble is None:
        return PlainOutcome(ExitCode.DONE, "", elapsed)
    why = CRITICAL.search(_text(stderr))
    if ended.trouble is None and why is not None:
        sentence = f"SimGrid refused it: {why['why'].strip()}; its words are in {stderr}"
        trouble = Trouble(sentence, ExitCode.ENVIRONMENT)
    return PlainOutcome(trouble.exit_code, trouble.message, elapsed, trouble=trouble)


class _Simulator:
    """The simulator as one rank, which goes on as long as it uses the processor."""

    def __init__(self, start_up: StartUp) -> None:
        self._start_up = start_up
        self._pid = 0
        self._looked = 0.0
        self.most_bytes = 0

    def read(self) -> list[RankState]:
        """Its processor time is its progress."""
        if not self._pid or not is_alive(self._pid):
            pids = [pid for pid in self._start_up.look() if _is_simulator(pid)]
            self._pid = pids[0] if pids else 0
        now = time.monotonic()
        if self._pid and now - self._looked > LOOK_SECONDS:
            self._looked = now
            self.most_bytes = max(self.most_bytes, _memory(self._pid))
        return [RankState(rank=0, pid=self._pid, progress=_ticks(self._pid))] if self._pid else []

    def request_stop(self) -> None:
        """It hears signals alone."""


def _is_simulator(pid: int) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    programs = (PROGRAM.encode(), ENGINE.encode())
    return len(words) > 1 and words[0].endswith(SIMULATOR) and words[1].endswith(programs)


def _memory(pid: int) -> int:
    """Bytes of its own: what it maps a thousand times is there once."""
    try:
        told = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    size = re.search(r"^Pss:\s+(\d+) kB", told, re.M)
    return 1024 * int(size[1]) if size else 0


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
