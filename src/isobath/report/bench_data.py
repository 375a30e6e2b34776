# SPDX-License-Identifier: Apache-2.0
"""A benchmark as its report needs it: what was measured, with what it says, computed once."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from isobath.bench.cross_check import CrossCheck, cross_checks
from isobath.bench.findings import Penalty, Switch, Trap, penalties_of, switches_of, traps_of
from isobath.bench.guidelines import Check, checks_of
from isobath.bench.identity import Stretch, stretches_of
from isobath.bench.measured import Curve, Measured
from isobath.bench.regret import Regret, regrets_of
from isobath.bench.rules import RuleFile, rule_files

OVERSUBSCRIBED = "OVERSUBSCRIBED"


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

    @property
    def labels(self) -> tuple[str, ...]:
        """Words that stand beside every number of the page."""
        return ("WRONG DATA",) if any(one.data_failure for one in self.measured.cells) else ()

    @property
    def words(self) -> tuple[str, ...]:
        """The same for pictures."""
        return self.labels

    @property
    def libraries(self) -> tuple[str, ...]:
        """Ids, each once."""
        return tuple(dict.fromkeys(arm.mpi for arm in self.measured.spec.arms))

    def switches_on(self, curve: Curve) -> tuple[Switch, ...]:
        """Those of one curve."""
        return tuple(one for one in self.switches if one.curve == curve)

    def traps_on(self, curve: Curve) -> tuple[Trap, ...]:
        """Those of one curve."""
        return tuple(one for one in self.traps if one.curve == curve)
