# SPDX-License-Identifier: Apache-2.0
"""Our times beside those of IMB under the same library."""

from isobath.bench.cross_check import DEFINITION, summary
from isobath.report.bench_data import BenchData
from isobath.units import size_words
from isobath.view.content import Listing, Section, Table, columns, nothing

TITLE = "Cross-check with IMB"


def render(bench: BenchData) -> Section:
    """Every cell that both measured, by IMB's definition of a time."""
    if not bench.cross_checks:
        return nothing(
            "cross-check", TITLE, "IMB was not launched: ask for it with --cross-check imb."
        )
    rows = tuple(
        (
            check.ours.cell.collective, check.ours.arm.where, str(check.ours.first.ranks),
            size_words(check.ours.cell.size_bytes), f"{check.estimate.value:.2f}",
            f"{check.bounds[0]:.2f} to {check.bounds[1]:.2f}", f"{check.their_largest:.2f}",
            f"{check.their_mean:.2f}", f"{check.ratio:.2f}", check.outcome, check.words(),
        )
        for check in bench.cross_checks
    )  # fmt: skip
    heads = columns(
        "collective", "=library", "#ranks", "#size", "#our mean, us", "#interval", "#IMB t_max",
        "#IMB t_avg", "#ratio", "within", "why",
    )  # fmt: skip
    table = Table("Means of the slowest rank", heads, rows, folded=len(rows) > 24)
    blocks = (table, Listing("What differs by definition", DEFINITION))
    return Section("cross-check", TITLE, blocks, lead=summary(bench.cross_checks))
