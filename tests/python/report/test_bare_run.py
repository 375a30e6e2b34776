# SPDX-License-Identifier: Apache-2.0
"""The page of a run whose records hold little, as of the smallest graphs."""

import re

from isobath.records.codec import AnyRecord
from isobath.records.run import Host, RunRecord
from isobath.records.run_records import RunRecords
from isobath.report.page import page_html
from isobath.report.run_data import RunData
from isobath.report.sections import construction, validation
from report import sample_runs
from report.sample_runs import Sample


def test_a_page_bears_a_graph_without_arcs_and_a_machine_that_says_nothing() -> None:
    assert not re.search(r"\bNone\b", page_html(bare_data()))


def test_a_graph_without_arcs_has_no_imbalance() -> None:
    assert "Fact(name='imbalance', value='no arcs'" in str(construction.render(bare_data()).blocks)


def test_one_search_is_called_the_only_one() -> None:
    rows = sample_runs.records(Sample(searches=1))

    found = validation.caption(RunData(RunRecords.of(rows)))

    assert found.startswith("The only search passed every rule; ")


def bare_data() -> RunData:
    """A run of scale 1: two leaves joined by an edge; nothing optional is there."""
    run, built, search, finish = sample_runs.records(Sample(searches=1, levels=False))
    assert isinstance(run, RunRecord)
    counts = dict.fromkeys(("hubs", "stored_arcs", "searched_vertices", "isolated_vertices"), 0)
    absent = {name for name, field in Host.model_fields.items() if not field.is_required()}
    host = run.hosts[0].model_copy(update=dict.fromkeys(absent))
    optional = ("vertices_reached", "levels", "vertices_per_level", "validation")
    seconds = ("graph_generation_seconds", "construction_seconds")
    rows: list[AnyRecord] = [
        run.model_copy(update={"hosts": (host,), "binding": ()}),
        built.model_copy(update={**counts, "imbalance": None, "check": None, "phases": {}}),
        search.model_copy(update={**dict.fromkeys(optional), "phases": {}}),
        finish.model_copy(update=dict.fromkeys(seconds)),
    ]
    return RunData(RunRecords.of(rows))
