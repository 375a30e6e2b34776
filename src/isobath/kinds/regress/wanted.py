# SPDX-License-Identifier: Apache-2.0
"""What a regression will be: libraries, cells, members and turns, each checked beforehand."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from isobath.baseline.chain import Baseline, BaselineShelf
from isobath.baseline.entries import KeptCell
from isobath.baseline.gathering import MACHINE, machine_of
from isobath.baseline.machines import contradiction_of, machines_of
from isobath.baseline.outside import check_followed
from isobath.compared.launch_facts import OF_NODE
from isobath.errors import InconclusiveError, UsageError
from isobath.guard.design import design_turns
from isobath.guard.needed import design_for
from isobath.kinds.regress.learned import noises_of
from isobath.kinds.regress.members import (
    InnerStudy,
    RegressPlanned,
    inner_study,
    measurable,
    settings_kept,
    told_apart,
)
from isobath.kinds.regress.old_library import old_library
from isobath.kinds.regress.plan import PLAN, Purpose, RegressPlan, Side
from isobath.kinds.regress.settings import variables_of
from isobath.kinds.regress.sittings_kept import valid_sittings
from isobath.kinds.regress.suite import chosen, words_left_out
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.report.wording import count_of
from isobath.study.home import baselines_folder
from isobath.study.kind import ToDo
from isobath.study.planned import Planning
from isobath.units import format_roughly

USUAL_TURNS = 40


def planned_regress(values: Mapping[str, Any], planning: Planning) -> RegressPlanned:
    """Raises: UsageError, EnvironmentProblem; InconclusiveError on another machine."""
    if not values.get("baseline"):
        raise UsageError("name the baseline: ./isobath regress NAME; ./isobath baseline list")
    baseline = BaselineShelf(baselines_folder(values.get("store"))).find(values["baseline"]).read()
    across = bool(values.get("across_machines"))
    if not across:
        check_machine(baseline)
    variables = tuple(values.get("variables") or ())
    variables_of(variables)
    new = choose_library(Installation.here(), values.get("mpi") or None)
    against = values.get("against") or ""
    old, others = old_library(baseline, new, against, has_variables=bool(variables))
    sides: dict[Side, str] = {"old": old.id} if old is not None else {}
    sides["new"] = new.id
    planned = plan_for(
        baseline, values, planning, purpose="regression", sides=sides, variables=variables
    )
    return replace(planned, notes=(*others, *planned.notes))


def plan_for(
    baseline: Baseline,
    values: Mapping[str, Any],
    planning: Planning,
    *,
    purpose: Purpose,
    sides: Mapping[Side, str],
    variables: Sequence[str],
) -> RegressPlanned:
    """Args: values are those of settings. Raises: as ``planned_regress``."""
    suite = str(values.get("suite") or "quick")
    cells = chosen(baseline.archive.members, suite)
    members, left_out = measurable(baseline.archive.members, cells)
    check_followed(baseline, members)
    able = tuple(cell for member in members for cell in member.cells if cell in cells)
    margin, budget = float(values.get("margin") or 8.0) / 100, float(values.get("budget") or 600.0)
    turns = values.get("turns") or turns_for(baseline, able, margin, budget, len(sides))
    seed = secrets.randbelow(1 << 31) if values.get("seed") is None else int(values["seed"])
    names = told_apart(baseline.archive.members, members)
    inner: list[InnerStudy] = []
    for side, mpi in sides.items():
        for member, (place, word) in zip(members, names, strict=True):
            one = inner_study(member, able, suite, side=side, mpi=mpi, turns=turns, seed=seed,
                              planning=planning)  # fmt: skip
            told = one.member.model_copy(update={"place": place, "word": word})
            inner.append(replace(one, member=told))
    plan = RegressPlan(
        purpose=purpose,
        baseline=baseline.name,
        baseline_id=baseline.id,
        baseline_head=baseline.head,
        suite=suite,
        cells=tuple(cell.name for cell in able),
        mpi=dict(sides),
        variables=tuple(variables),
        turns=turns,
        budget_seconds=budget,
        margin=margin,
        across_machines=bool(values.get("across_machines")),
        seed=seed,
        members=tuple(one.member for one in inner),
        not_measured=tuple(left_out),
    )
    return RegressPlanned(
        PLAN,
        plan,
        settings_kept(values, seed),
        [launch for one in inner for launch in one.planned.launches],
        notes=(
            *words_left_out(baseline.archive.members, cells, suite),
            *(one.words for one in left_out),
            _note(plan),
        ),
        work=_work,
        inner=tuple(inner),
        baseline=baseline,
    )


def _work(folder: Any, driver: Any) -> ToDo:
    from isobath.kinds.regress.work import RegressWork

    return ToDo(RegressWork(folder.path, driver))


def _note(plan: RegressPlan) -> str:
    if plan.purpose == "noise":
        cells, launches = count_of(len(plan.cells), "cell"), count_of(plan.turns, "turn")
        return f"a sitting of noise: {cells}, {plan.mpi['new']}, {launches} (seed {plan.seed})"
    how = (
        f"{plan.mpi['old']} and {plan.mpi['new']} in turns"
        if plan.in_turns
        else f"{plan.mpi['new']} against the baseline's launches"
    )
    return (
        f"{count_of(len(plan.cells), 'cell')}, {how}, at most {count_of(plan.turns, 'turn')} in "
        f"about {format_roughly(plan.budget_seconds)} (seed {plan.seed})"
    )


def check_machine(baseline: Baseline) -> None:
    """Raises: InconclusiveError where the baseline was measured on another one, and where it does
    not say on which, or says two things.
    """
    here, there, name = machine_here(), machines_of(baseline), baseline.name
    contradiction = contradiction_of(baseline)
    if contradiction:
        raise InconclusiveError(
            f"the baseline {name} contradicts itself ({contradiction}): nobody knows what it "
            "is of; make a new one, or --across-machines compares all the same"
        )
    if not there:
        raise InconclusiveError(
            f"the baseline {name} does not say on which machine it was measured: whether anything "
            "holds here cannot be told; --across-machines compares all the same"
        )
    if here not in there:
        raise InconclusiveError(
            f"the baseline {name} was measured on another machine ({'; '.join(there)}; here "
            f"{here or 'not known'}): nothing it says holds here; --across-machines compares all "
            "the same"
        )


def machine_here() -> str:
    """As the key of a baseline has it."""
    node = read_environment(read_machine())
    facts = {}
    for name in MACHINE:
        value = node.get(OF_NODE[name])
        if value not in (None, ""):
            facts[name] = (
                ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            )
    return machine_of(facts)


def turns_for(
    baseline: Baseline, cells: Sequence[KeptCell], margin: float, budget: float, sides: int
) -> int:
    """What the noise asks for, as far as there is time; without noise a usual number."""
    sittings = valid_sittings(baseline, datetime.now(UTC))
    noises = noises_of(baseline, sittings)
    known = [noises[cell.name] for cell in cells if cell.name in noises]
    if not known:
        return USUAL_TURNS
    seconds = max(sitting.seconds_a_turn for sitting in sittings) * sides
    affordable = max(1, int(budget / seconds))
    return design_turns(design_for(known, margin, affordable, len(cells)), affordable)
