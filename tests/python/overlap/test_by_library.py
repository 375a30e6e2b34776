# SPDX-License-Identifier: Apache-2.0
"""Several MPI libraries in one benchmark of overlap: beside each other, never mixed."""

import json
from dataclasses import replace

from isobath.kinds.nodes import Placed
from isobath.kinds.overlap.by_library import by_library
from isobath.kinds.overlap.cells import overlap_cells
from isobath.kinds.overlap.facts import facts_of
from isobath.kinds.overlap.kind import KIND
from isobath.kinds.overlap.wanted import arms_of
from isobath.launch.mpi_library import MpiLibrary
from isobath.overlap.folders import OverlapRead
from isobath.overlap.plan import OverlapPlan, is_alike
from isobath.overlap.reading import Place
from isobath.records.overlap import OverlapRecord
from isobath.records.placement import HERE
from overlap.test_by_ranks import cell, read_of

WHEEL = MpiLibrary("mpich-wheel", "mpich-wheel", "5", "", "", healthy=True)
OPEN = MpiLibrary("openmpi", "openmpi", "4", "", "", healthy=True)


def plan_of(*libraries: MpiLibrary) -> OverlapPlan:
    arms = arms_of(
        libraries, ("library", "library_thread"), ("allreduce",), (Placed(2, HERE),), 1, 8
    )
    return OverlapPlan(mpi=libraries[0].id, threads=1, seed=1, launches=3, method=(),
                       work="product", ratios="1", arms=arms)  # fmt: skip


def read_under_two(*records: OverlapRecord) -> OverlapRead:
    """Records of runs whose ids begin with m are of MPICH, those with o of Open MPI."""
    names = {"m": WHEEL.id, "o": OPEN.id}
    places = {one.run_id: Place(mpi=names[one.run_id[0]]) for one in records}
    return replace(read_of(*records, places=places), plan=plan_of(WHEEL, OPEN))


def shown(read: OverlapRead, view: str, width: int = 120) -> str:
    return "\n".join(str(part) for part in KIND.views[view].parts(read, width))


def test_every_library_has_arms_of_its_own_and_the_first_says_how_much_work_there_is() -> None:
    plan = plan_of(WHEEL, OPEN)

    assert plan.libraries == ("mpich-wheel", "openmpi")
    assert [(arm.arm, plan.library_of(arm), arm.modes) for arm in plan.arms] == [
        ("o01", "mpich-wheel", ("library",)),
        ("o02", "mpich-wheel", ("library_thread",)),
        ("o03", "openmpi", ("library",)),  # which has no thread of its own
    ]
    calibrations = [arm for arm, launch in plan.runs() if launch == 0]
    assert [plan.library_of(arm) for arm in calibrations] == ["mpich-wheel"]
    assert all(is_alike(calibrations[0], arm) for arm in plan.arms)


def test_a_plan_of_before_has_one_library() -> None:
    plan = plan_of(WHEEL)
    old = json.loads(plan.model_dump_json())
    for arm in old["arms"]:
        del arm["mpi"]

    read = OverlapPlan.model_validate(old)

    assert read.libraries == ("mpich-wheel",)
    assert {read.library_of(arm) for arm in read.arms} == {"mpich-wheel"}


def test_libraries_are_never_one_group_and_stand_beside_each_other() -> None:
    read = read_under_two(*(
        cell(2, nanoseconds, f"{library}{number}", size, launch=number)
        for library, nanoseconds in (("m", 4000), ("o", 9000))
        for size in (16, 512)
        for number in (1, 2, 3)
    ))  # fmt: skip

    assert [(group.size_bytes, group.place.mpi) for group in read.groups] == [
        (16, "mpich-wheel"), (16, "openmpi"), (512, "mpich-wheel"), (512, "openmpi"),
    ]  # fmt: skip
    assert {cell.settings["mpi"] for cell in overlap_cells(read)} == {"mpich-wheel", "openmpi"}
    told = facts_of(read)["groups"]
    assert [group["mpi"] for group in told] == ["mpich-wheel", "openmpi"] * 2
    (section,) = by_library(read)
    assert [len(block.rows) for block in section.blocks[::2]] == [2, 2]  # type: ignore[union-attr]
    text = " ".join(shown(read, "libraries").split())
    assert (
        "mpich-wheel is done first, with library after 4.01 us (0% of what can be hidden is)."
        in text
    )
    assert "All do the same work: as long as calls take under mpich-wheel." in text


def test_every_view_says_whose_line_is_whose() -> None:
    read = read_under_two(cell(2, 4000, "m1"), cell(2, 9000, "o1"))

    for view in ("osu", "overlap-test"):
        rows = [
            words
            for words in map(str.split, shown(read, view).splitlines())
            if words[:1] in (["mpich-wheel"], ["openmpi"])
        ]
        assert {row[0] for row in rows} == {"mpich-wheel", "openmpi"}
        assert all(row[1] == "library" for row in rows)
    summary = shown(read, "summary")
    assert "allreduce of 512 B, 2 ranks under mpich-wheel" in summary
    assert "allreduce of 512 B, 2 ranks under openmpi" in summary
    assert KIND.headline(read).mpi == "mpich-wheel, openmpi"
    assert KIND.headline(read).words.startswith("allreduce under mpich-wheel: ")
    page = KIND.page(read)
    assert page.sections[0].title == "Libraries beside each other"
    assert len({section.identifier for section in page.sections}) == len(page.sections)


def test_intervals_that_meet_leave_open_which_is_first() -> None:
    read = read_under_two(cell(2, 4000, "m1"), cell(2, 4000, "o1"))
    text = " ".join(shown(read, "libraries").split())
    assert "intervals do not tell it from openmpi" in text


def test_of_one_library_nothing_is_said_of_it() -> None:
    read = read_of(cell(2, 4000, "m1"))
    assert by_library(read) == []
    assert "--mpi wheel,openmpi compares several" in " ".join(shown(read, "libraries").split())
    assert "mpich-wheel" not in shown(read, "summary")
    assert KIND.headline(read).words.startswith("allreduce: ")
