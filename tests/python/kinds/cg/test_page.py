# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime
from pathlib import Path

from isobath.kinds.cg.measured import Measured, read_measured
from isobath.kinds.cg.plan import PLAN, CgPlan
from isobath.kinds.cg.reading import Group, groups_of
from isobath.kinds.cg.sections import headline_words, page_of, section
from isobath.kinds.cg.shares import Share, region_of
from isobath.records.krylov import KrylovRecord
from isobath.study.folder import StudyFolder
from isobath.view.content import Figure, Table
from isobath.view.html import page_html
from records import examples


def launches(record: KrylovRecord) -> list[tuple[bool, KrylovRecord]]:
    return [(True, record.model_copy(update={"launch": launch})) for launch in range(3)]


def measured(*groups: Group) -> Measured:
    return Measured(
        name="cg", groups=groups, problems=(), not_measured=(), launches_done=1, launches=1
    )


def the_group(*, oversubscribed: bool = False) -> Group:
    rows = [
        examples.krylov_record(method="cg", progress="blocking", waiting=2000),
        examples.krylov_record(method="pipelined", progress="blocking", waiting=1000),
        examples.krylov_record(method="pipelined", progress="library", waiting=500),
    ]
    crowded = (row.model_copy(update={"oversubscribed": oversubscribed}) for row in rows)
    (group,) = groups_of("some", [one for row in crowded for one in launches(row)])
    return group


def test_times_the_gain_cut_in_two_and_what_an_iteration_consists_of() -> None:
    group = the_group()
    region = region_of(group.rows[0].first)
    found = section(group.with_shares({region: (Share("allreduce", 0.25),)}))

    (times,) = [block for block in found.blocks if isinstance(block, Figure)]
    assert times.title == "Time of an iteration"
    assert times.table is not None
    assert [row[:2] for row in times.table.rows] == [
        ("cg", "blocking"), ("pipelined", "blocking"), ("pipelined", "library"),
    ]  # fmt: skip
    gains, shares, parts = [block for block in found.blocks if isinstance(block, Table)]
    assert gains.rows == (("pipelined, library", "1.00", "1.00", "1.00"),)
    assert shares.rows == (("cg, blocking", "25.0%", "allreduce 25.0%"),)
    assert [row[0] for row in parts.rows] == [
        "cg, blocking", "pipelined, blocking", "pipelined, library",
    ]  # fmt: skip
    assert found.title == "some, 2 ranks, 64 x 64 elements"
    assert "Break-even" in found.lead


def test_of_several_libraries_the_fastest_is_named_with_its_own() -> None:
    rows = [
        examples.krylov_record(method="cg", progress="blocking", nanoseconds=(nanoseconds,) * 3)
        for nanoseconds in (3_000_000, 1_000_000)
    ]
    slow, quick = (
        next(iter(groups_of(mpi, launches(row))))
        for mpi, row in zip(("slow", "quick"), rows, strict=True)
    )

    assert headline_words(measured(slow, quick)).startswith("cg, blocking fastest under quick: ")
    assert headline_words(measured(quick)).startswith("cg, blocking fastest: ")


def test_oversubscribed_rows_have_no_time() -> None:
    found = section(the_group(oversubscribed=True))
    times, parts = found.blocks
    assert isinstance(times, Table)
    assert isinstance(parts, Table)
    assert {row[2:] for row in times.rows} == {("OVERSUBSCRIBED: no result",)}
    assert {row[1:] for row in parts.rows} == {("oversubscribed: no result",)}


def test_nothing_and_what_was_left_out_are_said(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path / "bench")
    plan = CgPlan(
        preset="small",
        iterations=1,
        repetitions=1,
        tests=(4,),
        threads=1,
        launches=1,
        seed=1,
        arms=(),
        left_out=("PETSc is <left> out",),
    )
    PLAN.begin(folder, plan, created=datetime.now(UTC), command=("isobath",))
    html = page_html(page_of(read_measured(folder)))
    assert "has no times" in html
    assert "PETSc is &lt;left&gt; out" in html
    assert html == page_html(page_of(read_measured(folder)))
