# SPDX-License-Identifier: Apache-2.0
"""The command line as a whole: finds the subcommand, turns exceptions into exit codes."""

import contextlib
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer._click.exceptions import NoSuchOption
from typer.exceptions import TyperException

from isobath import __version__
from isobath.cli.bash_colons import joined_colons
from isobath.cli.commands import COMMANDS
from isobath.cli.lazy_group import FrontGroup
from isobath.cli.streams import CLOSED_PIPE, OutputProblem, give_up_stdout, repair_streams
from isobath.cli.terminal import warn, with_loudness
from isobath.errors import ExitCode, InternalError, IsobathError, UsageError
from isobath.launch.interrupts import CAUGHT
from isobath.settings.values import nearest

if TYPE_CHECKING:
    from typer._click.core import Command

COMPLETE = "_ISOBATH_COMPLETE"
"""Variable by which a shell asks for completion."""

INTERRUPTED = 130
"""What typer makes of a Ctrl-C."""


def main(words: list[str] | None = None) -> int:
    """Runs the command line and returns the exit code; never raises, never shows a traceback."""
    arguments = sys.argv[1:] if words is None else words
    try:
        with with_loudness():
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
    try:
        with joined_colons(os.environ.get(COMPLETE, "")):
            code = command_line().main(args=words, prog_name="isobath", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except NoSuchOption as error:
        raise UsageError(_no_such_option(error, _named(words))) from error
    except TyperException as error:
        sentence = error.format_message().rstrip(".")
        raise UsageError(f"{sentence}; see ./isobath{_named(words)} --help") from error
    except SystemExit as end:
        if end.code in (0, None):  # completion has said what it had to say
            return 0
        raise BrokenPipeError from end  # a closed pipe, met inside a subcommand
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def command_line() -> "Command":
    """All commands; each is imported when it is called."""
    app = typer.Typer(
        cls=FrontGroup,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_global_options)
    return typer.main.get_command(app)


def _named(words: list[str]) -> str:
    """The subcommand as it is typed after ./isobath, with that of its group."""
    entry = COMMANDS.get(words[0]) if words else None
    if entry is None:
        return ""
    inner = words[1:2] if words[1:] and words[1] in entry.inner else []
    return " " + " ".join([words[0], *inner])


def _no_such_option(error: NoSuchOption, command: str) -> str:
    near = nearest(error.option_name, error.possibilities or ())
    hint = f"did you mean {near}? See" if near else "see"
    return f"there is no option {error.option_name}; {hint} ./isobath{command} --help"


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
    """Validated Graph500 breadth-first search benchmarks: measured, stored, reported."""


def _complain(sentence: str, code: ExitCode) -> int:
    with contextlib.suppress(OSError):
        warn(sentence)
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
