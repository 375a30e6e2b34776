# SPDX-License-Identifier: Apache-2.0
"""Cells that some finding is about: what others should be able to measure again."""

from isobath.bench.findings import penalties_of, traps_of
from isobath.bench.guidelines import checks_of
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.regret import regrets_of

DEAR = 1.25
"""Irregular counts are flagged from this penalty on."""


def flagged_cells(measured: Measured) -> tuple[MeasuredCell, ...]:
    """Each once: of traps and broken guidelines with what they are compared to, of clear regrets
    the default and the best, irregular counts that cost more than they should, wrong data.
    """
    flagged: list[MeasuredCell] = [cell for cell in measured.cells if cell.data_failure]
    for trap in traps_of(measured):
        flagged += [trap.at, trap.better]
    for regret in regrets_of(measured):
        flagged += [regret.default, regret.best] if regret.is_clear else []
    for check in checks_of(measured):
        flagged += [check.left, *check.right] if check.outcome == "broken" else []
    for penalty in penalties_of(measured):
        flagged += [penalty.irregular, penalty.uniform] if penalty.per_byte >= DEAR else []
    return tuple({(cell.arm.where, cell.cell): cell for cell in flagged}.values())


def file_name(measured: MeasuredCell) -> str:
    """Of its program: ``alltoallv-64-B-2-ranks-zipf-1.c``."""
    words = [measured.cell.words(), measured.arm.where]
    text = "-".join(words).replace(", ", "-")
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in text) + ".c"
