# SPDX-License-Identifier: Apache-2.0
"""The plainest reading of the rules, beside the official figure."""

from isobath.report.plainest import LABEL, SWITCHES
from isobath.report.run_data import RunData
from isobath.report.wording import significant
from isobath.units import format_seconds, format_teps
from isobath.view.content import Fact, Facts, Section

TITLE = "Plainest reading"

needs = ("run.official",)


def applies(data: RunData) -> bool:
    """Whether it was asked for."""
    return data.plainest is not None


def render(data: RunData) -> Section:
    """The second figure and the ratio with its interval, or why there is none."""
    assert data.plainest is not None, "asked by applies"
    lead = data.plainest.sentence
    lead = lead[0].upper() + lead[1:]
    figure = data.plainest.figure
    if figure is None:
        return Section("plainest", TITLE, lead=lead)
    ratio = figure.ratio
    bounds = "" if ratio.low is None else f"{ratio.low:.3f} to {ratio.high:.3f}, over keys"
    facts = (
        Fact(LABEL, format_teps(figure.teps.value), "harmonic mean, kernel 2"),
        Fact("official to plainest", significant(ratio.value), bounds),
        Fact("construction", format_seconds(figure.construction_seconds), SWITCHES),
    )
    return Section("plainest", TITLE, (Facts(facts, style="large"),), lead=lead)
