# SPDX-License-Identifier: Apache-2.0
"""isobath show --settings: the file that makes a stored study again."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from isobath.cli.commands import COMMANDS
from isobath.cli.declared import FILE, file_among
from isobath.cli.lazy_group import load_command
from isobath.cli.terminal import warn
from isobath.disclosure.credentials import LEFT_OUT
from isobath.errors import EnvironmentProblem, ExitCode, UsageError
from isobath.kinds.settings_of import kept_settings, written_settings
from isobath.settings.declaration import Declaration
from isobath.settings.sources import merge
from isobath.settings.toml import toml_file
from isobath.store.folders import RunFolder
from isobath.study.folder import StudyFolder, settings_of
from isobath.study.kinds import declaration_of
from isobath.study.sealing import LIBRARY
from isobath.study.shelf import StoredStudy

LOUDNESS = ("--quiet", "--verbose")


def print_settings(study: StoredStudy) -> int:
    """Writes the file to standard output; 3 where it was changed after sealing.

    Raises: UsageError where a study does not tell what it was asked for.
    """
    kind = study.entry.name
    if study.path.is_file():
        raise UsageError(
            f"{study.path} was written by an engine program alone: nobody gave it settings"
        )
    asked = declaration_of(kind)
    is_one = study.entry.has_one_launch
    values = _of_one_launch(study, asked) if is_one else _of_several(study, asked)
    text = toml_file(kind, f"settings of the {study.entry.noun} {study.study_id}", values)
    if LEFT_OUT in text:
        warn(f"what stands as {LEFT_OUT} was not stored; write it before you use this file")
    print(text, end="")
    if study.path.is_dir() and is_one and RunFolder(study.path).differences():
        warn(f"{study.path} is not as it was sealed, so these may not be its settings")
        return int(ExitCode.ENVIRONMENT)
    return int(ExitCode.DONE)


def _of_one_launch(study: StoredStudy, asked: Declaration) -> dict[str, Any]:
    """What run.json holds; of a study of before, what was typed."""
    summary = RunFolder(study.path).summary()
    if summary.settings:
        return kept_settings(asked, summary.settings)
    return written_settings(asked, _typed(study, asked, summary.command))


def _of_several(study: StoredStudy, asked: Declaration) -> dict[str, Any]:
    """What study.json holds; of a study of before, what was typed and what was drawn."""
    kept = settings_of(StudyFolder(study.path))
    if kept is not None:
        return kept
    path = StudyFolder(study.path).plan_path(study.entry.older)
    try:
        document = json.loads(path.read_bytes())
        command = tuple(map(str, document.get("command", ())))
        plan = document.get("plan", document)
        told = study.entry.settings_in(plan)
    except (OSError, ValueError, AttributeError, TypeError) as error:  # pydantic's are ValueErrors
        raise EnvironmentProblem(
            f"cannot read {path}: the file is damaged; it does not tell the settings"
        ) from error
    if not study.entry.older_has_command:
        return dict(told)
    drawn = {"seed": plan.get("seed"), "mpi": _libraries(plan), **told}
    known = {name: value for name, value in drawn.items() if value not in (None, ())}
    merged = merge(asked, options=known, origin_of=str).values
    return written_settings(asked, {**_typed(study, asked, command), **merged})


def _typed(study: StoredStudy, asked: Declaration, command: tuple[str, ...]) -> Mapping[str, Any]:
    """The settings that were options of a command. Raises: UsageError where they cannot be told."""
    kind = study.entry.name
    cannot = f"{study.study_id} does not tell its settings: "
    if not command or command == LIBRARY:
        raise UsageError(f"{cannot}it was made by a program, before settings were kept")
    words = [word for word in command[1:] if word not in LOUDNESS]
    names = kind.split()
    place = next((k for k in range(len(words)) if words[k : k + len(names)] == names), None)
    if place is None:
        raise UsageError(f"{cannot}it was made by {' '.join(command)}, before settings were kept")
    entry = COMMANDS[names[0]]
    for name in names[1:]:
        entry = entry.inner[name]
    context = load_command(names[-1], entry).make_context(kind, words[place + len(names) :])
    options = {name: context.params.get(name) for name in asked.names}
    file = file_among(asked, options, context.params.get(FILE))
    if file is not None:
        raise UsageError(f"{cannot}they stood in {file}, before they were kept with studies")
    return merge(asked, options=options).values


def _libraries(plan: Mapping[str, Any]) -> Any:
    """The MPI libraries of a plan of any kind: one, or several."""
    if isinstance(plan.get("mpi"), str):
        return plan["mpi"]
    several = plan.get("factors", {}).get("mpi") or list(_named(plan))
    return tuple(dict.fromkeys(several))


def _named(plan: Mapping[str, Any]) -> Iterator[str]:
    if "mpi" in plan.get("base", {}):
        yield str(plan["base"]["mpi"])
    for arm in plan.get("arms", ()):
        if arm.get("mpi") is not None:
            yield str(arm["mpi"])
