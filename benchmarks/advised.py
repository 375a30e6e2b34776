#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is `isobath advise` worth following? Asked on made-up nodes, then looked at.

    .venv/bin/python benchmarks/advised.py STORE             root, an idle machine
    .venv/bin/python benchmarks/advised.py STORE --quick     one small setting, to see that it works
    .venv/bin/python benchmarks/advised.py STORE --judge     judges what is in STORE alone

On each network (namespaces of one rank, 100 and 10 Mbit/s, as they are and with 0.2 and 2 ms) every
plan is run on few nodes. From these runs alone `advise` ranks plans, grids and exchanges on more
nodes and other scales. Then the first choices of the advice, ADR 0022's rule and some choices drawn
by chance are run there: 4 keys, no validation, medians, collectives forced on both sides.

Regret is a time over the best of those that were measured, less 1. Two promises: the first choice
is within 10 % of the best measured in 9 of 10 settings; where advice differs from the rule, its
mean regret is below the rule's and below that of random choice. They are judged on all settings,
and again on those where one processor in the place of two moves neither the first choice nor the
rule's by 5 %: there processors are not what was measured. Mappings, ranks per node and algorithms
are advised, too, and are not tested here.

Nothing is begun after --minutes; the same call goes on with what is missing, --networks takes some.
Ends with 1 where a promise is not kept on all settings, with 2 where fewer than 10 were measured
(advised_judged.py).
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from advised_judged import Picked, Regret, Setting, picked, regret, told  # noqa: E402
from held_out import KEYS, is_there, networks_of  # noqa: E402
from held_out_cells import RATES, forced_variables  # noqa: E402
from held_out_limit import measured_limit  # noqa: E402
from held_out_turns import processors  # noqa: E402

from isobath import api  # noqa: E402
from isobath.errors import IsobathError  # noqa: E402
from isobath.predicted.advising import Sought, find_advice  # noqa: E402
from isobath.predicted.reading import read_observed  # noqa: E402
from isobath.prediction.advice import Advice, Choice  # noqa: E402
from isobath.study.home import shelf  # noqa: E402
from isobath.study.shelf import Shelf  # noqa: E402

SEEN_NODES, SEEN_SCALE = 4, 15
SEEN = (
    ("hybrid", None), ("two-dim", None), ("simple", None), ("replicated-csc", None),
    ("two-dim", "alltoallv"), ("two-dim", "sparse"),
)  # fmt: skip
"""Runs that advice sees: plans, and exchanges beside their own."""

NODES, SCALES, SLOW_SCALES = (6, 8, 12, 16), (14, 17), (14,)
SLOW = "10mbit"
"""where tuples of scale 17 take too long"""


@dataclass(frozen=True)
class Search:
    """A search that is run; None is the plan's own."""

    network: str
    nodes: int
    scale: int
    plan: str
    grid: str | None = None
    exchange: str | None = None

    @property
    def name(self) -> str:
        """Of its folder."""
        parts = (self.network, self.nodes, self.scale, self.plan, self.grid, self.exchange)
        return "-".join(str(part) for part in parts if part is not None).replace(":", "-")


def settings_of(networks: list[str], *, quick: bool) -> Iterator[Setting]:
    """All of them."""
    for network in networks:
        scales = SLOW_SCALES if network.startswith(SLOW) else SCALES
        for nodes in NODES[: 1 if quick else None]:
            for scale in (10,) if quick else scales:
                yield Setting(network, nodes, scale)


def seen_on(network: str, *, quick: bool) -> list[Search]:
    """What advice sees of a network."""
    scale = 10 if quick else SEEN_SCALE
    return [Search(network, SEEN_NODES, scale, plan, None, other) for plan, other in SEEN]


def search_of(setting: Setting, choice: Choice) -> Search:
    """That makes a choice true."""
    return Search(
        setting.network, setting.nodes, setting.scale, choice.plan, str(choice.grid),
        choice.exchange,
    )  # fmt: skip


class Bench:
    """A store, and when it ends."""

    def __init__(self, store: Path, seconds: float) -> None:
        self._store = store
        self._ends = time.monotonic() + seconds

    def folder(self, search: Search, *, one_processor: bool = False) -> Path:
        """Of its study."""
        return self._store / (search.name + "-one" * one_processor)

    def measured(self, search: Search, *, one_processor: bool = False) -> float | None:
        """The median time of a search; None where it was not run, and there is no time left."""
        folder = self.folder(search, one_processor=one_processor)
        if not is_there(folder):
            if time.monotonic() > self._ends:
                return None
            self._run(search, folder, one_processor=one_processor)
        return read_observed(shelf(str(folder)), "last")[0].seconds

    def _run(self, search: Search, folder: Path, *, one_processor: bool) -> None:
        wanted: dict[str, Any] = {"grid": search.grid, "exchange": search.exchange}
        with processors(1 if one_processor else None):
            api.run(
                store=folder, plan=search.plan, ranks=search.nodes, nodes=search.nodes, threads=1,
                scale=search.scale, keys=KEYS, validation=False,
                transport=f"rate-limited:{search.network}",
                **{name: value for name, value in wanted.items() if value is not None},
            )  # fmt: skip

    def advice(self, setting: Setting, *, quick: bool) -> Advice | None:
        """Of what was seen of the network; None where it was not seen whole."""
        seen = seen_on(setting.network, quick=quick)
        if any(self.measured(search) is None for search in seen):
            return None
        ids = {search: Shelf((self.folder(search),)).studies()[-1].study_id for search in seen}
        own = tuple(ids[search] for search in seen if search.exchange is None)
        where = Shelf(tuple(self.folder(search) for search in seen))
        sought = Sought(setting.nodes, setting.scale, tuple(ids.values()), own, (1,))
        return find_advice(where, sought).advice


def judge(bench: Bench, setting: Setting, *, quick: bool) -> Regret | None:
    """Runs what is missing; None where there is no time left for all of it."""
    advice = bench.advice(setting, quick=quick)
    if advice is None:
        return None
    chosen = picked(advice, setting)
    seconds = {choice: bench.measured(search_of(setting, choice)) for choice in chosen.every}
    on_one = {
        choice: bench.measured(search_of(setting, choice), one_processor=True)
        for choice in dict.fromkeys((chosen.first, chosen.rule))
    }
    return _regret(setting, chosen, seconds, on_one)


def _regret(
    setting: Setting,
    chosen: Picked,
    seconds: dict[Choice, float | None],
    on_one: dict[Choice, float | None],
) -> Regret | None:
    there = {choice: one for choice, one in seconds.items() if one is not None}
    alone = {choice: one for choice, one in on_one.items() if one is not None}
    if len(there) < len(seconds) or len(alone) < len(on_one):
        return None
    return regret(setting, chosen, there, alone)


def main() -> int:
    """Returns 0, 1 where a promise is not kept, 2 where too few settings were measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--judge", action="store_true", help="measure nothing")
    parser.add_argument("--minutes", type=float, default=30, help="no run begins after these")
    parser.add_argument("--networks", nargs="+", help="these alone, for example 100mbit 10mbit:2ms")
    wanted = parser.parse_args()
    wanted.store.mkdir(parents=True, exist_ok=True)
    networks = wanted.networks or networks_of(quick=wanted.quick)
    os.environ.update(forced_variables())
    if not wanted.judge:
        for network in networks:
            limit = measured_limit(network, RATES[network.partition(":")[0]])
            print(limit)
            if not limit.is_true and not wanted.quick:
                raise SystemExit(f"{network} is no such link; nothing is tested")
    bench = Bench(wanted.store, 0 if wanted.judge else 60 * wanted.minutes)
    rows, left = [], 0
    for setting in settings_of(networks, quick=wanted.quick):
        try:
            row = judge(bench, setting, quick=wanted.quick)
        except IsobathError as problem:
            print(f"does not count: {setting}: {problem}")
            continue
        left += row is None
        rows += [row] if row else []
    if left:
        print(f"{left} settings are left: the same command goes on with them")
    return told(rows)


if __name__ == "__main__":
    sys.exit(main())
