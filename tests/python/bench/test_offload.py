# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

from bench.made_up import measured_of
from isobath.bench.identity import Identities
from isobath.bench.measured import Measured
from isobath.bench.offload import OFF, missing, offload_arms, offloads_of
from isobath.bench.plan import Arm, Cell
from isobath.bench.regret import regrets_of
from isobath.bench.rules import rule_files
from isobath.launch.offload_hardware import found_in

UCC_LINE = "mca:coll:ucc:version:mca:2.1.0"
HCOLL_LINE = "mca:coll:hcoll:version:mca:2.1.0"


def plain_arm() -> Arm:
    cells = tuple(Cell(collective="allreduce", size_bytes=size, shape="2") for size in (8, 64))
    return Arm(arm="a01", mpi="m", family="openmpi", ranks=2, cells=cells)


def test_an_offload_is_offered_where_its_component_is() -> None:
    both = found_in(f"{UCC_LINE}\n{HCOLL_LINE}\n").components

    assert offloads_of(["all"], both) == ("ucc", "hcoll", "sharp")
    assert offloads_of(["sharp"], found_in(HCOLL_LINE).components) == ("sharp",)
    assert offloads_of(["all"], found_in("mca:coll:tuned:version").components) == ()
    assert missing(["all"], found_in(UCC_LINE).components) == ("hcoll", "sharp")
    assert missing(["ucc"], ()) == ("ucc",)


def test_every_offload_has_its_arm_and_all_off_one_more() -> None:
    on, off = offload_arms(plain_arm(), ["ucc"])

    assert on.environment["OMPI_MCA_coll_ucc_enable"] == "1"
    assert on.environment["OMPI_MCA_coll_hcoll_enable"] == "0"
    assert set(off.environment.values()) == {"0"}
    assert {one.algorithm.name for one in on.cells if one.algorithm} == {"ucc"}
    assert {one.algorithm.name for one in off.cells if one.algorithm} == {OFF}
    assert [one.size_bytes for one in on.cells] == [8, 64]
    assert len({arm.arm for arm in (plain_arm(), on, off)}) == 3
    assert offload_arms(plain_arm(), []) == ()
    (_, sharp, _) = offload_arms(plain_arm(), ["hcoll", "sharp"])
    assert sharp.environment["HCOLL_ENABLE_SHARP"] == "3"


def offloaded(stack: dict[str, int]) -> Measured:
    """An allreduce that ucc makes twice as fast, and what its stacks hold."""
    measured = measured_of(
        {("allreduce", 8, ""): 8e-6, ("allreduce", 8, "ucc"): 4e-6}, family="openmpi"
    )
    (on, _) = offload_arms(plain_arm(), ["ucc"])
    default, fast = measured.cells
    cell = fast.cell.model_copy(update={"algorithm": on.cells[0].algorithm})
    rows = [row.model_copy(update={"stack_samples": 50, "stack_functions": stack})
            for row in fast.records]  # fmt: skip
    return replace(measured, cells=(default, replace(fast, cell=cell, records=tuple(rows))))


def test_an_offload_is_in_the_regret_but_in_no_rule_file() -> None:
    measured = offloaded({"mca_coll_ucc_allreduce": 45})

    (one,) = regrets_of(measured)

    assert (one.best.choice, one.is_clear) == ("ucc", True)
    assert rule_files(measured) == ()
    found = Identities(measured).of(measured.cells[1])
    assert (found.algorithm, found.source, found.contradicts) == ("ucc", "stack", False)


def test_an_offload_that_did_not_answer_is_said() -> None:
    measured = offloaded({"ompi_coll_base_allreduce_intra_ring": 45})

    found = Identities(measured).of(measured.cells[1])

    assert found.contradicts
    assert "no function of ucc is on its stacks" in found.evidence
