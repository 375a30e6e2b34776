# SPDX-License-Identifier: Apache-2.0
"""Switch points, traps, guidelines and the price of irregular counts, as tables of sentences."""

from isobath.bench.guidelines import Check
from isobath.bench.regret import Regret
from isobath.report.bench_data import BenchData
from isobath.report.wording import count_of, percent
from isobath.units import size_words
from isobath.view.content import Block, Listing, Section, Table, columns, first_rows, nothing

TITLE = "Switch points, traps, guidelines"

SHOWN = 40


def render(bench: BenchData) -> Section:
    """What was found of each; nothing where no curve has enough sizes."""
    blocks: list[Block] = []
    if bench.traps:
        blocks.append(Listing("Traps", tuple(trap.sentence for trap in bench.traps[:SHOWN])))
    if bench.switches:
        blocks.append(_switches(bench))
    clear = sorted(
        (regret for regret in bench.regrets if regret.is_clear), key=lambda regret: -regret.loss
    )
    if clear:
        blocks.append(
            Listing("Clear regrets", tuple(_regret(bench, regret) for regret in clear[:SHOWN]))
        )
    if any(check.outcome == "broken" for check in bench.checks):
        blocks.append(_guidelines(bench))
    if bench.penalties:
        blocks.append(_penalties(bench))
    if not blocks and not bench.checks:
        return nothing("findings", TITLE, "No curve has enough sizes to say more.")
    return Section("findings", TITLE, tuple(blocks), lead=lead(bench))


def _regret(bench: BenchData, regret: Regret) -> str:
    share = f"{regret.best.seconds / regret.default.seconds:.0%}"
    return (
        f"{bench.measured.name_of(regret.default)}: {regret.best.choice} takes {share} of its time"
    )


def guidelines(bench: BenchData) -> Section:
    """Every check that is broken, the worst first: too many for the page."""
    broken = sorted((check for check in bench.checks if check.outcome == "broken"),
                    key=lambda check: -check.factor)  # fmt: skip
    kept = sum(check.outcome == "kept" for check in bench.checks)
    said = (
        f"{count_of(len(bench.checks), 'check')}: {kept} kept, {len(broken)} broken, "
        f"{len(bench.checks) - kept - len(broken)} unclear."
    )
    sentences = Listing(
        "Broken", tuple(check.sentence(bench.under(check.left)) for check in broken)
    )
    return Section("guidelines", "Guidelines", (sentences,) if broken else (), lead=said)


def lead(bench: BenchData) -> str:
    """How much of each there is."""
    broken = sum(check.outcome == "broken" for check in bench.checks)
    unclear = sum(check.outcome == "unclear" for check in bench.checks)
    return (
        f"{count_of(len(bench.switches), 'switch point')}, {count_of(len(bench.traps), 'trap')}; "
        f"of {count_of(len(bench.checks), 'check')} of guidelines {broken} are broken and "
        f"{unclear} not clear from these intervals."
    )


def _switches(bench: BenchData) -> Table:
    rows = []
    for switch in bench.switches:
        said = switch.documented
        rows.append(
            (
                bench.measured.title_of(switch.curve), size_words(switch.point.low),
                size_words(switch.point.high), f"{switch.point.jump:.2f}",
                percent(switch.point.probability),
                f"{size_words(said.size_bytes)}, {said.name}" if said else "",
            )
        )  # fmt: skip
    return Table(
        "Switch points",
        columns("curve", "#above", "#up to", "#jump of time", "#found again", "documented"),
        tuple(rows),
    )


def _guidelines(bench: BenchData) -> Table:
    broken = sorted(
        (check for check in bench.checks if check.outcome == "broken"),
        key=lambda check: -check.factor,
    )
    counted: dict[tuple[str, str], list[Check]] = {}
    for check in broken:
        counted.setdefault((check.words, check.left.arm.where), []).append(check)
    rows = [
        (words, str(len(own)), own[0].left.cell.words(), f"{own[0].factor:.2f}", mpi)
        for (words, mpi), own in counted.items()
    ]
    shown, left = first_rows(rows, SHOWN, "the view guidelines of the command line")
    return Table(
        "Guidelines that are broken",
        columns("guideline", "#cells", "worst cell", "#times as long", "=library"),
        shown,
        left_out=left,
    )


def _penalties(bench: BenchData) -> Table:
    rows = [
        (
            bench.measured.name_of(penalty.irregular), f"{penalty.per_byte:.2f}",
            f"{penalty.irregular.seconds / penalty.uniform.seconds:.2f}",
            f"{penalty.irregular.first.count_facts.gini:.2f}",
        )
        for penalty in sorted(bench.penalties, key=lambda penalty: -penalty.per_byte)
    ]  # fmt: skip
    shown, left = first_rows(rows, SHOWN, "the records")
    heads = columns("cell", "#time per byte", "#time, against uniform counts", "#Gini")
    return Table("Irregular counts", heads, shown, left_out=left)
