# SPDX-License-Identifier: Apache-2.0
"""The page: sections in their order, put into one HTML file without any outside reference."""

import filecmp
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from isobath.errors import EnvironmentProblem
from isobath.report.run_data import RunData, read_run
from isobath.report.sections import (
    construction,
    environment,
    glossary,
    headline,
    levels,
    memory,
    method,
    official,
    paths,
    phases,
    plainest,
    searches,
    validation,
)
from isobath.view.content import Page, Section, nothing

SECTIONS: tuple[ModuleType, ...] = (
    headline,
    searches,
    levels,
    phases,
    construction,
    memory,
    validation,
    official,
    environment,
    method,
    glossary,
)
"""Sections in the order of the page. Each has TITLE, needs and render."""


def write_report(run_folder: Path, output: Path, *, with_files: bool = True) -> Path:
    """Writes the page of a run to ``output``.

    Args: with_files lays the run's files (records, official texts, log, hashes) beside it.
    Returns: ``output``.
    Raises: EnvironmentProblem when the run cannot be read or the page not written.
    """
    return write_page(page_html(read_run(run_folder)), output, run_folder if with_files else None)


def write_page(html: str, output: Path, beside: Path | None = None) -> Path:
    """Writes a page to ``output``.

    Args: beside is a folder whose files are laid beside it.
    Returns: ``output``.
    Raises: EnvironmentProblem when it cannot be written.
    """
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        put(html, output)
        if beside is not None:
            copy_beside(beside, output.parent)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write the report to {output}: {error}; name another place with -o"
        ) from error
    return output


def put(html: str, output: Path) -> None:
    """Writes the page; a file gets its name only when it is complete.

    A link stays and its target gets the page. A device or a named pipe is written to, for a page
    in its place would take it from everybody else.
    """
    target = Path(os.path.realpath(output))
    is_circle = target.is_symlink()  # writing to it says so
    if is_circle or (output.exists() and not output.is_file()):
        with output.open("w", encoding="utf-8") as out:
            out.write(html)
        return
    temporary = target.with_name(f".{target.name}.part")
    try:
        temporary.write_text(html, encoding="utf-8")
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def copy_beside(run_folder: Path, folder: Path) -> tuple[Path, ...]:
    """Copies the files of a run folder, so that its manifest also holds for the copies.

    Returns: the copies made; a file that is there already with the same content is left alone.
    """
    copies = []
    for source in sorted(run_folder.iterdir()):
        target = folder / source.name
        if not source.is_file() or (
            target.is_file() and filecmp.cmp(source, target, shallow=False)
        ):
            continue
        shutil.copyfile(source, target)
        copies.append(target)
    return tuple(copies)


def page_html(data: RunData) -> str:
    """The whole page as text. The same run gives the same page, letter for letter."""
    from isobath.view import html

    run = data.records.run
    others = f" and {len(run.hosts) - 1} more" if len(run.hosts) > 1 else ""
    page = Page(
        title=f"Graph500 BFS, scale {run.scale}: {run.run_id}",
        heading=f"Graph500 breadth\N{NON-BREAKING HYPHEN}first search, scale {run.scale}",
        place=f"{run.hosts[0].hostname}{others}",
        noun="run",
        name=run.run_id,
        made_from="records.jsonl",
        sections=tuple(section_of(module, data) for module in sections_of(data)),
        doubts=headline.doubts(data),
        labels=data.labels,
        begun=(run.started.isoformat(), run.started.strftime("%Y-%m-%d %H:%M %Z")),
        remark=f"; schema {run.schema_number}, values {run.origin}",
    )
    return html.page_html(page)


def sections_of(data: RunData) -> tuple[ModuleType, ...]:
    """The sections of this run's page: with two kernels or readings more, before the official
    text.
    """
    more = tuple(module for module in (paths, plainest) if module.applies(data))
    at = SECTIONS.index(official)
    return (*SECTIONS[:at], *more, *SECTIONS[at:])


def section_of(module: ModuleType, data: RunData) -> Section:
    """A section's content, or one line saying which records it has not got."""
    kinds = {need.partition(".")[0] for need in module.needs}
    missing = sorted(kind for kind in kinds if not _present(data)[kind])
    if missing:
        name = module.__name__.rpartition(".")[2]
        return nothing(name, module.TITLE, f"This run has no {' and no '.join(missing)} record.")
    section: Section = module.render(data)
    return section


def _present(data: RunData) -> Mapping[str, bool]:
    return {
        "run": True,
        "construction": data.records.construction is not None,
        "search": bool(data.searches),
        "level": bool(data.levels),
        "finish": data.records.finish is not None,
        "failure": bool(data.records.failures),
    }
