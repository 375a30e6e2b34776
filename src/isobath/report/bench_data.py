# SPDX-License-Identifier: Apache-2.0
"""A benchmark as its report needs it: what was measured, with what it says, computed once."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from isobath.bench.cross_check import CrossCheck, cross_checks
from isobath.bench.findings import Penalty, Switch, Trap, penalties_of, switches_of, traps_of
from isobath.bench.guidelines import Check, checks_of
from isobath.bench.identity import Stretch, stretches_of
from isobath.bench.measured import Curve, Measured, MeasuredCell
from isobath.bench.places import ranks_are_nodes
from isobath.bench.regret import Regret, regrets_of
from isobath.bench.rules import RuleFile, rule_files
from isobath.bench.shapes import shapes_of
from isobath.report.wording import count_of
from isobath.study.labels import few_launches, unfinished

SHOWN = 8
"""cells with wrong data that are named"""


@dataclass(frozen=True)
class BenchData:
    """All that the sections draw."""

    measured: Measured
    folder: Path | None = None
    """absent in tests that have none"""

    @cached_property
    def switches(self) -> tuple[Switch, ...]:
        """Switch points of the library's own choice."""
        return switches_of(self.measured)

    @cached_property
    def traps(self) -> tuple[Trap, ...]:
        """Deepest first."""
        return traps_of(self.measured)

    @cached_property
    def regrets(self) -> tuple[Regret, ...]:
        """Of every cell with forced algorithms beside it."""
        return regrets_of(self.measured)

    @cached_property
    def rules(self) -> tuple[RuleFile, ...]:
        """One for each library that can be helped."""
        return rule_files(self.measured)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Which algorithm ran at neighbouring sizes."""
        return stretches_of(self.measured)

    @cached_property
    def cross_checks(self) -> tuple[CrossCheck, ...]:
        """Cells that IMB measured too."""
        return cross_checks(self.measured, self.folder) if self.folder else ()

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Guidelines at every size."""
        return checks_of(self.measured)

    @cached_property
    def penalties(self) -> tuple[Penalty, ...]:
        """Of irregular counts."""
        return penalties_of(self.measured)

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """Of the library's own choice."""
        return self.measured.default_curves

    @cached_property
    def ranks_are_nodes(self) -> bool:
        """Whether a rank stands for a node in the K computer throughput."""
        return ranks_are_nodes(self.measured.cells)

    @property
    def labels(self) -> tuple[str, ...]:
        """Words that stand beside every number of the page."""
        return ("WRONG DATA",) if any(cell.data_failure for cell in self.measured.cells) else ()

    @property
    def words(self) -> tuple[str, ...]:
        """The same for pictures."""
        return self.labels

    @property
    def libraries(self) -> tuple[str, ...]:
        """Ids, each once."""
        return tuple(dict.fromkeys(arm.mpi for arm in self.measured.plan.arms))

    def under(self, measured_cell: MeasuredCell) -> str:
        """The library and place of a cell where there are several; else nothing."""
        return measured_cell.arm.where if self.measured.has_several else ""

    def switches_on(self, curve: Curve) -> tuple[Switch, ...]:
        """Those of one curve."""
        return tuple(switch for switch in self.switches if switch.curve == curve)

    def traps_on(self, curve: Curve) -> tuple[Trap, ...]:
        """Those of one curve."""
        return tuple(trap for trap in self.traps if trap.curve == curve)


def otherwise_placed(measured: Measured) -> list[str]:
    """A sentence where ranks were on other nodes than asked, and one for their shape."""
    arms = {arm.arm: arm for arm in measured.plan.arms}
    other = [
        name
        for name, launch in measured.launch_of_arm.items()
        if name in arms and not launch.is_placed_as(arms[name].placement)
    ]
    notices = []
    if other:
        notices.append(
            f"OTHERWISE PLACED: ranks of {count_of(len(other), 'arm')} were on other nodes than "
            "asked (--view placement); --strict-placement measures nothing then."
        )
    shape = next((one for one in shapes_of(measured) if one.fault), None)
    if shape is not None:
        notices.append(
            f"OTHERWISE SHAPED: in shape {shape.asked} {shape.fault} (--view placement); "
            "--strict-placement measures nothing then."
        )
    return notices


def notices_of(measured: Measured) -> tuple[str, ...]:
    """What the reader must know before believing a number."""
    total = len(measured.plan.arms) * measured.plan.launches
    left = unfinished(measured.launches_done, total)
    notices = [left] if left else []
    over = sum(cell.oversubscribed for cell in measured.cells)
    if over:
        notices.append(
            f"OVERSUBSCRIBED: {count_of(over, 'cell')} had more ranks than processors. Ranks took "
            "turns, so no time of these is shown; data were checked, bytes are facts."
        )
    few = few_launches(measured.plan.launches)
    if few:
        notices.append(f"{few}, so the intervals are too narrow.")
    notices += otherwise_placed(measured)
    notices += [f"OFFLOAD, {mpi}: {words}" for mpi, words in measured.plan.offload.items()]
    apart = sum(cell.launches_disagree for cell in measured.results)
    if apart:
        notices.append(
            f"FEW LAUNCHES: of {count_of(apart, 'cell')} the medians of launches differ by more "
            "than a quarter. Their interval is the range of these medians, and nothing is "
            "concluded from them: launch more often."
        )
    wrong = [cell for cell in measured.cells if cell.data_failure]
    notices += [
        f"WRONG DATA: {measured.name_of(cell)}: {cell.data_failure}" for cell in wrong[:SHOWN]
    ]
    return tuple(notices)
