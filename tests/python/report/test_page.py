# SPDX-License-Identifier: Apache-2.0
"""The page as text: what sections say with all data, little data, none, and unvalidated data."""

import doctest
import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from isobath.cli.run_summary_text import summary_sentences
from isobath.errors import EnvironmentProblem
from isobath.records.codec import RECORD_KINDS
from isobath.records.construction import Prepared
from isobath.records.ending import RunState
from isobath.records.phases import SEARCH_PHASES
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, RuleName
from isobath.report import page
from isobath.report.page import SECTIONS, copy_beside, page_html, section_of, write_report
from isobath.report.run_data import RunData, read_run
from isobath.report.sections import (
    environment,
    glossary,
    headline,
    levels,
    phases,
    searches,
    validation,
)
from isobath.store.folders import RunFolder
from isobath.units import format_seconds
from isobath.view import html as view_html
from isobath.view.content import Figure, Section, Table
from report import sample_runs
from report.conftest import MakeReport
from report.sample_runs import Sample

STYLES = Path(view_html.__file__).parent / "templates" / "style.css"


@cache
def html_of(sample: Sample) -> str:
    """The page of a sample run; made once, for it takes a second or two."""
    return page_html(data_of(sample))


@cache
def section_with(module: ModuleType, sample: Sample) -> Section:
    return section_of(module, data_of(sample))


@cache
def data_of(sample: Sample) -> RunData:
    return RunData(
        RunRecords.of(sample_runs.records(sample)), {"official-reference.txt": "SCALE: 20\n"}
    )


def name_of(section: ModuleType) -> str:
    return section.__name__.rpartition(".")[2]


def text_of(section: Section) -> str:
    return f"{section.lead} {section.blocks}"


every_section = pytest.mark.parametrize("section", SECTIONS, ids=name_of)


@every_section
def test_a_section_needs_fields_that_records_have(section: ModuleType) -> None:
    for need in section.needs:
        kind, _, field = need.partition(".")

        assert field in RECORD_KINDS[kind].model_fields


@every_section
def test_a_section_with_all_data_speaks_in_a_sentence(section: ModuleType) -> None:
    found = section_with(section, Sample())

    assert found.title == section.TITLE
    assert found.lead.endswith(".")
    assert found.blocks


@every_section
def test_a_section_without_data_says_so_in_one_line(section: ModuleType) -> None:
    only_run = RunData(RunRecords.of(sample_runs.records(Sample())[:1]))

    found = section_of(section, only_run)

    assert found.lead
    if any(not need.startswith("run.") for need in section.needs):
        assert found.blocks == ()


@every_section
def test_a_section_bears_one_search_of_one_level(section: ModuleType) -> None:
    rows = sample_runs.records(Sample(searches=1))
    first_level = next(i for i, row in enumerate(rows) if row.kind == "level")
    few = [row for i, row in enumerate(rows) if row.kind != "level" or i == first_level]

    found = section_of(section, RunData(RunRecords.of(few)))

    assert found.lead


@every_section
def test_every_figure_has_a_sentence_and_a_table_fits_its_headings(section: ModuleType) -> None:
    found = section_with(section, Sample(ranks=6))

    figures = [block for block in found.blocks if isinstance(block, Figure)]
    tables = [block for block in found.blocks if isinstance(block, Table)]
    tables += [figure.table for figure in figures if figure.table is not None]
    for figure in figures:
        assert re.fullmatch(r"[A-Z].+\.", figure.caption)
    for table in tables:
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_the_same_run_gives_the_same_page(forget_pictures: Callable[[], None]) -> None:
    before = html_of(Sample())
    forget_pictures()

    assert page_html(data_of(Sample())) == before


@pytest.mark.parametrize(
    "sample",
    [
        Sample(validated=False),
        Sample(broken=frozenset({5})),
        Sample(searches=3, broken=frozenset({0, 1, 2})),
    ],
    ids=["not_validated", "one_broken", "all_broken"],
)
def test_no_number_stands_without_the_word_unvalidated(sample: Sample) -> None:
    html = html_of(sample)

    parts = re.findall(r"<section id=.*?</section>", html, flags=re.S)
    measured = [section for section in SECTIONS if section_with(section, sample).measured]
    assert len(parts) == len(SECTIONS)
    assert re.search(r"<title>UNVALIDATED ", html)
    for part in parts:
        name = re.search(r"<h2[^>]*>([^<]*)", part)
        assert name is not None
        if any(name[1].strip() == section.TITLE for section in measured):
            heading = part[: part.index("</h2>")]
            assert "UNVALIDATED" in heading
            for piece in re.findall(r"<summary.*?</summary>|<figcaption.*?</figcaption>", part):
                assert "UNVALIDATED" in piece
            for drawing in re.findall(r"<svg.*?</svg>", part, flags=re.S):
                assert ">UNVALIDATED<" in drawing


def test_a_sound_run_is_never_called_unvalidated_outside_the_glossary() -> None:
    html = html_of(Sample())

    assert "UNVALIDATED" not in html[: html.index('<section id="glossary"')]


def test_a_search_that_broke_a_rule_is_named_with_its_first_violation() -> None:
    found = text_of(validation.render(data_of(Sample(broken=frozenset({3})))))

    assert "of 64 searches 63 passed every rule, 1 broke a rule" in found
    assert "rule tree_edges: 3 violations" in found


def test_oversubscription_is_said_wherever_times_are_shown() -> None:
    html = html_of(Sample(ranks=6, oversubscribed=True))

    assert html.count("OVERSUBSCRIBED") > 12


def test_an_unfinished_run_says_how_far_it_came() -> None:
    html = html_of(Sample(searches=30, state="unfinished"))

    assert html.index("UNFINISHED: 30 of 64 searches were completed before") < html.index("<h2")
    assert "UNFINISHED: 30 of 64 searches" in html
    assert "30/30" not in html


@pytest.mark.parametrize(("state", "word"), [("unfinished", "UNFINISHED"), ("failed", "FAILED")])
def test_a_run_cut_short_has_no_badge_of_success(state: RunState, word: str) -> None:
    html = html_of(Sample(searches=23, state=state))

    assert f"{word}: 23 of 64 searches completed and validated" in html
    assert "23/23" not in html


def test_oversubscription_stands_beside_the_headline() -> None:
    html = html_of(Sample(oversubscribed=True))

    headline = html[html.index('<div class="headline') : html.index('<p class="lead">')]
    assert '<strong class="label">OVERSUBSCRIBED</strong>' in headline


def test_examples_of_violations_have_a_column_only_where_there_are_some() -> None:
    sound = section_with(validation, Sample()).blocks[0]
    broken = section_with(validation, Sample(broken=frozenset({3}))).blocks[0]

    assert isinstance(sound, Table)
    assert isinstance(broken, Table)
    assert [column.title for column in sound.columns] == ["rule", "what must hold", "violations"]
    assert broken.columns[-1].title == "first example"


def test_what_was_chosen_is_a_list_and_commands_wrap(tmp_path: Path) -> None:
    html = page_html(read_run(sample_runs.write(tmp_path)))

    assert "<h3>What was chosen, and why</h3>" in html
    assert html.count('<pre class="wrapped"') == 2


def test_a_long_path_breaks_after_a_slash_and_stays_escaped() -> None:
    assert view_html.breakable("/opt/<b>/mpicxx") == "/<wbr>opt/<wbr>&lt;b&gt;/<wbr>mpicxx"


def test_a_failed_run_says_where_it_failed() -> None:
    html = html_of(Sample(searches=0, failure="rank 0 was killed"))

    assert "in phase bottom-up, rank 0: rank 0 was killed. The last MPI call was MPI_A" in html
    assert "no search was completed" in html


def test_a_search_that_traverses_nothing_has_no_mean() -> None:
    rows = [
        row.model_copy(update={"traversed_edges": 0, "teps": 0.0})
        if row.kind == "search" and row.index == 2
        else row
        for row in sample_runs.records(Sample(searches=4))
    ]

    html = page_html(RunData(RunRecords.of(rows)))

    assert "one search traversed no edge" in html


def test_a_warm_up_search_is_in_no_number() -> None:
    rows = sample_runs.records(Sample(searches=4))
    warm = [
        row.model_copy(update={"warmup": True, "seconds": 77.0, "teps": 1.0})
        if row.kind == "search"
        else row.model_copy(update={"seconds": 77.0, "phases": {"top_down": 77.0}})
        for row in rows[2:10]
    ]

    sound = data_of(Sample(searches=4))

    with_warm_up = RunData(RunRecords.of([*rows[:2], *warm, *rows[2:]]), sound.texts)

    page, without = page_html(with_warm_up), html_of(Sample(searches=4))
    for made, none in (  # what is said of them, and nothing else, is another
        ("Before, 1 untimed search was made.", "No search was made before."),
        ("<dt>warm-up</dt><dd>1 search</dd>", "<dt>warm-up</dt><dd>0 searches</dd>"),
    ):
        assert (page.count(made), without.count(none)) == (1, 1)
        page = page.replace(made, none)
    assert page == without


def test_page_and_terminal_say_the_same_time_of_a_search() -> None:
    data = data_of(Sample())  # the two searches in the middle of 64 differ
    assert data.typical is not None
    median = format_seconds(data.median_seconds)
    assert median != format_seconds(data.typical.seconds)

    assert f"a typical search took {median}." in headline.sentence(data)
    assert any(
        f"a search took {median} in the median" in s for s in summary_sentences(data.records)
    )


def test_a_timeline_holds_the_whole_time_of_its_search() -> None:
    data = data_of(Sample(ranks=6))
    search = data.typical
    assert search is not None

    found = levels.steps(search, data.levels[search.index])

    last = found[-1].spans[-1]
    assert [step.name for step in found[:2]] == ["before", "0  top-down"]
    assert found[-1].name == "after"
    assert last[0] == "emit"
    assert last[2] <= search.seconds
    assert last[2] == pytest.approx(sum(search.phases.values()), rel=0.03)


def test_phases_of_several_ranks_are_drawn_within_their_search() -> None:
    rows = sample_runs.records(Sample(ranks=4, searches=1))
    waiting = [
        row.model_copy(update={"phases": {"expand": row.seconds * 3, "fold": row.seconds * 2}})
        if isinstance(row, LevelRecord)
        else row
        for row in rows
    ]
    data = RunData(RunRecords.of(waiting))
    search = data.searches[0]

    section = section_of(levels, data)
    found = levels.shortened(levels.steps(search, data.levels[search.index]), search.seconds)

    assert max(end for step in found for _, _, end in step.spans) == pytest.approx(search.seconds)
    figure = next(block for block in section.blocks if isinstance(block, Figure))
    assert "are drawn in proportion" in figure.caption
    assert all(int(share) <= 100 for share in re.findall(r"(\d+) %", section.lead))


def test_the_timeline_of_one_rank_is_not_shortened() -> None:
    data = data_of(Sample())
    search = data.searches[0]
    found = levels.steps(search, data.levels[search.index])

    assert levels.shortened(found, search.seconds) == found


def test_very_many_levels_share_a_row() -> None:
    first = sample_runs.level_records(Sample(), 0, 0.002)[0]
    rows = sample_runs.records(Sample(searches=1, levels=False))
    rows += [first.model_copy(update={"level": number}) for number in range(5000)]

    html = page_html(RunData(RunRecords.of(rows)))

    assert len(html) < 2_000_000
    assert "4973 more" in html


def test_very_many_searches_stay_one_page() -> None:
    html = html_of(Sample(searches=3000, levels=False))

    assert len(html) < 2_000_000
    assert "2,488 more rows stand in records.jsonl." in html


def test_the_words_of_rules_and_phases_are_complete() -> None:
    assert set(validation.MEANINGS) == set(get_args(RuleName))
    assert tuple(glossary.PHASES) == SEARCH_PHASES


def test_every_colour_that_sections_name_is_defined_for_light_and_dark() -> None:
    styles = STYLES.read_text(encoding="utf-8")
    light, dark = styles.split("@media screen and (prefers-color-scheme: dark)")
    named = {f"--phase-{phase}" for phase in (*SEARCH_PHASES, "other")}
    named |= {"--accent", "--bad", "--mark", "--vertices-searched", "--vertices-leaves"}

    for colour in named:
        assert f"{colour}:" in light
        assert f"{colour}:" in dark


def test_the_first_search_is_compared_with_the_median() -> None:
    found = searches.caption(data_of(Sample()).searches)

    assert re.fullmatch(
        r"64 searches ran at 5\.\d+ to 7\.\d+ GTEPS, half of them above 7\.\d+; the slowest "
        r"\(search 41\) took 1\.\d+ times the median time, the first [\d.]+ times\.",
        found,
    )


def test_traffic_is_named_only_where_there_is_some() -> None:
    assert "nothing is sent, for there is one rank" in section_with(phases, Sample()).lead
    assert "MB between ranks" in section_with(phases, Sample(ranks=6)).lead


def test_an_mpi_library_is_named_in_short() -> None:
    assert doctest.testmod(environment).failed == 0


def test_nested_facts_become_rows() -> None:
    found = environment.flattened({"a": {"b": 1, "c": [1, 2]}, "d": [{"e": None}, {"f": "x"}]})

    assert found == [("a.b", "1"), ("a.c", "1, 2"), ("d.1.f", "x")]


def test_the_report_brings_the_files_of_the_run(tmp_path: Path) -> None:
    folder = sample_runs.write(tmp_path / "runs", Sample(searches=2))
    output = tmp_path / "reports" / folder.name / "report.html"

    assert write_report(folder, output) == output

    names = {path.name for path in output.parent.iterdir()}
    assert names == {path.name for path in folder.iterdir()} | {"report.html"}
    assert RunFolder(output.parent).verify() == ["report.html was added after sealing"]
    assert copy_beside(folder, output.parent) == ()


def test_a_page_alone_brings_nothing_else(tmp_path: Path) -> None:
    folder = sample_runs.write(tmp_path / "runs", Sample(searches=2))

    write_report(folder, tmp_path / "elsewhere" / "page.html", with_files=False)

    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["page.html"]


def test_a_run_that_was_cut_off_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    folder = sample_runs.write(tmp_path / "runs", Sample(searches=3, state="unfinished"))
    (folder / "MANIFEST.sha256").unlink()
    (folder / "run.json").unlink()
    lines = (folder / "records.jsonl").read_text(encoding="utf-8")
    (folder / "records.jsonl").write_text(lines[:-40], encoding="utf-8")

    html = page_html(read_run(folder))

    assert "UNFINISHED: 3 of 64 searches" in html
    assert "This run has no finish record." in html


def test_a_folder_without_records_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="there is no run record"):
        write_report(tmp_path, tmp_path / "page.html")


def test_a_page_that_cannot_be_written_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    folder = sample_runs.write(tmp_path / "runs", Sample(searches=1))
    (tmp_path / "file").touch()

    with pytest.raises(EnvironmentProblem, match="another place with -o"):
        write_report(folder, tmp_path / "file" / "page.html")


def test_only_charts_and_their_layers_know_altair() -> None:
    root = Path(inspect.getfile(page)).parents[1]
    users = {path.name for path in root.rglob("*.py") if "import altair" in path.read_text("utf-8")}

    charts = {"bench_charts.py", "charts.py", "matrix_charts.py", "race_charts.py"}
    assert users == charts | {"chart_frames.py", "layers.py"}


def test_the_page_of_a_sample_is_made_once(make_report: MakeReport) -> None:
    assert make_report(Sample()) == make_report(Sample())


def test_the_machine_is_shown_with_its_adapters_and_snoop_mode() -> None:
    node = {
        "adapters": [{"name": "mlx5_0", "model": "MT4123", "firmware": "20.31.1014"}],
        "ofed_version": "MLNX_OFED_LINUX-5.4-1.0.3.0",
        "snoop_mode": "unknown",
    }
    sound = data_of(Sample(searches=2))

    html = page_html(replace(sound, environment={"nodes": [node]}))

    assert "<dt>network adapters</dt><dd>mlx5_0: MT4123, 20.31.1014</dd>" in html
    assert "<dt>OFED</dt><dd>MLNX_OFED_LINUX-5.4-1.0.3.0</dd>" in html
    assert "<dt>snoop mode</dt><dd>unknown</dd>" in html
    older = page_html(replace(sound, environment={"nodes": [{"hostname": "lab-1"}]}))
    assert "snoop mode" not in older


def test_the_page_tells_what_construction_did_not_what_was_asked() -> None:
    rows = sample_runs.records(Sample(searches=2))
    done = Prepared(
        by_degree=False,
        families=0,
        likely_parents=0,
        first_neighbours=True,
        by_weight=False,
        light_streams=0,
        core_radius=0,
    )
    told = {"prepared": done, "leaves": 0}
    as_asked = page_html(RunData(RunRecords.of(rows)))
    changed = [row.model_copy(update=told if row.kind == "construction" else {}) for row in rows]

    as_done = page_html(RunData(RunRecords.of(changed)))

    for name in ("leaves pruned", "relabelled"):
        assert f"<dt>{name}</dt><dd>yes</dd>" in as_asked
        assert f"<dt>{name}</dt><dd>no</dd>" in as_done
    assert "the rest is relabelled" not in as_done
