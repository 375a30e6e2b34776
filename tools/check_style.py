# SPDX-License-Identifier: Apache-2.0
"""Check the habits that no linter knows. The list is RULES; each rule says what, why, what instead
and where from.

Usage: python tools/check_style.py [ROOT]. Prints one line per finding; ends with 1 if there is one.
Files longer than aimed at are listed too, without failing.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

AIMED_LINES = 400

# Words that name nothing here, or a thing that has another name here (ARCHITECTURE.md, vocabulary).
FORBIDDEN_WORDS = {
    "manager": "say what it does", "helper": "say what it does",
    "util": "name the idea", "utils": "name the idea", "misc": "name the idea",
    "common": "name the idea",
    "tmp": "say what is in it", "ret": "say what is in it", "retval": "say what is in it",
    "buf": "say what is in it", "stuff": "say what is in it", "foo": "say what is in it",
    "narcs": "num_arcs", "nedges": "num_edges", "nverts": "num_vertices", "nprocs": "size",
    "father": "parent", "pred": "parent", "fringe": "frontier", "wavefront": "frontier",
    "rmat": "kronecker", "renumber": "relabel", "reorder": "relabel", "traversal": "search",
}  # fmt: skip

# Names that do not say what they hold, and how often the laboratory may have them: numbers that
# only go down. Whoever takes some away lowers the number.
NAMELESS = {"one": 575, "found": 172}

# Names that others gave.
FOREIGN_NAMES = {"tmp_path", "tmp_path_factory"}

# A finding is allowed where its line or the one before argues for it: "style: RULE because ...".
ALLOWED = re.compile(r"(?://|#)\s*style: (?P<rule>[\w-]+) because \w")

CALLS_MPI = ("comm", "algorithms", "profiler", "krylov", "skeleton")
"""Layers of the engine that may."""

CPP = (".cpp", ".hpp")
HASH_COMMENT = (".py", ".cmake", ".toml", ".yml", ".yaml", ".sh", ".supp", ".cfg", ".in")
NO_LICENCE_LINE = (
    ".json",
    ".jsonl",
    ".txt",
    ".cff",
    ".png",
    ".svg",
    ".ipynb",
    ".csv",
    ".gitignore",
)

Finding = tuple[int, str]


@dataclass(frozen=True)
class Source:
    """One file: its place below the root, its text, and for C++ the text without comments and
    strings.
    """

    place: Path
    text: str

    @property
    def code(self) -> str:
        """C++ without comments, strings and character constants; lines keep their numbers."""
        return _without_comments(self.text)

    def is_in(self, *folders: str) -> bool:
        """Whether it lies below one of the folders, or is that file."""
        name = self.place.as_posix()
        return any(
            name == folder or name.startswith(folder.rstrip("/") + "/") for folder in folders
        )


@dataclass(frozen=True)
class Rule:
    """One habit. ``applies`` picks the files, ``find`` returns line numbers and words."""

    name: str
    what: str
    why: str
    instead: str
    source: str
    applies: Callable[[Source], bool]
    find: Callable[[Source], Iterator[Finding]]


def _without_comments(text: str) -> str:
    pattern = re.compile(
        r'R"(?P<d>[^(\s]{0,16})\(.*?\)(?P=d)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
        re.S,
    )

    def blank(found: re.Match[str]) -> str:
        if re.fullmatch(r"'[0-9a-fA-F]{1,4}'", found[0]):
            return found[0]  # digit separators, 1'000'000
        return re.sub(r"[^\n]", " ", found[0])

    return pattern.sub(blank, text)


def _lines(text: str, pattern: str) -> Iterator[Finding]:
    expression = re.compile(pattern)
    for number, line in enumerate(text.splitlines(), start=1):
        for found in expression.finditer(line):
            yield number, found[0].strip()


def _in_code(pattern: str) -> Callable[[Source], Iterator[Finding]]:
    return lambda source: _lines(source.code, pattern)


def _is_engine(source: Source) -> bool:
    return source.is_in("engine") and source.place.suffix in CPP


def _outside(*folders: str) -> Callable[[Source], bool]:
    return lambda source: _is_engine(source) and not source.is_in(*folders)


def _licence(source: Source) -> Iterator[Finding]:
    if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(source.text.splitlines()[:3]):
        yield 1, "no SPDX-License-Identifier line"


def _mutable_statics(source: Source) -> Iterator[Finding]:
    declared = re.compile(
        r"^\s*(?:inline\s+)?(static|thread_local)\b(?!\s*(?:const\b|constexpr\b|inline\s+constexpr\b|assert))"
    )
    for number, line in enumerate(source.code.splitlines(), start=1):
        if not declared.match(line) or line.lstrip().startswith("#"):
            continue
        declaration = re.split(r"[={;]", line, maxsplit=1)[0]
        if "(" not in declaration and not re.search(
            r"\bconst\b|\bconstexpr\b|\boperator\b", declaration
        ):
            yield number, declaration.strip()


def _hygiene(source: Source) -> Iterator[Finding]:
    if source.text and not source.text.endswith("\n"):
        yield source.text.count("\n") + 1, "no newline at the end"
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line != line.rstrip():
            yield number, "blank at the end of the line"
        if "\t" in line:
            yield number, "tab"


def _not_ascii(source: Source) -> Iterator[Finding]:
    for number, line in enumerate(source.text.splitlines(), start=1):
        strange = sorted({letter for letter in line if ord(letter) > 127})
        if strange:
            yield number, " ".join(f"U+{ord(letter):04X}" for letter in strange)


def _words(name: str) -> set[str]:
    return {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def _cpp_names(source: Source) -> Iterator[tuple[int, str]]:
    """Identifiers, except members of other libraries' things: v.data(), std::foo, macros of
    mpi.h.
    """
    for number, line in enumerate(source.code.splitlines(), start=1):
        if line.lstrip().startswith("#"):
            continue
        for found in re.finditer(r"(?<![\w.:>])[A-Za-z_]\w*", line):
            if not found[0].startswith(("MPI_", "_mm", "SIG")):
                yield number, found[0]


def _python_names(source: Source) -> Iterator[tuple[int, str]]:
    """Names that the file itself gives: functions, classes, parameters, variables, attributes of
    self.
    """
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr


def _forbidden_words(source: Source) -> Iterator[Finding]:
    names = _python_names(source) if source.place.suffix == ".py" else _cpp_names(source)
    yield from sorted(
        {
            (number, f"{name} ({FORBIDDEN_WORDS[word]})")
            for number, name in names
            if name not in FOREIGN_NAMES
            for word in _words(name) & FORBIDDEN_WORDS.keys()
        }
    )
    for word in _words(source.place.stem) & FORBIDDEN_WORDS.keys():
        yield 1, f"file name {source.place.name} ({FORBIDDEN_WORDS[word]})"


RULES = [
    Rule(
        "conditional-compilation",
        what="no #if, #ifdef or #ifndef in the engine outside base/ and profiler/",
        why="compile-time features multiply the programs that nobody tests",
        instead="a file per case, chosen by CMake or at run time",
        source="Graph500 reference 3.0: 43 #ifdef SSSP; RIKEN bfs.hpp: 145 conditionals",
        applies=_outside("engine/base", "engine/profiler"),
        find=lambda source: _lines(source.code, r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*"),
    ),
    Rule(
        "raw-mpi",
        what=f"no MPI_ name outside {', '.join(CALLS_MPI)}",
        why="datatypes, counts and errors are checked in one place",
        instead="Communicator and its typed operations",
        source="KaMinPar d82640e1: an allgather whose two datatypes disagreed",
        applies=_outside(*(f"engine/{layer}" for layer in CALLS_MPI)),
        find=_in_code(r"\bP?MPI_\w+"),
    ),
    Rule(
        "world",
        what="MPI_COMM_WORLD only in comm/environment.cpp, profiler/ and skeleton/",
        why="a library uses the communicator it is given",
        instead="the world() of Environment, a duplicate",
        source="xSDK policies",
        # The profiler watches the program, whose communicator that is; the skeleton is one itself.
        applies=_outside("engine/comm/environment.cpp", "engine/profiler", "engine/skeleton"),
        find=_in_code(r"\bMPI_COMM_WORLD\b"),
    ),
    Rule(
        "standard-random",
        what="no std distribution, engine or shuffle, no rand()",
        why="their results differ between standard libraries",
        instead="random/mrg.hpp, or a fixed pattern in tests",
        source="GAPBS bd39534, 30197cf",
        applies=lambda source: (
            source.place.suffix in CPP and source.is_in("engine", "tests", "benchmarks")
        ),
        find=_in_code(
            r"\bstd::\w+_distribution\b|\bstd::shuffle\b|\bstd::random_device\b|\bstd::s?rand\b|(?<![\w:.])s?rand\("
        ),
    ),
    Rule(
        "printing",
        what="no printing below apps/",
        why="a result is a value; printing happens at the edge",
        instead="return it, or tell an observer",
        source="NWGraph: a verifier that prints; simdjson HACKING.md",
        # Inside a foreign program the profiler has no edge but standard error; the skeleton is a
        # program, whose files SimGrid's wrapper compiles alone.
        applies=_outside("engine/apps", "engine/profiler", "engine/skeleton"),
        find=_in_code(
            r"\bstd::(?:cout|cerr|clog|printf|fprintf|puts|fputs)\b|\bfmt::print(?:ln)?\b|(?<![\w:.])(?:f|v)?printf\("
        ),
    ),
    Rule(
        "mutable-static",
        what="no mutable static or thread_local variable in the engine",
        why="a simulator folds all ranks into one process; tests run things twice",
        instead="a member, a parameter, or a constant",
        source="Graph500 reference 3.0: state shared by name; ADR 0008",
        applies=_outside("engine/profiler"),
        find=_mutable_statics,
    ),
    Rule(
        "vocabulary",
        what="no identifier or file name with a word that says nothing or has another name here",
        why="one word per thing, everywhere",
        instead="the word of the vocabulary",
        source="ARCHITECTURE.md",
        applies=lambda source: source.place.suffix in (*CPP, ".py"),
        find=_forbidden_words,
    ),
    Rule(
        "licence",
        what="an SPDX line in the first three lines of every source and page",
        why="a file that travels alone keeps its licence",
        instead="SPDX-License-Identifier: Apache-2.0 in a comment",
        source="REUSE specification",
        applies=lambda source: (
            not source.place.name.startswith("LICENSE")
            and bool(source.text)
            and not source.is_in("tests/data")
            and source.place.suffix not in NO_LICENCE_LINE
            and source.place.name not in NO_LICENCE_LINE
        ),
        find=_licence,
    ),
    Rule(
        "ascii",
        what="C++ sources are ASCII",
        why="terminals, diffs and old compilers agree on it",
        instead="the ASCII spelling",
        source="docs of the project",
        applies=lambda source: source.place.suffix in CPP,
        find=_not_ascii,
    ),
    Rule(
        "hygiene",
        what="LF, no tab, no blank at a line's end, a newline at the end",
        why="diffs show what changed",
        instead="let the formatter do it",
        source="pre-commit-hooks",
        applies=lambda source: (
            source.place.suffix in (*CPP, *HASH_COMMENT, ".md")
            or source.place.name == "CMakeLists.txt"
        ),
        find=_hygiene,
    ),
]


def sources(root: Path) -> list[Source]:
    """All text files of the checkout that git tracks or would track; without git, all outside
    set-up's folders.
    """
    command = [
        "git",
        "-C",
        str(root),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    answer = subprocess.run(command, capture_output=True, check=False)
    if answer.returncode == 0:
        places = [Path(name) for name in answer.stdout.decode().split("\0") if name]
    else:
        skipped = {".git", ".venv", ".isobath", "build", "runs", "reports", "__pycache__"}
        places = [
            p.relative_to(root)
            for p in root.rglob("*")
            if not skipped & set(p.relative_to(root).parts)
        ]
    found = []
    for place in sorted(set(places)):
        path = root / place
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            if b"\0" not in content:
                found.append(Source(place, content.decode("utf-8")))
    return found


def check(files: list[Source]) -> list[str]:
    """All findings that nobody argues for, as lines that name file, line and rule."""
    return [
        f"{source.place}:{number}: {rule.name}: {words}; {rule.instead}"
        for source in files
        for rule in RULES
        if rule.applies(source)
        for number, words in rule.find(source)
        if not _is_argued(source, rule, number)
    ]


def _is_argued(source: Source, rule: Rule, number: int) -> bool:
    nearby = source.text.splitlines()[max(0, number - 2) : number]
    return any(found["rule"] == rule.name for line in nearby for found in ALLOWED.finditer(line))


def nameless(files: list[Source]) -> list[str]:
    """Names of the laboratory that say nothing, where there are more of them than there were."""
    counts = {name: Counter[str]() for name in NAMELESS}
    for source in files:
        if source.place.suffix == ".py" and source.is_in("src"):
            for node in ast.walk(ast.parse(source.text)):
                name = getattr(node, "id", None) or getattr(node, "arg", None)
                if name in counts:
                    counts[name][source.place.as_posix()] += 1
    return [
        f"src: nameless: {counted.total()} uses of the name {name}, {NAMELESS[name]} are left; say "
        f"what it holds (most in {', '.join(place for place, _ in counted.most_common(3))})"
        for name, counted in counts.items()
        if counted.total() > NAMELESS[name]
    ]


def long_files(files: list[Source]) -> list[str]:
    """Sources longer than aimed at."""
    counted = [
        (source.text.count("\n"), source.place)
        for source in files
        if source.place.suffix in (*CPP, ".py")
    ]
    return [
        f"{lines:5d} lines  {place}"
        for lines, place in sorted(counted, reverse=True)
        if lines > AIMED_LINES
    ]


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    files = sources(root)
    findings = check(files) + nameless(files)
    for finding in findings:
        print(finding)
    long = long_files(files)
    if long:
        print(f"longer than {AIMED_LINES} lines (listed, not failing):", *long, sep="\n  ")
    print(f"check_style: {len(findings)} findings in {len(files)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
