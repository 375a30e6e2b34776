# SPDX-License-Identifier: Apache-2.0
"""The one way of commands whose studies have several launches: show, go on, say, or measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from isobath.cli.declared import Given
from isobath.cli.planned import launch_facts, print_dry_run, refuse_measuring, show_order
from isobath.cli.studies import Ending, perform
from isobath.cli.terminal import say, warn
from isobath.disclosure.words import typed_command
from isobath.launch.limits import Asked
from isobath.study.driver import Driver
from isobath.study.folder import StudyFolder
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kind import ToDo
from isobath.study.kinds import KindEntry, entry_of
from isobath.study.planned import Planned, Planning


@dataclass(frozen=True)
class Instead:
    """What takes the place of measuring."""

    of: str | None = None
    """this study is shown"""
    resume: str | None = None
    """this one goes on"""
    dry_run: bool = False


@dataclass(frozen=True)
class StudyCommand:
    """A command that makes studies of several launches."""

    kind: str
    also: tuple[str, ...] = ()
    """kinds whose studies it shows and goes on with, too"""
    resumed: Callable[[str, StudyFolder, Driver], ToDo] | None = None
    """how a study goes on, where the kind does not know it alone"""
    details: Callable[[Planned], None] | None = None
    """prints what a dry run says before its launches"""
    check: Callable[[Any, Ending], None] = lambda _plan, _ending: None
    """raises UsageError where what is to be shown is not in a plan"""

    @property
    def entry(self) -> KindEntry:
        """Of the registry."""
        return entry_of(self.kind)

    def run(
        self,
        context: typer.Context,
        given: Given,
        instead: Instead,
        ending: Ending,
        folder: Path | None = None,
    ) -> int:
        """Does what was asked for; returns the exit code.

        Args: folder takes the place of one in the store.
        """
        if instead.of is not None or instead.resume is not None:
            return self._go_on(context, given, instead, ending)
        merged = given.merged().values
        ending = _placed(ending, merged)
        store = shelf(merged.get("benches") or merged.get("store")).folders[0]
        others = shelf(merged.get("store"))
        planning = Planning(store, others, say, warn, is_dry=instead.dry_run)
        planned = self.entry.plan(merged, planning)
        self.check(planned.plan, ending)
        created = datetime.now(UTC)
        study = StudyFolder(folder or store / make_id(self.entry.word, created))
        if instead.dry_run:
            return self._show(planned, study, as_json=ending.as_json)
        for sentence in planned.notes:
            say(sentence)
        planned.begin(study, created, typed_command())
        return perform(self.entry, study, ending, planned.to_do(study, ending.driver))

    def _go_on(self, context: typer.Context, given: Given, instead: Instead, ending: Ending) -> int:
        """A study that is stored is shown, or goes on."""
        kept = given.afterwards()
        where, ending = shelf(kept["store"]), _placed(ending, kept)
        if instead.of is not None:
            refused = ("resume", "refine", "dry_run", "hang_seconds", "time_limit")
            refuse_measuring(context, given, "--of shows what is stored", refused)
            stored = where.find(instead.of, (self.kind, *self.also))
            kind = stored.entry.load()
            reading = kind.read(stored.path)
            ending.show(kind, stored.path, reading)
            return int(kind.code(reading))
        sentence = f"--resume goes on with a {self.entry.noun.split()[0]} as it was planned"
        refuse_measuring(context, given, sentence)
        stored = where.find(instead.resume or "", (self.kind, *self.also))
        study = StudyFolder(stored.path)
        to_do = None
        if self.resumed is not None:
            to_do = self.resumed(stored.entry.name, study, ending.driver)
        return perform(stored.entry, study, replace(ending, dry_run=instead.dry_run), to_do)

    def _show(self, planned: Planned, study: StudyFolder, *, as_json: bool) -> int:
        """``--dry-run`` of a study that would begin."""
        launches = planned.launches
        if as_json:
            return print_dry_run(self.kind, planned.settings, launch_facts(launches), study.path)
        if self.details is not None:
            self.details(planned)
        return show_order(launches, study.path, len(launches))


def _placed(ending: Ending, values: Mapping[str, Any]) -> Ending:
    """With its page, and the limits of its launches."""
    return replace(
        ending,
        with_report=values.get("report") is not False,
        reports=values.get("reports"),
        asked=Asked(values.get("hang_seconds"), values.get("time_limit")),
    )
