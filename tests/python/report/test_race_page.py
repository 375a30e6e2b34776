# SPDX-License-Identifier: Apache-2.0
"""The page of a race as text: with all data, little, none, unvalidated, oversubscribed, hostile."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from isobath.records.phases import SEARCH_PHASES
from isobath.report.race_communication import matrix_of
from isobath.report.race_data import RaceData
from isobath.report.race_page import SECTIONS, race_page_html
from isobath.report.race_sections import (
    audit,
    bytes_by_nodes,
    calls,
    headline,
    ladder,
    levels,
    method,
    results,
    speed,
    traffic,
)
from isobath.report.race_wording import CALL_COLOURS, OTHER_CALLS, PLANS, plan_colour
from isobath.view import html as view_html
from isobath.view.content import Facts, Figure, Links, Section, Table
from report.sample_races import SampleRace, race_of

STYLES = Path(view_html.__file__).parent / "templates" / "style.css"

FULL = SampleRace()
SMALL = SampleRace(plans=("replicated-csr", "two-dim", "hybrid"), ranks=(1, 4), keys=3)
ONE = SampleRace(plans=("two-dim",), ranks=(4,), keys=1, ladder=False)
BARE = replace(ONE, ledger=False, audit=False)
NODES = replace(SMALL, nodes=2)
LIBRARIES = SampleRace(
    plans=("two-dim", "hybrid"),
    ranks=(1, 2),
    keys=4,
    mpi=("mpich", "openmpi"),
    scales=(18, 20),
    ladder=False,
)
HOSTILE = replace(
    SMALL,
    race_id="<script>alert('race')</script>",
    hostname="\"><img src=x onerror=alert('host')>\x1b[31m{{ 7 * 7 }}</style></svg>",
    plans=("two-dim", "</svg><b>"),
)
NOTHING = RaceData("20261121-081500-race-none")


@cache
def race(sample: SampleRace) -> RaceData:
    return race_of(sample)


@cache
def html_of(sample: SampleRace) -> str:
    return race_page_html(race(sample))


@cache
def section_with(module: ModuleType, sample: SampleRace) -> Section:
    found: Section = module.render(race(sample))
    return found


def name_of(section: ModuleType) -> str:
    return section.__name__.rpartition(".")[2]


def text_of(section: Section) -> str:
    return f"{section.lead} {section.blocks}"


def tables_of(section: Section) -> list[Table]:
    figures = [block for block in section.blocks if isinstance(block, Figure)]
    tables = [block for block in section.blocks if isinstance(block, Table)]
    return tables + [figure.table for figure in figures if figure.table is not None]


every_section = pytest.mark.parametrize("section", SECTIONS, ids=name_of)


@every_section
@pytest.mark.parametrize("sample", [SMALL, NODES], ids=["one_node", "nodes"])
def test_a_section_with_all_data_speaks_in_a_sentence(
    section: ModuleType, sample: SampleRace
) -> None:
    found = section_with(section, sample)

    assert found.title == section.TITLE
    assert found.lead.endswith(".")
    assert found.blocks


@every_section
def test_a_section_without_data_says_so_in_one_line(section: ModuleType) -> None:
    found: Section = section.render(NOTHING)

    assert found.lead.endswith(".")
    if name_of(section) not in ("method", "glossary"):
        assert found.blocks == ()


@every_section
@pytest.mark.parametrize("sample", [ONE, BARE], ids=["one_cell", "one_cell_without_ledger"])
def test_a_section_bears_one_point(section: ModuleType, sample: SampleRace) -> None:
    assert section_with(section, sample).lead.endswith(".")


@every_section
@pytest.mark.parametrize("sample", [SMALL, NODES, LIBRARIES], ids=["small", "nodes", "libraries"])
def test_every_figure_has_a_sentence_and_a_table_fits_its_headings(
    section: ModuleType, sample: SampleRace
) -> None:
    found = section_with(section, sample)

    for block in found.blocks:
        if isinstance(block, Figure):
            assert re.fullmatch(r"[A-Z].+\.", block.caption)
    for table in tables_of(found):
        assert {len(row) for row in table.rows} <= {len(table.columns)}


def test_the_same_race_gives_the_same_page(forget_pictures: Callable[[], None]) -> None:
    before = html_of(SMALL)
    forget_pictures()

    assert race_page_html(race_of(SMALL)) == before


def test_a_race_of_nothing_is_a_page() -> None:
    html = race_page_html(NOTHING)

    assert "No cell of this race has a completed search yet." in html
    assert html.count("<section id=") == len(SECTIONS)


def test_no_number_stands_without_the_word_unvalidated() -> None:
    sample = replace(SMALL, validated=False)
    html = html_of(sample)

    parts = re.findall(r"<section id=.*?</section>", html, flags=re.S)
    assert len(parts) == len(SECTIONS)
    assert re.search(r"<title>UNVALIDATED ", html)
    for module, part in zip(SECTIONS, parts, strict=True):
        found = section_with(module, sample)
        if not found.measured:
            continue
        assert "UNVALIDATED" in part[: part.index("</h2>")]
        unmeasured = [b for b in found.blocks if isinstance(b, Figure) and not b.measured]
        pieces = re.findall(r"<summary.*?</summary>|<figcaption.*?</figcaption>", part)
        assert sum("UNVALIDATED" not in piece for piece in pieces) == len(unmeasured)
        drawings = re.findall(r"<svg.*?</svg>", part, flags=re.S)
        unmarked = sum(">UNVALIDATED<" not in drawing for drawing in drawings)
        assert unmarked == 2 * len(unmeasured)


def test_a_sound_race_is_never_called_unvalidated_outside_the_glossary() -> None:
    html = html_of(SMALL)

    assert "UNVALIDATED" not in html[: html.index('<section id="glossary"')]


def test_bytes_are_facts_and_times_are_not() -> None:
    html = html_of(SMALL)

    assert "OVERSUBSCRIBED: more ranks times threads than processors. Bytes are facts" in html
    assert html.count("PARTLY OVERSUBSCRIBED") > 12
    fair = html_of(replace(SMALL, processors=64))
    assert "OVERSUBSCRIBED" not in fair[: fair.index('<section id="method"')]


def test_the_winner_is_sought_where_times_are_measurements() -> None:
    found = headline.headline(race(FULL))

    assert found.value == "hybrid"
    assert found.meaning.startswith("fastest with 2 ranks: ")
    assert re.search(r"times as fast as replicated-csc, the next \(95 % interval", found.meaning)
    assert found.good


def test_where_every_cell_is_oversubscribed_bytes_decide() -> None:
    found = headline.headline(race(replace(SMALL, processors=0)))

    assert found.value == "hybrid"
    assert found.meaning.startswith("sends least with 4 ranks: ")


def test_a_race_of_few_keys_is_called_not_official() -> None:
    html = html_of(SMALL)

    assert "<title>PARTLY OVERSUBSCRIBED NOT OFFICIAL Race" in html
    assert "NOT OFFICIAL: a comparison from 3 keys" in html
    official = race_page_html(replace(race(SMALL), official=True))
    assert "NOT OFFICIAL" not in official


def test_a_byte_too_many_is_named_first() -> None:
    sample = replace(SMALL, deviation=8)
    html = html_of(sample)
    found = section_with(audit, sample)

    assert not headline.headline(race(sample)).good
    assert re.search(r"AUDIT FAILED: replicated-csr, search 0, level 0, phase expand: ", html)
    assert "1 entries differ" in found.lead
    assert found.blocks[0].caption == "Deviations"  # type: ignore[union-attr]


def test_cells_without_a_run_are_said_to_be_missing() -> None:
    whole = race(SMALL)
    cut = replace(whole, cells=(*whole.cells[:4], replace(whole.cells[4], runs=())))

    html = race_page_html(cut)

    assert "UNFINISHED: 1 of 5 cells have no completed search" in html


def test_points_of_oversubscribed_cells_are_hollow() -> None:
    drawing = section_with(speed, SMALL).blocks[0].chart.draw().wide  # type: ignore[union-attr]

    hollow = re.findall(r'<path[^>]*fill="var\(--surface\)"[^>]*stroke="var\(--plan', drawing)
    filled = re.findall(r'<path[^>]*fill="var\(--plan[^>]*stroke="var\(--plan', drawing)
    assert len(hollow) == 3
    assert len(filled) == 3


def test_enough_ranks_give_two_ranges() -> None:
    assert "up to 4 ranks" in section_with(speed, FULL).blocks[0].chart.draw().wide  # type: ignore[union-attr]
    assert "up to" not in section_with(speed, SMALL).blocks[0].chart.draw().wide  # type: ignore[union-attr]


def test_the_crossover_of_the_graph_at_hand_is_named() -> None:
    """Scale 20 on 4 x 4: two-dim moves tens of times more; they cross at hundreds of ranks."""
    found = bytes_by_nodes.crossing(list(race(FULL).main))

    numbers = re.search(
        r"a rank of 16 receives (\d+) kB per search under replicated-csr and ([\d.]+) MB under "
        r"plain two-dim \(4 . 4\), ([\d.]+) times as much. The closed forms cross at "
        r"([\d,]+) ranks",
        found,
    )
    assert numbers is not None
    assert 600 < float(numbers[1]) < 1000
    assert 24 < float(numbers[2]) < 27
    assert 20 < float(numbers[3]) < 50
    assert 250 < float(numbers[4].replace(",", "")) < 700


def test_the_replicated_plan_lies_on_its_curve() -> None:
    cells = [cell for cell in race(FULL).main if cell.plan == "replicated-csr" and cell.ranks > 1]

    for cell in cells:
        formula = bytes_by_nodes.formula_of(cell)
        assert formula.is_exact
        assert cell.mean_bytes == pytest.approx(formula.expected, rel=0.01)


def test_calls_are_shares_of_mpi_and_of_the_run() -> None:
    lead = section_with(calls, SMALL).lead

    assert "of the MPI time of" in lead
    assert "MPI as a whole takes" in lead


def test_count_exchanges_are_a_line_of_their_own() -> None:
    tables = tables_of(section_with(calls, SMALL))

    found = next(table for table in tables if table.caption.startswith("Count exchanges"))
    assert [row[0] for row in found.rows] == ["two-dim", "hybrid"]


def test_sizes_say_what_they_are_sizes_of() -> None:
    figures = [b for b in section_with(calls, SMALL).blocks if isinstance(b, Figure)]

    assert any("a size is what one rank sends to one other" in one.caption for one in figures)


def test_matrices_are_folded_by_node() -> None:
    titles = [b.title for b in section_with(traffic, NODES).blocks if isinstance(b, Figure)]

    assert titles == ["Between ranks", "Between nodes"]
    assert "The nodes are pretended" in text_of(section_with(traffic, NODES))
    assert "Between nodes" not in text_of(section_with(traffic, SMALL))


def test_a_fold_keeps_every_byte() -> None:
    for cell in race(NODES).profiled:
        matrix = matrix_of(cell.first.records, "search")
        assert matrix is not None

        folded = traffic.by_node(cell, matrix)

        assert len(folded.bytes) == cell.nodes
        assert traffic.total(folded.bytes) == traffic.total(matrix.bytes)


def test_very_many_ranks_are_summed_in_groups() -> None:
    cells = tuple(tuple(1 for _ in range(200)) for _ in range(200))

    shown, cuts = traffic.grouped(race(ONE).cells[0], cells)

    assert len(shown) == 50
    assert traffic.total(shown) == 40_000
    assert cuts == ()


def test_the_ladder_goes_in_its_order_with_ratios() -> None:
    table = tables_of(section_with(ladder, SMALL))[0]

    assert [row[0] for row in table.rows][:3] == ["as published", "exchange alltoallv", "ids 32"]
    assert table.rows[-1][0] == "frontier and fold packed"
    assert re.fullmatch(r"0\.50\d \(0\.\d+ to 0\.\d+\)", table.rows[2][4])
    assert re.search(r"times fewer bytes", section_with(ladder, SMALL).lead)


def test_levels_are_drawn_for_every_plan() -> None:
    titles = [b.title for b in section_with(levels, SMALL).blocks if isinstance(b, Figure)]

    assert titles == [
        "replicated-csr, 4 ranks",
        "two-dim, 4 ranks",
        "hybrid, 4 ranks",
        "Waiting against transfer",
    ]


def test_results_have_ratios_and_a_column_per_factor() -> None:
    found = section_with(results, LIBRARIES)
    table = tables_of(found)[0]
    heads = [column.title for column in table.columns]

    assert "times two-dim (95 %)" in heads
    changes = heads.index("against mpi mpich")
    changed = {row[changes] for row in table.rows}
    assert "" in changed
    assert any(re.fullmatch(r"\N{MINUS SIGN}1\d %|\N{MINUS SIGN}\d.\d %", word) for word in changed)


def test_libraries_stand_in_one_table_and_scale_in_a_chart() -> None:
    found = section_with(results, LIBRARIES)
    captions = [table.caption for table in tables_of(found)]

    assert "By MPI library" in captions
    assert [b.title for b in found.blocks if isinstance(b, Figure)] == ["Against scale"]


def test_of_several_libraries_the_result_says_whose_it_is() -> None:
    several = race(LIBRARIES)
    first = LIBRARIES.mpi[0]

    section = headline.render(several)

    shown = headline.headline(several)
    assert f"fastest with 2 ranks under {first}" in shown.meaning
    figures = next(block for block in section.blocks if isinstance(block, Facts))
    notes = {fact.name: fact.remark for fact in figures.facts}
    assert notes["best rate"].endswith(f"ranks under {first}")
    assert notes["fewest bytes"].endswith(f"ranks under {first}, per search")
    assert f"GTEPS with 2 ranks under {first}" in speed.render(several).lead
    assert "under" not in headline.headline(race(FULL)).meaning


def test_raw_lines_are_linked() -> None:
    links = [b for b in section_with(results, SMALL).blocks if isinstance(b, Links)]

    assert [len(block.links) for block in links] == [len(race(SMALL).cells)]
    for target in re.findall(r'href="([^"]*)"', html_of(SMALL)):
        assert target.startswith(("#", "./", "../", "data:image/svg+xml,"))


def test_every_link_within_the_page_leads_somewhere() -> None:
    html = html_of(SMALL)

    for target in re.findall(r'href="#([^"]*)"', html):
        assert f'id="{target}"' in html


def test_the_figures_of_others_have_counterparts() -> None:
    sections = {module.render(race(SMALL)).identifier for module in SECTIONS}
    sources = {source for source, _, _, _ in method.COUNTERPARTS}

    assert {section for _, _, section, _ in method.COUNTERPARTS} <= sections
    assert sources == {"TSUBAME 2.0 paper", "HPC Advisory Council deck", "Stampede2 report"}


def test_the_classes_of_the_audit_are_explained() -> None:
    facts = [b for b in section_with(audit, SMALL).blocks if isinstance(b, Facts)]

    assert [fact.name for fact in facts[0].facts] == ["class a", "class b"]


def test_every_colour_is_defined_for_light_and_dark() -> None:
    light, dark = STYLES.read_text("utf-8").split("@media screen and (prefers-color-scheme: dark)")
    named = {plan_colour(plan) for plan in (*PLANS, "unknown")} | {*CALL_COLOURS, OTHER_CALLS}
    named |= {f"phase-{phase}" for phase in SEARCH_PHASES}
    named |= {"time-work", "time-transfer", "time-wait", "mark"}

    for colour in named:
        assert f"--{colour}:" in light
        assert f"--{colour}:" in dark


def test_hostile_text_stays_text() -> None:
    html = html_of(HOSTILE)

    assert "<script" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "49" not in re.findall(r'<p class="origin">(.*?)</p>', html, flags=re.S)[0]


def test_a_call_that_is_several_of_mpis_is_named_by_what_it_does() -> None:
    assert calls.mpi_name("isend_all") == "MPI_Isend to all others"
    assert calls.mpi_name("neighbor_alltoallv") == "MPI_Neighbor_alltoallv"
