# SPDX-License-Identifier: Apache-2.0
"""How a launch of the engine ended: exit code, state and sentence."""

from isobath.errors import ExitCode
from isobath.launch.engine_run import Outcome
from isobath.launch.watchdog import Trouble
from isobath.records.ending import FailureRecord, RunState
from isobath.records.phases import PHASE_NAMES, PhaseName
from isobath.records.run_records import RunRecords


def state_of(outcome: Outcome) -> RunState:
    """The state where records say none."""
    if outcome.interrupted:
        return "unfinished"
    return "failed" if outcome.trouble else "complete"


def judge(
    records: RunRecords, code: ExitCode, *, interrupted: bool
) -> tuple[ExitCode, RunState, str | None]:
    """Exit code, state and sentence of a launch that ended by itself."""
    if records.verdict == "violations":
        failed = [s for s in records.timed_searches if s.validation and not s.validation.passed]
        first = failed[0].validation.first_violation if failed and failed[0].validation else None
        if not failed:
            first = "the construction check found missing or invented arcs"
        return ExitCode.VIOLATIONS, "failed", f"validation found violations: {first}"
    if records.state == "complete":
        return ExitCode.DONE, "complete", None
    done = len(records.timed_searches)
    if interrupted or records.state == "unfinished":
        sentence = f"interrupted after {done} searches; what is complete was kept"
        return ExitCode.ENVIRONMENT, "unfinished", sentence
    reason = records.failures[0].message if records.failures else "the engine gave no reason"
    wrong = code if code != ExitCode.DONE else ExitCode.INTERNAL
    return wrong, "failed", reason


def is_known_better(trouble: Trouble) -> bool:
    """Whether we know more of an end than ranks can record: of a rank that was killed or stopped,
    and of a hang that we ended, the others see no more than a call that fails.
    """
    return trouble.signal is not None or trouble.exit_code == ExitCode.TIMEOUT


def failure_record(run_id: str, trouble: Trouble, elapsed_seconds: float) -> FailureRecord:
    """A record of ours of a launch that could not write its own."""
    phase: PhaseName = "start"
    for name in PHASE_NAMES:
        if name == trouble.phase:
            phase = name
    return FailureRecord(
        run_id=run_id,
        phase=phase,
        rank=trouble.rank,
        signal=trouble.signal,
        last_call=trouble.last_call,
        elapsed_seconds=elapsed_seconds,
        message=trouble.message,
        exit_code=int(trouble.exit_code),
    )
