# SPDX-License-Identifier: Apache-2.0
"""What commands of all kinds do with a study: run it to its end, show it, write its page."""

import io
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isobath.cli.live import Live
from isobath.cli.places import front_door, shown
from isobath.cli.planned import launch_facts, print_dry_run, show_order
from isobath.cli.study_formats import (
    JSON,
    TEXT,
    choose_table,
    write_findings,
)
from isobath.cli.table_files import put
from isobath.cli.terminal import console, console_into, explain, fitted, say, warn
from isobath.errors import ExitCode, IsobathError, UsageError
from isobath.kinds.pages import write_study_page
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.report.wording import count_of
from isobath.settings.values import no_choice, or_nearest
from isobath.store.folders import SUMMARY
from isobath.study.answers import data_of
from isobath.study.codes import worst_of
from isobath.study.doing import do_study
from isobath.study.driver import Driver
from isobath.study.folder import StudyFolder, settings_of
from isobath.study.home import page_of, shelf
from isobath.study.kind import Kind, ToDo
from isobath.study.kinds import KINDS, KindEntry, entry_named
from isobath.study.launches import ToldWork, Work
from isobath.study.runner import closing_words, to_do
from isobath.study.shelf import StoredStudy
from isobath.study.tables import rich_parts

if TYPE_CHECKING:
    from rich.console import Console


def kinds_named(words: Sequence[str] | None) -> tuple[str, ...]:
    """Kinds by their command or word (bench cg, cg). Raises: UsageError for another."""
    names = []
    for word in dict.fromkeys(part.strip() for listed in words or () for part in listed.split(",")):
        entry = entry_named(word)
        if entry is None:
            raise no_choice(
                "--kind", word, [kind.name for kind in KINDS], [kind.word for kind in KINDS]
            )
        names.append(entry.name)
    return tuple(names)


def typed_study(folder: Path) -> str:
    """What a person types for a study: its id, or its path where it is not on the usual shelf."""
    is_usual = any(folder.parent.resolve() == usual.resolve() for usual in shelf().folders)
    if is_usual:
        return folder.name
    place = shown(folder)
    return shlex.quote(place if os.sep in place else os.path.join(".", place))


@dataclass(frozen=True)
class Ending:
    """What follows the launches of a study."""

    as_json: bool = False
    with_report: bool = True
    reports: str | None = None
    view: str | None = None
    asked: Asked = NOTHING_ASKED
    """limits of launches"""
    dry_run: bool = False
    """say what is left, and start nothing"""

    @property
    def driver(self) -> Driver:
        """A person at a terminal."""
        return Driver(self.asked, say, Live)

    def show(self, kind: Kind[Any], path: Path, reading: Any) -> None:
        """What is printed once the launches are done."""
        show_found(kind, path, reading, view=self.view, as_json=self.as_json)


def words_of_one_launch(entry: KindEntry, path: Path) -> str:
    """Why it is not gone on with, and how the same is done again."""
    begins = f"a {entry.noun} is one launch: it cannot be resumed, only done again"
    if not (path / SUMMARY).is_file():
        why = "it was cut off before its settings were kept"
        return f"{begins}; {why}: give ./isobath {entry.name} the options that it had"
    return (
        f"{begins}: ./isobath show {typed_study(path)} --settings > again.toml; ./isobath "
        f"{entry.name} again.toml"
    )


def _show_what_is_left(entry: KindEntry, folder: StudyFolder, work: Work, ending: Ending) -> int:
    launches = work.launches()
    left = to_do(folder, launches)
    if ending.as_json:
        asked = settings_of(folder) or {}
        return print_dry_run(entry.name, asked, launch_facts(left), folder.path)
    return show_order(left, folder.path, len(launches))


def perform(
    entry: KindEntry, folder: StudyFolder, ending: Ending, to_do: ToDo | None = None
) -> int:
    """Does what is left of a study, shows it and writes its page; returns the exit code.

    Args: to_do is what was made of a study that begins; without, it is read from its folder.
    Raises: EnvironmentProblem where another program runs it or nothing more can be written.
    """
    kind = entry.load()
    found_to_do = to_do or kind.work(folder.path, ending.driver)
    if found_to_do is None:
        raise UsageError(words_of_one_launch(entry, folder.path))
    for sentence in found_to_do.notes:
        say(sentence)
    if ending.dry_run:
        return _show_what_is_left(entry, folder, found_to_do.work, ending)
    work = ToldWork(found_to_do.work, explain)
    with Interrupts() as interrupts:
        done = do_study(entry, folder, work, stop=interrupts, say=say)
        outcome, reading = done.outcome, done.reading
        codes = {kind.code_measured(reading, outcome.exit_code)}
        if outcome.done:
            ending.show(kind, folder.path, reading)
            if ending.with_report and not interrupts.wants_end_now:
                codes.add(try_report(kind, folder.path, ending, reading))
    for sentence in done.concluded:
        say(sentence)
    again = closing_words(outcome, typed_study(folder.path))
    if again:
        warn(again)
    say(f"{count_of(outcome.done, 'launch', 'launches')} done; {shown(folder.path)}")
    say(f"next: {front_door()} show {typed_study(folder.path)}")
    return int(worst_of(codes))


def show_found(
    kind: Kind[Any], path: Path, reading: Any, *, view: str | None = None, as_json: bool = False
) -> None:
    """Problems first, on standard error; then the view, or the findings, on standard output.

    Raises: UsageError for a view that there is not.
    """
    chosen = choose_view(kind, view)
    for sentence in () if kind.says_problems and not as_json else kind.problems(reading):
        warn(sentence)
    if as_json:
        write_findings(kind, path, reading, JSON, None, None)
    else:
        print_view(kind, reading, chosen, console())
    for sentence in kind.notes(reading):
        say(sentence)


def print_view(kind: Kind[Any], reading: Any, name: str, out: "Console") -> None:
    """A view, or a table that is no view, as text."""
    if name not in kind.views:
        for renderable in rich_parts(data_of(kind, reading, name), out.width):
            out.print(renderable)
        return
    shown_as = kind.views[name]
    for part in shown_as.parts(reading, out.width):
        is_whole = not shown_as.has_places or bool(getattr(part, "no_wrap", False))
        out.print(part, soft_wrap=is_whole)


def choose_view(kind: Kind[Any], view: str | None) -> str:
    """The name of a view or table, the first where none is asked for. Raises: UsageError."""
    if view is None:
        return next(iter(kind.views))
    view = kind.older_names.get(view, view)
    there = (*kind.views, *(name for name in kind.tables if name not in kind.views))
    if view not in there:
        raise UsageError(f"there is no view {view} of this{or_nearest(view, there)}")
    return view


def export_study(study: StoredStudy, form: str, view: str | None, output: str | None) -> int:
    """The findings of a study, or a table or view of it, as a file or on standard output.

    Raises: UsageError for a view or table that there is not, EnvironmentProblem where nothing can
        be written.
    """
    kind = study.entry.load()
    table = choose_table(kind, view, form) if form != TEXT else None
    name = choose_view(kind, view) if form == TEXT else ""
    reading = kind.read(study.path)
    for sentence in kind.problems(reading):
        warn(sentence)
    if form == TEXT:
        text = io.StringIO()
        print_view(kind, reading, name, console_into(text))
        put(text.getvalue(), output)
    else:
        write_findings(kind, study.path, reading, form, table, output)
    return int(kind.code(reading))


def show_study(
    study: StoredStudy,
    *,
    view: str | None = None,
    as_json: bool = False,
    with_places: bool = False,
    reports: str | None = None,
) -> int:
    """What is stored, nothing started; 3 where a launch is not as it was sealed.

    Args: with_places says where the study and its page are, too.
    """
    kind = study.entry.load()
    choose_view(kind, view)
    reading = kind.read(study.path)
    show_found(kind, study.path, reading, view=view, as_json=as_json)
    shown_as = kind.views.get(choose_view(kind, view))
    if with_places and not as_json and (shown_as is None or shown_as.has_places):
        page = page_of(reports, study.study_id) if kind.has_page(reading) else None
        _show_places(study, page)
    return int(kind.code(reading))


def _show_places(study: StoredStudy, page: Path | None) -> None:
    """Where the study lies, and its page or how to get it."""
    print(f"{study.entry.label:<7} {shown(study.path)}")
    if page is None:
        return
    if page.is_file():
        print(f"report  {shown(page)}")
    else:
        typed = f"{front_door()} report {typed_study(study.path)}"
        print(fitted(f"report  not written yet: {typed}"))


def report_study(study: StoredStudy, output: str | None, reports: str | None) -> int:
    """Writes the page of a study and prints its path; the exit code as ``show_study``."""
    kind = study.entry.load()
    reading = kind.read(study.path)
    page = Path(output).expanduser() if output else None
    print(shown(write_study_page(study, reading, page, reports)))
    for sentence in kind.problems(reading) if kind.is_altered(reading) else ():
        warn(sentence)
    return int(kind.code(reading))


def try_report(kind: Kind[Any], path: Path, ending: Ending, reading: Any = None) -> ExitCode:
    """A report that fails costs nothing that was sealed.

    Args: reading is what was read of the study; without, it is read now.
    """
    from isobath.report.page import write_page

    try:
        page = page_of(ending.reports, path.name)
        reading = kind.read(path) if reading is None else reading
        write_page(kind.html(reading, page), page, path if kind.lays_files_beside else None)
    except (IsobathError, OSError) as error:
        warn(f"the report was not written: {error}; try ./isobath report {typed_study(path)}")
        return ExitCode.ENVIRONMENT
    say(f"report {shown(page)}")
    return ExitCode.DONE
