# SPDX-License-Identifier: Apache-2.0
"""The byte audit: what every phase of every plan was to send, and what was counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.race.audit_file import AuditLine
from isobath.report.race_cell import RacedCell
from isobath.report.race_data import RaceData
from isobath.report.race_wording import plan_place
from isobath.report.wording import count_of, phase_name
from isobath.view.content import Block, Fact, Facts, Section, Table, columns, first_rows, nothing

TITLE = "Byte audit"

SHOWN_ROWS, SHOWN_DEVIATIONS = 512, 64

CLASSES = {
    "a": (
        "A closed integer form, given the number of levels: bitmaps, summaries, padding and "
        "control. Every byte must be met."
    ),
    "b": (
        "The integer that an independent serial walk of the same graph counts: tuples, lists and "
        "compressed steps. Every byte must be met."
    ),
    "c": "An estimate with an interval, where no walk was made; counted bytes must lie inside.",
}


@dataclass(frozen=True)
class Account:
    """All entries of one plan, grid and phase."""

    plan: str
    ranks: int
    grid: str
    remark: str
    phase: str
    audit_class: str
    lines: tuple[AuditLine, ...]

    @property
    def expected(self) -> int:
        """Bytes, summed over searches and levels."""
        return sum(line.expected_bytes for line in self.lines)

    @property
    def counted(self) -> int:
        """Bytes, summed over searches and levels."""
        return sum(line.counted_bytes for line in self.lines)

    @property
    def outcome(self) -> str:
        """ "equal", or what is wrong."""
        wrong = [line for line in self.lines if not line.equal]
        if not wrong:
            return "inside the interval" if self.audit_class == "c" else "equal"
        difference = self.counted - self.expected
        return f"DIFFERS by {difference:+,} bytes in {count_of(len(wrong), 'entry', 'entries')}"


def render(race: RaceData) -> Section:
    """A row per plan, grid, phase and class; deviations one by one; what the classes mean."""
    if not race.audit:
        return nothing("audit", TITLE, "No byte of this race was audited.")
    accounts = accounts_of(race)
    blocks: list[Block] = [_table(accounts)]
    wrong = [line for line in race.audit if not line.equal]
    if wrong:
        blocks.insert(0, _deviations(race, wrong))
    used = {line.audit_class for line in race.audit}
    blocks.append(
        Facts(
            tuple(Fact(f"class {name}", text) for name, text in CLASSES.items() if name in used),
            title="What the classes mean",
            style="words",
        )
    )
    return Section("audit", TITLE, tuple(blocks), lead=caption(race))


def accounts_of(race: RaceData) -> tuple[Account, ...]:
    """Entries grouped by cell, phase and class, in the order of the report."""
    groups: dict[tuple[str, str, str], list[AuditLine]] = {}
    cells = {}
    for line in race.audit:
        cell = race.with_run(line.run_id)
        name = cell.name if cell else line.run_id
        cells[name] = cell
        groups.setdefault((name, line.phase, line.audit_class), []).append(line)
    accounts = []
    for (name, phase, audit_class), lines in groups.items():
        cell = cells[name]
        known = cell is not None and bool(cell.runs)
        accounts.append(
            Account(
                cell.plan if cell else name,
                cell.ranks if cell and known else 0,
                cell.grid if cell and known else "",
                remark(race, cell) if cell else "",
                phase,
                audit_class,
                tuple(lines),
            )
        )
    return tuple(sorted(accounts, key=lambda a: (a.remark, plan_place(a.plan), a.ranks, a.grid)))


def remark(race: RaceData, cell: RacedCell) -> str:
    """What tells a cell from others of its plan and ranks: its step, or its other factors."""
    if cell.group != "matrix":
        return cell.step or cell.group
    words = [
        f"{name.replace('_', ' ')} {cell.factors.get(name, '')}" for name in race.other_factors
    ]
    return ", ".join(words)


def caption(race: RaceData) -> str:
    """One sentence: the verdict, by class."""
    wrong = sum(not line.equal for line in race.audit)
    exact = [line for line in race.audit if line.audit_class != "c"]
    estimated = len(race.audit) - len(exact)
    total = sum(line.counted_bytes for line in exact)
    text = (
        f"{len(exact):,} entries of closed forms and walks hold {total:,} bytes, "
        f"{'all of them equal' if not wrong else f'{wrong:,} entries differ'}"
    )
    if estimated:
        text += f"; {estimated:,} entries are estimates with an interval"
    return f"{text}."


def _table(accounts: Sequence[Account]) -> Table:
    rows = [
        (
            account.plan,
            str(account.ranks) if account.ranks else "",
            account.grid,
            account.remark,
            phase_name(account.phase),
            account.audit_class,
            f"{account.expected:,}",
            f"{account.counted:,}",
            account.outcome,
        )
        for account in accounts
    ]
    shown, left_out = first_rows(rows, SHOWN_ROWS, "audit.jsonl")
    return Table(
        "Expected against counted, all searches of a run together",
        columns("=plan", "#ranks", "=grid", "=cell", "phase", "class", "#expected, bytes",
                "#counted, bytes", "outcome"),
        shown,
        left_out=left_out,
    )  # fmt: skip


def _deviations(race: RaceData, wrong: Sequence[AuditLine]) -> Table:
    rows = []
    for line in wrong:
        cell = race.with_run(line.run_id)
        rows.append(
            (
                cell.plan if cell else "",
                line.run_id,
                str(line.search),
                "outside" if line.level < 0 else str(line.level),
                phase_name(line.phase),
                line.audit_class,
                f"{line.expected_bytes:,}",
                f"{line.counted_bytes:,}",
                f"{line.counted_bytes - line.expected_bytes:+,}",
            )
        )
    shown, left_out = first_rows(rows, SHOWN_DEVIATIONS, "audit.jsonl")
    return Table(
        "Deviations",
        columns("=plan", "run", "#search", "level", "phase", "class", "#expected", "#counted",
                "#difference"),
        shown,
        left_out=left_out,
    )  # fmt: skip
