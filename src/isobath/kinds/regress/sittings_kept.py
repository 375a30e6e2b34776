# SPDX-License-Identifier: Apache-2.0
"""Sittings that are part of the reference: not expired, and of what the baseline is of."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Sitting
from isobath.baseline.gathering import nodes_of
from isobath.compared.launch_facts import BUILD

KERNEL, NODES = "kernel", "nodes"

Told = dict[str, tuple[str, ...]]
"""All values of launches, by what they are of"""


def told_by(launches: Iterable[Mapping[str, str]]) -> Told:
    """Build of the library, kernel and nodes. What no launch tells is left out."""
    values: dict[str, set[str]] = {BUILD: set(), KERNEL: set(), NODES: set()}
    for facts in launches:
        values[BUILD].add(facts.get(BUILD, ""))
        values[KERNEL].add(facts.get(KERNEL, ""))
        values[NODES].add(nodes_of(facts))
    told = {name: tuple(sorted(words - {""})) for name, words in values.items()}
    return {name: words for name, words in told.items() if words}


def of_archive(baseline: Baseline) -> Told:
    """Of all launches of its archive."""
    return told_by(launch.facts for member in baseline.archive.members
                   for launch in member.launches.values())  # fmt: skip


def why_other(sitting: Sitting, there: Told) -> str:
    """In what a sitting is of something else; empty where it is not, and of sittings of before,
    which do not say it. Args: there is what the archive tells.
    """
    for name, before in there.items():
        now = sitting.facts.get(name, ())
        if not set(now) <= set(before):
            return f"another {name} ({', '.join(now)}; the baseline has {', '.join(before)})"
    return ""


def valid_sittings(baseline: Baseline, now: datetime) -> tuple[Sitting, ...]:
    """Those that have not expired, and are of the same build, kernel and nodes as the archive."""
    there = of_archive(baseline)
    return tuple(sitting for sitting in _fresh(baseline, now) if not why_other(sitting, there))


def left_out_sittings(baseline: Baseline, now: datetime) -> tuple[str, ...]:
    """Those that have not expired and are of something else, with the reason."""
    there = of_archive(baseline)
    told = ((sitting.study, why_other(sitting, there)) for sitting in _fresh(baseline, now))
    return tuple(f"{study}: {why}" for study, why in told if why)


def _fresh(baseline: Baseline, now: datetime) -> Iterable[Sitting]:
    return (sitting for sitting in baseline.sittings if sitting.expires > now)
