# SPDX-License-Identifier: Apache-2.0
"""The command line as a whole: finds the subcommand, turns exceptions into exit codes."""

import contextlib
import importlib
import signal
import sys
import traceback
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from isobath import __version__
from isobath.cli.grouped_help import GroupedCommand
from isobath.cli.streams import CLOSED_PIPE, OutputProblem, give_up_stdout, repair_streams
from isobath.errors import ExitCode, InternalError, IsobathError, UsageError
from isobath.launch.interrupts import CAUGHT

SUBCOMMANDS = {
    "run": "isobath.cli.run:run",
    "search": "isobath.cli.search:search",
    "race": "isobath.cli.race:race",
    "bench": "isobath.cli.bench:application",
    "profile": "isobath.cli.profile:profile",
    "resume": "isobath.cli.resume:resume",
    "show": "isobath.cli.show:show",
    "report": "isobath.cli.report:report",
    "list": "isobath.cli.list:list_studies",
    "tag": "isobath.cli.tag:tag",
    "remove": "isobath.cli.remove:remove_studies",
    "prune": "isobath.cli.remove:prune",
    "query": "isobath.cli.query:query",
    "plan": "isobath.cli.plan:plan",
    "doctor": "isobath.cli.doctor:doctor",
    "test": "isobath.cli.test:run_tests",
    "keys": "isobath.cli.keys:keys",
    "export": "isobath.cli.export:export",
    "verify": "isobath.cli.verify:verify",
    "audit": "isobath.cli.audit:audit",
    "setup": "isobath.cli.setup:setup",
}
"""Where each subcommand lives. Only the one that is asked for is imported."""

SUMMARIES = {
    "run": "Run the benchmark: generate, construct, search, validate.",
    "search": "Search the graph of a file.",
    "race": "Race every plan on the same graph and keys.",
    "bench": "What MPI's collectives cost, and what they hide.",
    "profile": "Where any MPI program spends its communication.",
    "resume": "Go on with a study that was interrupted.",
    "show": "Show a run, a race or a profile in the terminal.",
    "report": "Write the report of a run: one HTML file.",
    "list": "List all studies that are stored.",
    "tag": "Give a study a word to find it by.",
    "remove": "Remove studies for good; asks first.",
    "prune": "Remove all but the newest studies; asks first.",
    "query": "Ask anything of all studies in SQL.",
    "plan": "Memory and time before running; what fits.",
    "doctor": "What works on this machine, and what to fix.",
    "test": "Prove this checkout on this machine.",
    "keys": "Print the search keys of a scale.",
    "export": "Write the edges and weights of a scale to files.",
    "verify": "Validate a search of a graph; recompute published figures.",
    "audit": "Account for every byte that a run sent.",
    "setup": "Set up environment, MPI and engine.",
}
"""One line each, short enough not to be cut in 80 columns."""

GROUPS = frozenset({"bench"})
"""Subcommands that have commands of their own; what stands above makes the group."""

INTERRUPTED = 130
"""What typer makes of a Ctrl-C."""


def main(words: list[str] | None = None) -> int:
    """Runs the command line and returns the exit code; never raises, never shows a traceback."""
    arguments = sys.argv[1:] if words is None else words
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except OutputProblem as error:
        give_up_stdout()
        return _complain(str(error), error.exit_code)
    except IsobathError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted; runs that were sealed before are kept", ExitCode.ENVIRONMENT)
    except BrokenPipeError:
        give_up_stdout()
        return CLOSED_PIPE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sentence = f"{where}{error.strerror or error}; check the path, its permissions and the disk"
        return _complain(sentence, ExitCode.ENVIRONMENT)
    except MemoryError:
        return _complain(
            "memory is exhausted; take a smaller scale, see ./isobath plan", ExitCode.ENVIRONMENT
        )
    except Exception as error:
        return _defect(error)


def main_and_exit() -> NoReturn:
    """Runs the command line and ends the process."""
    repair_streams()
    code = main()
    # All is done and said. The second of two Ctrl-C may come while the interpreter winds up: it
    # must not turn the exit code into a death by signal.
    for number in CAUGHT:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def _run(words: list[str]) -> int:
    app = _application(words)
    try:
        code = app(args=words or ["--help"], prog_name="isobath", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except TyperException as error:
        command = _named(words)
        sentence = error.format_message().rstrip(".")
        raise UsageError(f"{sentence}; see ./isobath{command} --help") from error
    except SystemExit as end:  # a closed pipe, met inside a subcommand
        raise BrokenPipeError from end
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _application(words: list[str]) -> typer.Typer:
    """With the wanted subcommand only; with all of them where help or a suggestion needs them."""
    app = typer.Typer(
        add_completion=True,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_global_options)
    wanted = words[0] if words and words[0] in SUBCOMMANDS else None
    for name in [wanted] if wanted else SUBCOMMANDS:
        module, _, function = SUBCOMMANDS[name].partition(":")
        found = getattr(importlib.import_module(module), function)
        if name in GROUPS:
            app.add_typer(found(words[1:]), name=name, short_help=SUMMARIES[name])
        else:
            app.command(name, cls=GroupedCommand, short_help=SUMMARIES[name])(found)
    return app


def _named(words: list[str]) -> str:
    """The subcommand as it is typed after ./isobath, with that of its group."""
    if not words or words[0] not in SUBCOMMANDS:
        return ""
    inner = words[1:2] if words[0] in GROUPS and words[1:] and words[1][0].isalpha() else []
    return " " + " ".join([words[0], *inner])


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"isobath {__version__}")
        raise typer.Exit


def _global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_say_version, help="Print the version and end."
        ),
    ] = False,
) -> None:
    """Validated Graph500 breadth-first search benchmarks: measured, stored, reported.

    Begin with: ./isobath run
    """


def _complain(sentence: str, code: ExitCode) -> int:
    with contextlib.suppress(OSError):
        print(f"isobath: {sentence}", file=sys.stderr)
    return int(code)


def _defect(error: Exception) -> int:
    """A defect of ours: the sentence on standard error, the traceback in a file."""
    from isobath.launch.installation import Installation
    from isobath.store.disclosed import cleaner_of_this_process

    if isinstance(error, InternalError):
        sentence = str(error)
    else:
        sentence = f"{type(error).__name__}: {error}"
    place = "no log could be written"
    with contextlib.suppress(OSError):
        folder = Installation.here().state_folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "defect.txt"
        told = "".join(traceback.format_exception(error))
        told = cleaner_of_this_process().text(told, "defect")
        path.write_text(told, encoding="utf-8")
        place = f"details in {path}"
    return _complain(
        f"a defect of Isobath: {sentence} ({place}); please report it", ExitCode.INTERNAL
    )
