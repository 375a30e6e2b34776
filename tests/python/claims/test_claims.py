# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from isobath.claims.claim import built_in_claims, claim_of, parse_claims, read_claims
from isobath.claims.figure import Figure
from isobath.claims.recompute import Recomputed, Verdict, recompute
from isobath.errors import UsageError

BUILT_IN = {name: recompute(claim) for name, claim in built_in_claims().items()}


def said(found: Recomputed) -> str:
    return "; ".join(finding.sentence for finding in found.findings)


def given(**figures: object) -> Recomputed:
    return recompute(claim_of(figures))


def test_the_tsubame_rate_does_not_hold_and_scale_35_would_fit() -> None:
    found = BUILT_IN["tsubame2-teps"]

    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert "45.59 GTEPS, not 22.80 GTEPS; scale 35 would fit" in said(found)
    assert given(scale=35, seconds="24.12", gteps="22.8").verdict is Verdict.HOLDS


def test_the_tsubame_cores_are_hardware_threads() -> None:
    found = BUILT_IN["tsubame2-cores"]

    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert said(found) == "512 nodes x 12 are 6,144 cores; 12,288 = 512 x 24 are hardware threads"
    assert given(cores=6144, nodes=512, cores_per_node=12).verdict is Verdict.HOLDS
    assert said(given(cores=6145, nodes=512, cores_per_node=12)).endswith("not 6,145")


def test_the_tsubame_nodes_make_scale_35() -> None:
    assert BUILT_IN["tsubame2-scale"].verdict is Verdict.DOES_NOT_HOLD
    assert given(scale=35, scale_per_node=26, nodes=512).verdict is Verdict.HOLDS


@pytest.mark.parametrize("name", ["tsubame2-figure7", "tsubame2-figure2"])
def test_the_tsubame_axes_end_just_above_the_form(name: str) -> None:
    assert BUILT_IN[name].verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("tsubame2-grids", Verdict.HOLDS),
        ("tsubame2-processes", Verdict.HOLDS),
        ("deck-tuned", Verdict.CANNOT_TELL),
        ("deck-fdr-ethernet", Verdict.CANNOT_TELL),
        ("deck-shares-reference", Verdict.HOLDS),
        ("deck-sizes", Verdict.CANNOT_TELL),
        ("stampede2-shares", Verdict.HOLDS),
        ("juwels-booster", Verdict.HOLDS),
        ("fugaku-2025", Verdict.CANNOT_TELL),
        ("fugaku-over-k", Verdict.DOES_NOT_HOLD),
        ("sunway-2022", Verdict.HOLDS),
    ],
)
def test_other_published_figures(name: str, verdict: Verdict) -> None:
    assert BUILT_IN[name].verdict is verdict


def test_a_record_without_a_time_says_how_long_a_search_would_take() -> None:
    assert said(BUILT_IN["fugaku-2025"]).endswith("a search of scale 43 takes 690 ms")


@pytest.mark.parametrize("claim", built_in_claims().values(), ids=lambda claim: claim.name)
def test_every_published_figure_has_its_source(claim: object) -> None:
    from isobath.claims.claim import Claim

    assert isinstance(claim, Claim)
    assert claim.source
    assert claim.quotable
    assert len(claim.name) < 22
    assert len(claim.says) <= 44


@pytest.mark.parametrize(
    ("text", "low", "value", "high"),
    [("22.8", 22.75, 22.8, 22.85), ("12,288", 12287.5, 12288, 12288.5), ("2e3", 1500, 2000, 2500)],
)
def test_digits_say_how_far_a_figure_was_rounded(
    text: str, low: float, value: float, high: float
) -> None:
    assert Figure.parse(text) == Figure(text, low, value, high)


@pytest.mark.parametrize("text", ["", "many", "0", "-3", "nan", "inf", "1e99", "True", "[1]"])
def test_what_is_no_figure_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no"):
        Figure.parse(text)


def test_rounding_decides_whether_a_rate_holds() -> None:
    """2^20 x 16 edges in 1.0 s: 16.8 MTEPS; the time is anything from 0.95 to 1.05 s."""
    assert given(scale=20, seconds="1.0", teps="17.6e6").verdict is Verdict.HOLDS
    assert given(scale=20, seconds="1.0", teps="18.5e6").verdict is Verdict.DOES_NOT_HOLD
    assert given(scale=20, seconds="1.00", teps="17.6e6").verdict is Verdict.DOES_NOT_HOLD


def test_a_rate_between_two_scales_fits_none() -> None:
    assert "no scale would fit, the nearest is 19.42" in said(
        given(scale=20, seconds="1.000", teps="11.2e6")
    )


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"scale": 20, "seconds": "1.0"}, "16.78 MTEPS; no rate is given to compare"),
        ({"scale": 20, "teps": "16.8e6"}, "no time is given with scale and rate"),
        ({"seconds": "24.12", "gteps": "22.8"}, "rate and time; scale 35 would fit"),
        ({"gteps": "22.8"}, "a rate alone"),
        ({"seconds": "24.12"}, "no rate and scale are given with the time"),
        ({"nodes": 3}, "nothing in it can be recomputed"),
    ],
)
def test_what_is_missing_is_named(figures: dict[str, object], words: str) -> None:
    found = given(**figures)

    assert found.verdict is Verdict.CANNOT_TELL
    assert words in said(found)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("grids = [[6, 2, 3]]", Verdict.HOLDS),
        ("grids = [[6, 2, 4]]", Verdict.DOES_NOT_HOLD),
        ("grids = [[6, 1, 6]]", Verdict.DOES_NOT_HOLD),
        ("shares = {a = 60, b = 50}", Verdict.DOES_NOT_HOLD),
        ("decreasing = true\nshares = {a = 30, b = 50}", Verdict.DOES_NOT_HOLD),
        ("shares = {a = 30, b = 50}", Verdict.HOLDS),
        ('series = [["2", "3.0", "2.0", "1.5"]]', Verdict.HOLDS),
        ('series = [["2", "3.0", "2.0", "1.7"]]', Verdict.DOES_NOT_HOLD),
        ("gteps = 10\nnodes = 4\ngteps_per_node = 2.5", Verdict.HOLDS),
        ("gteps = 100\nunits = 4\ngteps_per_unit = 2.5", Verdict.DOES_NOT_HOLD),
        ("ranks = 12\nnodes = 4\nranks_per_node = 4", Verdict.DOES_NOT_HOLD),
        ("scale=35\nranks_per_node=2\nlevels=9\naxis_gigabytes=70", Verdict.DOES_NOT_HOLD),
    ],
)
def test_each_kind_of_claim_can_hold_or_not(text: str, verdict: Verdict) -> None:
    (claim,) = parse_claims(text, "here.toml")

    assert claim.name == "here"
    assert recompute(claim).verdict is verdict


def test_a_file_may_hold_several_claims(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[claim]]\nname = "a"\nscale = 20\n[[claim]]\nname = "b"\n', encoding="utf-8")

    assert [claim.name for claim in read_claims(path)] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scale = ", "mine.toml"),
        ("claim = 3", "write \\[\\[claim\\]\\]"),
        ("colour = 3", "no field 'colour'"),
        ("grids = [[1, 2]]", "have not the form"),
        ("grids = 7", "have not the form"),
        ("shares = [1]", "have not the form"),
        ('series = [["1"]]', "have not the form"),
        ("scale = [1]", "is no number"),
    ],
)
def test_a_file_that_holds_no_claim_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_claims(text, "mine.toml")


def test_a_scale_beyond_all_graphs_is_refused() -> None:
    with pytest.raises(UsageError, match="larger than any graph"):
        given(scale=2000, seconds=1)
    with pytest.raises(UsageError, match="no whole number"):
        given(scale="20.5", seconds=1)
