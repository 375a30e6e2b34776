# SPDX-License-Identifier: Apache-2.0
"""The command line as a whole: finds the subcommand, turns exceptions into exit codes."""

import contextlib
import importlib
import os
import sys
import traceback
from typing import Annotated

import typer
from typer.exceptions import TyperException

from isobath import __version__
from isobath.errors import ExitCode, InternalError, IsobathError, UsageError

SUBCOMMANDS = {
    "run": "isobath.cli.run:run",
    "show": "isobath.cli.show:show",
    "report": "isobath.cli.report:report",
    "plan": "isobath.cli.plan:plan",
    "doctor": "isobath.cli.doctor:doctor",
    "test": "isobath.cli.test:run_tests",
    "keys": "isobath.cli.keys:keys",
    "export": "isobath.cli.export:export",
    "setup": "isobath.cli.setup:setup",
}
"""Where each subcommand lives. Only the one that is asked for is imported."""

INTERRUPTED = 130
"""What typer makes of a Ctrl-C."""


def main(words: list[str] | None = None) -> int:
    """Runs the command line and returns the exit code; never raises, never shows a traceback."""
    arguments = sys.argv[1:] if words is None else words
    try:
        return _run(arguments)
    except IsobathError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted; nothing was sealed", ExitCode.ENVIRONMENT)
    except BrokenPipeError:
        # Who reads us has gone; the interpreter would complain again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.ENVIRONMENT)
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


def _run(words: list[str]) -> int:
    app = _application(words)
    try:
        code = app(args=words or ["--help"], prog_name="isobath", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except TyperException as error:
        command = f" {words[0]}" if words and words[0] in SUBCOMMANDS else ""
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
        app.command(name)(getattr(importlib.import_module(module), function))
    return app


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

    if isinstance(error, InternalError):
        sentence = str(error)
    else:
        sentence = f"{type(error).__name__}: {error}"
    place = "no log could be written"
    with contextlib.suppress(OSError):
        folder = Installation.here().state_folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "defect.txt"
        path.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
        place = f"details in {path}"
    return _complain(
        f"a defect of Isobath: {sentence} ({place}); please report it", ExitCode.INTERNAL
    )
