# SPDX-License-Identifier: Apache-2.0
"""A run in the background, for tests that disturb it."""

import subprocess
import time
from collections.abc import Callable

from isobath.launch.heartbeat import Heartbeat, RankState
from isobath.store.folders import PARTIAL, RunFolder
from patience import patience
from signals import started
from system.laboratory import Laboratory

LONG = ("run", "--no-report", "--scale", "14", "--keys", "2000", "--threads", "1")


class Running:
    """A run in the background whose ranks can be seen."""

    def __init__(
        self,
        lab: Laboratory,
        *words: object,
        ranks: int = 2,
        wrapper: tuple[str, ...] = (),
        terminal: int | None = None,
    ) -> None:
        self.lab = lab
        self.ranks = ranks
        self.before = {run.run_id for run in lab.runs}
        self.process = started(
            [*wrapper, *lab.command(*LONG, "--ranks", ranks, *words)],
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=subprocess.PIPE if terminal is None else terminal,
            stderr=subprocess.PIPE if terminal is None else terminal,
            env=lab.environment(TERM="xterm"),
        )

    def states(self) -> list[RankState]:
        for path in (self.lab.prefix / "studies").glob(f"*{PARTIAL}/heartbeat.bin"):
            if path.parent.name.removesuffix(PARTIAL) not in self.before:
                return [s for s in Heartbeat(path, self.ranks).read() if s.pid]
        return []

    def wait_until(self, holds: Callable[[list[RankState]], bool]) -> list[RankState]:
        deadline = time.monotonic() + patience()
        while time.monotonic() < deadline:
            states = self.states()
            if len(states) == self.ranks and holds(states):
                return states
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            time.sleep(0.01)
        self.stop()
        raise AssertionError("the ranks never got there")

    def end(self, within: float) -> tuple[int, str, RunFolder]:
        try:
            _, err = self.process.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            self.stop()
            raise
        assert "Traceback" not in err
        return self.process.returncode, err, self.run()

    def run(self) -> RunFolder:
        (run,) = [run for run in self.lab.runs if run.run_id not in self.before]
        return run

    def stop(self) -> None:
        """Nothing is left running, whatever the test found."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=patience())


def searching(states: list[RankState]) -> bool:
    return all(state.search >= 1 for state in states)
