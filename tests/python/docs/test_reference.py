# SPDX-License-Identifier: Apache-2.0
"""The reference pages name every command, option, setting and field there is, and no others."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_tree import whole_tree
from isobath.cli.commands import BENCH, COMMANDS
from isobath.records.codec import RECORD_KINDS
from isobath.study.kinds import KINDS, declaration_of
from write_options import with_lists, with_tables
from write_records import with_records

ROOT = Path(__file__).resolve().parents[3]
OPTIONS = (ROOT / "docs/reference/options.md").read_text(encoding="utf-8")
RECORDS = (ROOT / "docs/reference/records.md").read_text(encoding="utf-8")
IN_EVERY_LINE = {"schema", "kind", "run_id", "origin"}


def sections(text: str, mark: str) -> dict[str, str]:
    parts = re.split(rf"(?m)^{mark} (.+)$", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


BESIDE = set(re.findall(r"`(--[a-z-]+)`", sections(OPTIONS, "##")["All that measure"]))
"""options of every command that measures"""


def part_about(command: str) -> str:
    found = sections(OPTIONS, "##")
    return next(text for name, text in found.items() if command in re.split(r"\W+", name))


def options_of(command: str) -> set[str]:
    found = {name: one for name, one in whole_tree().items() if name.split()[0] == command}
    parameters = [one for each in found.values() for one in each.params]
    words = {
        word for one in parameters for word in (*one.opts, *one.secondary_opts) if word[0] == "-"
    }
    return {word for word in words if word.startswith("--")} - {"--help"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_described_where_its_command_is(command: str) -> None:
    described = set(re.findall(r"`(--[a-z-]+)`", part_about(command)))

    assert options_of(command) <= described | BESIDE


@pytest.mark.parametrize(
    "command", ["run", "race", "bench", "compare", "factors", "baseline", "plan", "doctor", "test"]
)
def test_no_option_is_described_that_is_not_there(command: str) -> None:
    rows = [row for row in part_about(command).splitlines() if row.startswith("| `--")]
    described = {word for row in rows for word in re.findall(r"`(--[a-z-]+)`", row.split("|")[1])}

    assert described - BESIDE == options_of(command) - BESIDE


def test_the_tables_of_settings_are_those_of_their_declarations() -> None:
    checked = subprocess.run(
        [sys.executable, ROOT / "tools" / "write_options.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_sentences_have_all_kinds_of_the_registry() -> None:
    programs = [entry.program for entry in KINDS if entry.program]
    without = OPTIONS.replace(f", `{programs[-1]}`", "").replace(", bench cg", "")

    assert without != OPTIONS
    assert with_lists(without) == OPTIONS
    with pytest.raises(SystemExit, match="has 0 sentences like: "):
        with_lists("# Options\n")


def test_the_page_of_records_has_all_kinds_in_one_row() -> None:
    schema = json.loads((ROOT / "schema/record-1.json").read_text(encoding="utf-8"))
    (row,) = re.findall(r"(?m)^\| `kind` \| text \| (.*) \|$", RECORDS)

    assert re.findall(r"`(\w+)`", row) == list(RECORD_KINDS)
    assert with_records(RECORDS.replace("`krylov`, ", ""), schema) == RECORDS
    with pytest.raises(SystemExit, match="has not one row"):
        with_records("# Records\n", schema)


def test_a_kind_without_a_table_is_told_which_lines_to_write() -> None:
    with pytest.raises(SystemExit) as told:
        with_tables("# Options\n")

    assert "no place for the settings of run" in str(told.value)
    assert "<!-- settings of run: written by tools/write_options.py -->\n" in str(told.value)
    assert str(told.value).endswith("<!-- end of settings -->")


@pytest.mark.parametrize("kind", [entry.name for entry in KINDS])
def test_every_setting_has_its_row_with_its_variable(kind: str) -> None:
    declared = declaration_of(kind)
    table = OPTIONS.split(f"<!-- settings of {kind}: ")[1].split("<!-- end")[0]
    rows = re.findall(r"(?m)^\|[^|]*(?:\\\|[^|]*)*\| `(\w+)` \| (?:`(ISOBATH_\w+)`)? \|", table)

    assert [name for name, _ in rows] == list(declared.names)
    variables = {one.name: name for name, one in declared.variables.items()}
    assert all(variable == variables.get(name, "") for name, variable in rows)
    typed = {one.option for one in declared.settings if not one.is_argument | one.in_toml_alone}
    assert typed <= options_of(kind.split(maxsplit=1)[0])


def test_every_command_has_a_line_that_is_not_cut() -> None:
    entries = [*COMMANDS.items(), *BENCH.items()]
    assert [entry.line for name, entry in entries if len(name) + len(entry.line) > 70] == []


def test_what_the_page_of_records_lacks_is_added_in_words_of_the_docstrings() -> None:
    schema = json.loads((ROOT / "schema/record-1.json").read_text(encoding="utf-8"))
    begin, end = RECORDS.index("## launch (LaunchRecord)"), RECORDS.index("## collective (")
    without_field = re.sub(r"(?m)^\| `aggregators` .*\n", "", RECORDS)

    section = sections(with_records(RECORDS[:begin] + RECORDS[end:], schema), "##+")[
        "launch (LaunchRecord)"
    ]
    page = with_records(without_field, schema)

    assert "One launch of a benchmark of MPI; the first line that the program writes." in section
    assert "| `argv` | list of text | the engine's command line, without credentials |" in section
    assert "| `hosts` | list of Host | " in section
    rows = re.findall(r"(?m)^\| `(\w+)` \|", sections(page, "##+")["krylov (KrylovRecord)"])
    assert rows[4:6] == ["ranks", "aggregators"]
    assert page.count("| `aggregators` |") == RECORDS.count("| `aggregators` |") > 1


def test_every_field_of_every_record_is_described() -> None:
    schema = json.loads((ROOT / "schema/record-1.json").read_text(encoding="utf-8"))
    assert with_records(RECORDS, schema) == RECORDS, "run tools/write_records.py"
    pages = sections(RECORDS, "##+")
    found = {name.split(" (")[-1].rstrip(")"): text for name, text in pages.items()}

    assert set(found) == set(schema["$defs"])
    for name, definition in schema["$defs"].items():
        rows = re.findall(r"(?m)^\| `(\w+)` \| ([^|]+) \| (.+) \|$", found[name])
        assert [row[0] for row in rows] == [
            f for f in definition["properties"] if f not in IN_EVERY_LINE
        ]
        required = set(definition["required"])
        for field, _, meaning in rows:
            assert meaning.endswith("may be absent") == (field not in required), field
