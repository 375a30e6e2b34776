# SPDX-License-Identifier: Apache-2.0
"""What is to be read of a stored study, by plain arithmetic from its lines of JSON: the slow twin
of the laboratory's reading, for tools/make_studies.py. Launches without times have no numbers.
"""

import json
from pathlib import Path
from statistics import median
from typing import Any

Line = dict[str, Any]
Numbers = dict[str, Any]

OVERLAP_SETTING = ("collective", "size_bytes", "ranks", "aggregators", "progress", "tests", "work",
                   "work_ratio")  # fmt: skip


def numbers_of(study: Path) -> Numbers:
    """By the folder of a launch, below the study, what its records say.

    Launches of studies that were set aside, or never sealed, count nowhere.
    """
    found = {}
    for path in sorted(study.rglob("records.jsonl")):
        folder = path.parent.relative_to(study)
        is_of_study = folder.parts[:1] in (("races",), ("benches",))
        if is_of_study and ("cut-off" in folder.parts or folder.suffix == ".partial"):
            continue
        numbers = _of_lines(_whole_lines(path))
        if numbers:
            found[str(folder)] = numbers
    return found


def _whole_lines(path: Path) -> list[Line]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines() if line]


def _of_lines(lines: list[Line]) -> Numbers:
    kinds = {line["kind"] for line in lines}
    found: Numbers = {}
    for kind, numbers in (("search", _searches), ("collective", _collectives),
                          ("overlap", _overlaps), ("krylov", _krylovs),
                          ("profile", _profile), ("skeleton", _steps)):  # fmt: skip
        if kind in kinds:
            found[kind] = numbers([line for line in lines if line["kind"] == kind])
    return found


def _searches(lines: list[Line]) -> Numbers:
    """Of each kernel: how many searches count, and the harmonic mean of their rates."""
    found = {}
    for kernel in dict.fromkeys(line.get("kernel", "bfs") for line in lines):
        timed = [one for one in lines if one.get("kernel", "bfs") == kernel and not one["warmup"]]
        if timed:
            inverse = [one["seconds"] / one["traversed_edges"] for one in timed]
            found[kernel] = {
                "searches": len(timed),
                "harmonic_mean_teps": len(timed) / sum(inverse),
            }
    return found


def _collectives(lines: list[Line]) -> Numbers:
    """By collective, size and counts the median time of a call: last exit minus first entry."""
    found = {}
    for one in lines:
        if "entry_nanoseconds" not in one:
            continue
        times = []
        for i in range(one.get("warm_up_repetitions", 0), len(one["entry_nanoseconds"][0])):
            if i not in one.get("invalid", ()):
                last = max(rank[i] for rank in one["exit_nanoseconds"])
                times.append(
                    max(1, last - min(rank[i] for rank in one["entry_nanoseconds"])) * 1e-9
                )
        counts = one["counts"]
        size = "" if counts.startswith("recorded:") else f" {one['size_bytes']}"
        found[f"{one['collective']}{size} {counts}"] = median(times)
    return found


def _overlaps(lines: list[Line]) -> Numbers:
    """By setting the median of T_ov."""
    found = {}
    for one in lines:
        if "parts" in one:
            name = " ".join(str(one[key]) for key in OVERLAP_SETTING)
            times = one["parts"]["overlap"]["together_nanoseconds"]
            kept = [t for i, t in enumerate(times) if i not in one.get("invalid", ())]
            found[name] = median(kept) * 1e-9
    return found


def _krylovs(lines: list[Line]) -> Numbers:
    """By cell the median seconds of an iteration."""
    found = {}
    for one in lines:
        if "solve" in one:
            name = " ".join(str(one[key]) for key in ("elements", "method", "progress", "tests"))
            times = one["solve"]["together_nanoseconds"]
            kept = [t for i, t in enumerate(times) if i not in one.get("invalid", ())] or times
            found[name] = median(kept) * 1e-9 / one["iterations"]
    return found


def _steps(lines: list[Line]) -> Numbers:
    """Of a simulation: steps with a place of their own, and when the last rank ended the last."""
    places = {tuple(one[k] for k in ("level", "phase", "call", "communicator")) for one in lines}
    return {
        "steps": len(places),
        "bytes sent": sum(one["bytes_sent"] for one in lines),
        "simulated seconds": max(one["ended_seconds"] for one in lines),
    }


def _profile(lines: list[Line]) -> Numbers:
    (whole,) = lines
    return {"ranks": whole["ranks"], "calls": whole["calls"]}
