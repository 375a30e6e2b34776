# SPDX-License-Identifier: Apache-2.0
"""One run of benchmarks/hangs.py: started, waited for, and judged where it does not end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hang_cases import Case, Seeded

from isobath.launch.heartbeat import Heartbeat, RankState
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.processes import PROC, descendants, is_alive, send
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.with_parent import end_with_parent

KEYS = 4
HANG_SECONDS = 120.0
LONGEST_SECONDS = 600.0
LOOK_SECONDS = 30.0
LATE = "late"
"""How a run ended at which nobody looked when its limit was over."""
LEVEL_PHASES = {"components", "top_down", "fold"}
"""Those in which ranks scan and send; labelling the components is a search too"""

POLL_SECONDS = 0.02
DELAYED_SECONDS = {10: 1.0, 14: 2.0, 18: 4.0}
"""How long the delays hold up one thread in all, by scale."""


@dataclass(frozen=True)
class Rank:
    """What a rank has done so far: processor time, and where its heartbeat says it is."""

    nanoseconds: int
    place: tuple[int, int, str]
    """search, level, phase"""


def line_of(mpi: MpiLibrary, program: Path, case: Case, arguments: list[str]) -> LaunchLine:
    """Two ranks as a person starts them who was told to let threads spin; more as isobath run."""
    if case.ranks == 2:
        command = (mpi.mpiexec, "-n", "2", str(program), *arguments)
        return LaunchLine(command, {"OMP_WAIT_POLICY": "active", "FI_PROVIDER": "tcp"})
    cpus = len(os.sched_getaffinity(0))
    return launch_line(mpi, program, arguments, ranks=case.ranks, threads=case.threads, cpus=cpus)


def with_delays(line: LaunchLine, program: Path, delays: Path, run: Seeded) -> LaunchLine:
    """The same, its ranks with the delays of this seed; the launcher itself has none."""
    at = line.command.index(str(program))
    own = [
        f"LD_PRELOAD={delays}",
        f"ISOBATH_DELAYS_SEED={run.seed}",
        f"ISOBATH_DELAYS_MOST_SECONDS={DELAYED_SECONDS[run.case.scale]}",
    ]
    command = (*line.command[:at], "env", *own, *line.command[at:])
    return LaunchLine(command, line.environment, line.launcher)


def run_seed(mpi: MpiLibrary, program: Path, delays: Path, run: Seeded) -> dict[str, Any]:
    """How the run ends. What is over the limit and does not merely spin gets one longer one."""
    first = _run(mpi, program, delays, run, HANG_SECONDS)
    if first["end"] not in ("slow", LATE):
        return first
    again = _run(mpi, program, delays, run, LONGEST_SECONDS)
    looked = {"looked": first["looked"]} if "looked" in first else {}
    return again | {"repeated_after": first["seconds"]} | looked


def _run(mpi: MpiLibrary, program: Path, delays: Path, run: Seeded, limit: float) -> dict[str, Any]:
    case = run.case
    with tempfile.TemporaryDirectory(prefix="isobath-hangs-") as place:
        folder = Path(place)
        records, said = folder / "records.jsonl", folder / "said"
        heartbeat = Heartbeat.create(folder / "heartbeat", case.ranks)
        words = ["--plan", case.plan, "--scale", str(case.scale), "--threads", str(case.threads)]
        words += ["--grid", case.grid, "--keys", str(KEYS), "--record", str(records)]
        words += ["--heartbeat", str(heartbeat.path)]
        line = with_delays(line_of(mpi, program, case, words), program, delays, run)
        shared_memory = SharedMemory.look()
        began = time.monotonic()
        with said.open("wb") as out:
            process = subprocess.Popen(
                line.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, **line.environment},
                start_new_session=True,
                preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
            )
        try:
            while process.poll() is None and time.monotonic() - began < limit:
                pause(process)
            seconds = round(time.monotonic() - began, 2)
            if process.poll() is None:
                return {"seconds": seconds} | _judge(heartbeat)
        finally:
            _end(process, heartbeat)
            shared_memory.clean()
        ending = judge_ending(process.returncode, records, said)
        return {"seconds": seconds} | in_time(ending, seconds, limit)


def pause(_: subprocess.Popen[bytes]) -> None:
    """Until the run is looked at again."""
    time.sleep(POLL_SECONDS)


def _end(process: subprocess.Popen[bytes], heartbeat: Heartbeat) -> None:
    """Nothing of the run survives this."""
    if process.poll() is not None:
        return
    pids = {process.pid, *descendants(process.pid)}
    pids |= {state.pid for state in heartbeat.read() if state.pid}
    send(pids, signal.SIGKILL)
    process.wait()
    while any(is_alive(pid) for pid in pids):
        time.sleep(POLL_SECONDS)


def in_time(ending: dict[str, Any], seconds: float, limit: float) -> dict[str, Any]:
    """The ending, or late where nobody looked at the run when its limit was over.

    A machine that sleeps, or this program stopped, lets a run end unseen long after its limit.
    """
    is_late = ending["end"] == "done" and seconds > limit
    return {"end": LATE} if is_late else ending


def judge_ending(status: int, records: Path, said: Path) -> dict[str, Any]:
    """Done is: every search there, and passed by its validation."""
    with contextlib.suppress(OSError, ValueError):
        found = [json.loads(line) for line in records.read_bytes().splitlines()]
        searches = [one for one in found if one["kind"] == "search" and not one["warmup"]]
        right = [one for one in searches if (one.get("validation") or {}).get("passed") is True]
        if status == 0 and len(searches) == len(right) == KEYS:
            return {"end": "done"}
    words = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    return {"end": "failed", "status": status, "said": words[0] if words else ""}


def _judge(heartbeat: Heartbeat) -> dict[str, Any]:
    """Looks at a run that is not over twice, and says what it saw."""
    before = _look(heartbeat.read())
    time.sleep(LOOK_SECONDS)
    states = heartbeat.read()
    after = _look(states)
    looked = [
        f"{state.describe()}, threads {_letters(state.pid)}, "
        f"{(after[state.rank].nanoseconds - before[state.rank].nanoseconds) / 1e9:.2f} s"
        for state in states
        if state.rank in before and state.rank in after
    ]
    spins = only_spins(before, after, heartbeat.ranks)
    return {"end": "hang" if spins else "slow", "looked": looked}


def only_spins(before: dict[int, Rank], after: dict[int, Rank], ranks: int) -> bool:
    """Whether all ranks took processor time and none got anywhere, while one was inside a level.

    Elsewhere, in validation above all, a rank on a busy machine may stay for long where it is.
    """
    if set(before) != set(range(ranks)) or set(after) != set(before):
        return False
    stands = all(after[rank].place == before[rank].place for rank in before)
    spends = all(after[rank].nanoseconds > before[rank].nanoseconds for rank in before)
    searches = any(rank.place[2] in LEVEL_PHASES for rank in after.values())
    return stands and spends and searches


def _look(states: list[RankState]) -> dict[int, Rank]:
    """The ranks that are there."""
    found = {}
    for state in states:
        nanoseconds = _processor_nanoseconds(state.pid) if state.pid else None
        if nanoseconds is not None:
            found[state.rank] = Rank(nanoseconds, (state.search, state.level, state.phase))
    return found


def _processor_nanoseconds(pid: int) -> int | None:
    """Time that all threads of a process have had a processor; None where it is gone."""
    try:
        tasks = list((PROC / str(pid) / "task").iterdir())
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)
    except (OSError, ValueError, IndexError):
        return None


def _letters(pid: int) -> str:
    """States of the threads as in ps, sorted; R is running."""
    found = []
    with contextlib.suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            found.append((task / "stat").read_text().rpartition(")")[2].split()[0])
    return "".join(sorted(found))
