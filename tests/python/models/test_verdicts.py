# SPDX-License-Identifier: Apache-2.0
"""Formulas that are known are found again; wrong ones are recognised; noise has no skill."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isobath.models.families import FAMILIES, formulas_for
from isobath.models.fitting import Model, Modelled, model_subject
from isobath.models.formula import ASKED, read_formula
from isobath.models.points import Sample, points_of
from isobath.models.subjects import Place, Subject
from isobath.models.time_formulas import WrittenFormula
from isobath.models.validation import held_out, splits_of
from models.made import RANKS, SIZES, made_points, made_samples

TimeOf = Callable[[float, float], float]


def modelled(
    formula: TimeOf,
    text: str | None,
    *,
    of: str = "alltoall",
    given: dict[str, float] | None = None,
    families: bool = True,
    **more: object,
) -> Modelled:
    samples = made_samples(formula, **more)  # type: ignore[arg-type]
    return of_samples(samples, text, of=of, given=given, families=families)


def of_samples(
    samples: list[Sample],
    text: str | None,
    *,
    of: str = "alltoall",
    place: Place = "",
    is_blended: bool = False,
    given: dict[str, float] | None = None,
    families: bool = True,
) -> Modelled:
    subject = Subject(of, of, place, tuple(samples), is_blended=is_blended)
    wanted = None
    if text is not None:
        wanted = WrittenFormula(ASKED, read_formula(text, samples[0].numbers), given or {})
    return model_subject(subject, wanted, families=families, resamples=40)


def model(found: Modelled, name: str = ASKED) -> Model:
    return next(one for one in found.models if one.candidate.formula.name == name)


def pairwise(p: float, m: float) -> float:
    return (p - 1) * (2e-6 + 3e-10 * m)


@settings(max_examples=12, deadline=None)
@given(
    alpha=st.floats(1e-7, 1e-4),
    share=st.floats(0.05, 20),
    noise=st.sampled_from([0.005, 0.03]),
    seed=st.integers(1, 1000),
)
def test_parameters_that_are_known_are_found_again(
    alpha: float, share: float, noise: float, seed: int
) -> None:
    beta = share * alpha / 2**14  # so that neither hides the other
    points = made_points(
        lambda p, m: float(np.log2(p)) * (alpha + beta * m), noise=noise, seed=seed
    )
    formula = WrittenFormula(ASKED, read_formula("log2(p)*(a + b*m)", points.columns))

    fitted = formula.fit(points)

    assert fitted.parameters["a"] == pytest.approx(alpha, rel=4 * noise)
    assert fitted.parameters["b"] == pytest.approx(beta, rel=4 * noise)


def test_an_exponent_and_a_maximum_are_found_again() -> None:
    points = made_points(lambda p, m: 3e-6 * p**0.7 + max(5e-6, 4e-11 * m**1.25), noise=0.002)
    formula = WrittenFormula(ASKED, read_formula("a*p**c + max(g, b*m**e)", points.columns))

    found = formula.fit(points).parameters

    expected = {"a": 3e-6, "c": 0.7, "g": 5e-6, "b": 4e-11, "e": 1.25}
    assert found == pytest.approx(expected, rel=0.15)


def test_outliers_do_not_move_parameters() -> None:
    samples = made_samples(pairwise, noise=0.01)
    for place in (3, 11, 30):
        one = samples[place]
        samples[place] = Sample(one.title, one.numbers, {}, tuple((k, 9 * t) for k, t in one.taken))

    found = of_samples(samples, "(p - 1)*(a + b*m)", families=False)

    fitted = model(found).candidate.fitted.parameters
    assert fitted == pytest.approx({"a": 2e-6, "b": 3e-10}, rel=0.03)


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_a_right_form_holds_and_its_intervals_hold_the_truth(seed: int) -> None:
    found = model(modelled(pairwise, "(p - 1)*(alpha + beta*m)", seed=seed, families=False))

    verdict = found.judged.verdict
    assert verdict.outcome == "holds", verdict.sentence
    for name, truth in (("alpha", 2e-6), ("beta", 3e-10)):
        low, high = found.drawn.interval(name, found.candidate.fitted.parameters[name]) or (0, 0)
        assert low < truth < high
        assert high / low < 1.2


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("alpha + beta*m", "with p: "),
        ("alpha + beta*p", "with m: "),
        ("(p - 1)*(alpha + beta*m**2)", "m"),
        ("log2(p)*(alpha + beta*m)", "with p: "),
        ("2*(sqrt(p) - 1)*alpha + p*(sqrt(p) - 1)*beta*m", "with p: "),
    ],
)
def test_a_wrong_form_is_recognised_and_its_structure_named(text: str, named: str) -> None:
    verdict = model(modelled(pairwise, text, families=False)).judged.verdict

    assert verdict.outcome == "wrong form", verdict.sentence
    assert named in verdict.sentence
    assert "% too " in verdict.sentence


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 7))]
)
def test_noise_alone_has_no_skill(seed: int) -> None:
    found = modelled(lambda p, m: 1e-5, "alpha + beta*m", noise=0.2, seed=seed, families=False)

    verdict = model(found).judged.verdict
    assert verdict.outcome == "no skill", verdict.sentence
    assert "the same time everywhere is as good a guess" in verdict.sentence


@pytest.mark.parametrize(
    ("time_of", "text", "null"),
    [
        (lambda p, m: 2e-6 + 3e-10 * m, "alpha + beta*m**0.97", "hockney"),
        (lambda p, m: 2 * (np.sqrt(p) - 1) * 2e-6 + p * (np.sqrt(p) - 1) * 3e-10 * m,
         "2*(sqrt(p) - 1)*alpha + p*(sqrt(p) - 1)*beta*m**0.97", "stampede2"),
        (lambda p, m: 5e-6 + 1e-9 * p * m, "alpha + beta*p*m**0.97", "pmnf"),
    ],
)  # fmt: skip
def test_a_null_model_that_says_more_is_named(time_of: TimeOf, text: str, null: str) -> None:
    """Formulas off by a few per cent along sizes, where a null model has the formula itself."""
    verdict = model(modelled(time_of, text, noise=0.004, families=False)).judged

    assert verdict.verdict.outcome in ("no skill", "wrong form"), verdict.verdict.sentence
    assert "no skill" in verdict.verdict.sentence
    assert null in verdict.beaten_by, verdict.beaten_by


@pytest.mark.parametrize(
    ("time_of", "text", "ranks"),
    [
        (pairwise, "(p - 1)*(alpha + beta*m)", (2,)),  # where Hockney says the same
        (pairwise, "(p - 1)*(alpha + beta*m)", (4,)),  # and the mesh
        (lambda p, m: float(np.log2(p)) * (2e-6 + 3e-10 * m), "log2(p)*(alpha + beta*m)", RANKS),
    ],
)  # fmt: skip
def test_a_null_model_that_can_say_the_same_does_not_win(
    time_of: TimeOf, text: str, ranks: tuple[float, ...]
) -> None:
    """The agnostic form holds the last formula among its own: as good is not better."""
    judged = model(modelled(time_of, text, ranks=ranks, families=False)).judged

    assert judged.verdict.outcome == "holds", judged.verdict.sentence
    assert judged.beaten_by == ()


def test_wrong_values_that_were_given_are_told_from_a_wrong_form() -> None:
    text = "(p - 1)*(alpha + beta*m)"

    wrong = model(modelled(pairwise, text, given={"beta": 6e-10}, families=False))
    right = model(modelled(pairwise, text, given={"beta": 3e-10}, families=False))
    form = model(modelled(pairwise, "alpha + beta*m", given={"beta": 6e-10}, families=False))

    assert wrong.judged.verdict.outcome == "wrong parameters"
    assert "beta 3e-10 instead of 6e-10" in wrong.judged.verdict.sentence
    assert right.judged.verdict.outcome == "holds"
    assert form.judged.verdict.outcome == "wrong form"


def test_parameters_that_were_blended_are_told() -> None:
    inside = made_samples(pairwise, seed=1)
    outside = made_samples(lambda p, m: (p - 1) * (2e-5 + 8e-9 * m), seed=2)
    samples = [
        Sample(one.title, one.numbers, {"place": place}, one.taken)
        for place, several in (("within a node", inside), ("between nodes", outside))
        for one in several
    ]

    found = of_samples(samples, "(p - 1)*(alpha + beta*m)", is_blended=True)

    verdict = model(found).judged.verdict
    assert verdict.outcome == "wrong parameters", verdict.sentence
    assert "with its own in each place" in verdict.sentence
    assert "between nodes: alpha 1.99e-05" in verdict.sentence
    assert model(found, "stampede2").judged.verdict.outcome == "wrong form"


@pytest.mark.parametrize(
    ("formula", "of", "names"),
    [
        (pairwise, "alltoall", {"pairwise", "linear"}),
        (lambda p, m: np.ceil(np.log2(p)) * (2e-6 + 3e-10 * m), "allreduce",
         {"recursive doubling"}),
        (lambda p, m: (p - 1) * 2e-6 + (p - 1) * m * 3e-10, "allgather", {"ring"}),
        (lambda p, m: np.ceil(np.log2(p)) * 2e-5 + (p - 1) * m * 3e-10, "allgather",
         {"bruck allgather"}),
        (lambda p, m: 2 * (p - 1) * 2e-6 + 2 * (p - 1) / p * m * 3e-10, "allreduce",
         {"ring allreduce"}),
        (lambda p, m: 2 * (np.sqrt(p) - 1) * 2e-6 + p * (np.sqrt(p) - 1) * 3e-10 * m, "alltoall",
         {"stampede2"}),
    ],
)  # fmt: skip
def test_the_law_that_is_there_is_chosen(formula: TimeOf, of: str, names: set[str]) -> None:
    found = modelled(formula, None, of=of, noise=0.02, ranks=(2, 3, 4, 6, 8, 12, 16))

    assert found.chosen in names, [(one.formula.name, one.between) for one in found.candidates[:4]]
    assert model(found, found.chosen).judged.verdict.outcome == "holds"


def test_a_change_of_law_along_sizes_is_met_in_pieces() -> None:
    def eager(p: float, m: float) -> float:
        return 2e-6 + 1e-9 * m if m < 4096 else 2e-5 + 2e-10 * m

    found = modelled(eager, "alpha + beta*m", of="pingpong", ranks=(2,),
                     sizes=[2.0**power for power in range(3, 22)], noise=0.02)  # fmt: skip

    assert found.chosen == "hockney, in pieces"
    bounds = model(found, found.chosen).candidate.fitted.parameters
    assert "alpha[m from 4096]" in bounds
    verdict = model(found).judged.verdict
    assert verdict.outcome == "wrong form"


def test_exponents_tell_one_and_a_half_from_one() -> None:
    straight = modelled(lambda p, m: p * (2e-6 + 3e-10 * m), None, families=False).exponents
    steep = modelled(lambda p, m: p * (2e-6 + 3e-12 * m**1.5), None, families=False).exponents

    (first,) = (one for one in straight if one.symbol == "m")
    (second,) = (one for one in steep if one.symbol == "m")
    assert first.value == pytest.approx(1.0, abs=0.02)
    assert not first.tells_from_linear
    assert second.value == pytest.approx(1.5, abs=0.02)
    assert second.interval[0] < 1.5 < second.interval[1]
    assert second.tells_from_linear


def test_what_lies_beyond_is_told_apart() -> None:
    """A formula that bends only beyond the points does well between them."""
    found = modelled(
        lambda p, m: (p - 1) * (2e-6 + 3e-10 * m) * (3.0 if p == 16 else 1.0),
        "(p - 1)*(alpha + beta*m)",
        families=False,
    )

    held = model(found).candidate.held
    assert set(held) == {"random folds", "largest size left out", "largest ranks left out"}
    assert held["largest ranks left out"].median_error > 1.5
    assert held["largest ranks left out"].bias < -0.6
    assert held["largest ranks left out"].covered == 0


def test_intervals_of_predictions_cover_what_they_say() -> None:
    covered = total = 0
    for seed in range(12):
        points = made_points(pairwise, seed=seed)
        formula = WrittenFormula(ASKED, read_formula("(p - 1)*(alpha + beta*m)", points.columns))
        held = held_out(formula, points, splits_of(points)[0][1])
        assert held is not None
        covered, total = covered + held.covered, total + len(held.errors)

    assert 0.86 < covered / total < 0.95


def test_every_family_can_be_computed() -> None:
    rng = np.random.default_rng(1)
    samples = []
    for p in RANKS:
        for m in SIZES:
            numbers = {
                "p": p, "m": m, "nodes": p / 2, "ppn": 2.0, "off": m * p, "inside": m * 2,
                "link": m * p**1.5,
                "busiest": m * p, "steps": m * p, "peers": p - 1, "edges": 2.0 * m, "calls": p,
                "messages": p * p, "bytes": m * p,
            }  # fmt: skip
            time = float((p - 1) * (1e-6 + 1e-9 * m) * np.exp(0.02 * rng.standard_normal()))
            samples.append(Sample(f"{p} {m}", numbers, {}, ((0, time), (1, time * 1.01))))
    subject = Subject("x", "x", "", tuple(samples))

    for family in FAMILIES:
        of = family.of[0] if family.of else "anything"
        formulas = formulas_for(points_of(subject.samples), of, between_nodes=True)
        formula = next(one for one in formulas if one.name == family.name)
        fitted = formula.fit(points_of(subject.samples))
        assert all(value >= 0 for value in fitted.parameters.values())


def test_the_busiest_link_is_told_from_the_adapter() -> None:
    """Exchanges on a line of nodes: its middle link carries what grows with the square of nodes."""
    from isobath.costmodel.torus import Torus

    rng = np.random.default_rng(3)
    samples = []
    for nodes in (4, 8, 12, 16):
        for m in SIZES[::2]:
            link = Torus((nodes,), (False,)).busiest_of_all_to_all(m)
            numbers = {"p": float(nodes), "m": m, "nodes": float(nodes), "ppn": 1.0,
                       "off": m * (nodes - 1), "inside": 0.0, "link": link}  # fmt: skip
            taken = tuple(
                (turn, float((2e-5 + link * 1e-8) * np.exp(0.02 * rng.standard_normal())))
                for turn in range(3)
            )
            samples.append(Sample(f"{nodes} {m}", numbers, {}, taken))

    found = of_samples(samples, None, place="between nodes")

    assert found.chosen in ("link load", "link load by messages"), found.chosen


def test_too_few_points_are_refused_or_cannot_tell() -> None:
    few = modelled(pairwise, "(p - 1)*(alpha + beta*m)", ranks=(2,), sizes=SIZES[:4])
    assert model(few).judged.verdict.outcome == "cannot tell"
    fewer = modelled(pairwise, "alpha + beta*m", ranks=(2,), sizes=SIZES[:2])
    assert fewer.refused == "2 points are too few for the 2 parameters of the formula"


def test_errors_far_above_the_scatter_of_launches_do_not_hold() -> None:
    """Every point has an error of its own that all its launches share: no factor tells it."""
    rng = np.random.default_rng(4)
    factors = {(p, m): float(np.exp(0.35 * rng.standard_normal())) for p in RANKS for m in SIZES}
    found = modelled(
        lambda p, m: pairwise(p, m) * factors[p, m],
        "(p - 1)*(alpha + beta*m)",
        noise=0.01,
        families=False,
    )

    verdict = model(found).judged.verdict
    assert verdict.outcome == "cannot tell", verdict.sentence
    assert "where launches scatter by 0." in verdict.sentence


def test_a_formula_that_is_no_number_at_a_point_says_where() -> None:
    found = modelled(pairwise, "alpha + beta*m/(p - 4)")

    assert found.refused.startswith("the formula is no number where m = ")
    assert "p = 4" in found.refused


def test_one_launch_gives_intervals_of_residuals() -> None:
    found = model(modelled(pairwise, "(p - 1)*(alpha + beta*m)", launches=1))

    assert found.drawn.over == "residuals"
    low, high = found.drawn.interval("beta", found.candidate.fitted.parameters["beta"]) or (0, 0)
    assert low < 3e-10 < high
