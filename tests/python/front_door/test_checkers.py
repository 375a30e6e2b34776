# SPDX-License-Identifier: Apache-2.0
"""The checkers of layers and habits: each can say no, and neither says no to what is right."""

import shutil
from pathlib import Path

import pytest

import check_layers
import check_style
from front_door.small_checkout import ROOT

HEAD = "// SPDX-License-Identifier: Apache-2.0\n"
PYTHON_HEAD = "# SPDX-License-Identifier: Apache-2.0\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty tree with the real layers."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "layers.toml", tmp_path / "tools")
    return tmp_path


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("engine/validate/rules.cpp", '#include "graph/csr.hpp"\n', "validate may not use graph"),
        ("engine/base/arena.hpp", '#include "comm/grid.hpp"\n', "base may not use comm"),
        (
            "engine/bfs/plan.cpp",
            '  #  include "generator/kronecker.hpp"\n',
            "may not use generator",
        ),
        (
            "engine/graph/x.cpp",
            "#include <mpi.h>\n",
            "graph may not include mpi.h (only comm, algorithms, profiler, skeleton)",
        ),
        ("engine/bfs/x.cpp", "#include <omp.h>\n", "bfs may not include omp.h"),
        ("engine/apps/x.cpp", "#include <nlohmann/json.hpp>\n", "may not include nlohmann/"),
        ("engine/bfs/x.hpp", '#include "tests/engine/mpi_main.hpp"\n', "nothing depends on tests"),
        ("engine/novelty/x.cpp", "", "novelty is no layer"),
        (
            "engine/validate/CMakeLists.txt",
            "isobath_add_layer(validate SOURCES a.cpp DEPENDS base graph LIBRARIES fmt::fmt)\n",
            "validate may not use graph",
        ),
        ("src/isobath/report/page.py", "from isobath.launch import x\n", "may not use launch"),
        ("src/isobath/report/page.py", "import subprocess\n", "report may not import subprocess"),
        (
            "src/isobath/plan/x.py",
            "def f():\n    import isobath.store.query\n",
            "may not use store",
        ),
        ("src/isobath/store/x.py", "from isobath import cli\n", "store may not use cli"),
        ("src/isobath/records/x.py", "import duckdb\n", "records may not import duckdb"),
        ("src/isobath/novelty.py", "", "novelty is no layer"),
    ],
)
def test_a_breach_of_the_layers_is_found(root: Path, name: str, text: str, words: str) -> None:
    put(root, name, text)

    breaches = check_layers.check(root)

    assert len(breaches) == 1, breaches
    assert breaches[0].startswith(name)
    assert words in breaches[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "engine/graph/x.cpp",
            '#include <vector>\n#include "comm/grid.hpp"\n#include "graph/y.hpp"\n',
        ),
        ("engine/comm/x.cpp", "#include <mpi.h>\n"),
        (
            "engine/graph/CMakeLists.txt",
            "isobath_add_layer(graph SOURCES a.cpp DEPENDS comm base)\n",
        ),
        ("src/isobath/report/page.py", "import isobath\nfrom isobath import __version__, store\n"),
        ("src/isobath/cli/main.py", "import typer\nfrom isobath.launch import launcher\n"),
    ],
)
def test_what_the_layers_allow_is_allowed(root: Path, name: str, text: str) -> None:
    put(root, name, text)

    assert check_layers.check(root) == []


def test_layers_that_name_later_ones_are_a_circle(root: Path) -> None:
    file = root / "tools" / "layers.toml"
    file.write_text(file.read_text().replace("base = []", 'base = ["apps"]', 1))

    assert any("does not stand above" in breach for breach in check_layers.check(root))


def test_the_status_tells(root: Path) -> None:
    assert check_layers.main([str(root)]) == 0
    put(root, "engine/validate/x.cpp", '#include "graph/csr.hpp"\n')
    assert check_layers.main([str(root)]) == 1


BAD = [
    ("conditional-compilation", "engine/graph/x.cpp", HEAD + "#ifdef FAST\n#endif\n"),
    ("conditional-compilation", "engine/comm/x.hpp", HEAD + "  # if MPI_VERSION >= 4\n#endif\n"),
    ("raw-mpi", "engine/bfs/x.cpp", HEAD + "void f() { MPI_Barrier(c); }\n"),
    ("raw-mpi", "engine/apps/x.cpp", HEAD + "MPI_Comm c;\n"),
    ("world", "engine/comm/grid.cpp", HEAD + "f(MPI_COMM_WORLD);\n"),
    ("standard-random", "engine/random/x.cpp", HEAD + "std::uniform_int_distribution<int> d;\n"),
    ("standard-random", "tests/engine/x.cpp", HEAD + "std::shuffle(a, b, c);\n"),
    ("standard-random", "engine/graph/x.cpp", HEAD + "int a = rand();\n"),
    ("printing", "engine/bfs/x.cpp", HEAD + 'void f() { fmt::print("x"); }\n'),
    ("printing", "engine/record/x.cpp", HEAD + 'void f() { fprintf(stderr, "x"); }\n'),
    ("printing", "engine/graph/x.cpp", HEAD + "void f() { std::cerr << 1; }\n"),
    ("mutable-static", "engine/bfs/x.cpp", HEAD + "static int calls = 0;\n"),
    ("mutable-static", "engine/bfs/x.cpp", HEAD + "void f() {\n  thread_local Word last;\n}\n"),
    ("vocabulary", "engine/bfs/x.cpp", HEAD + "int buf[3];\n"),
    ("vocabulary", "engine/bfs/frontier_utils.hpp", HEAD),
    ("vocabulary", "src/isobath/plan/x.py", PYTHON_HEAD + "class RunManager:\n    pass\n"),
    ("licence", "engine/bfs/x.cpp", "int x;\n"),
    ("licence", "docs/page.md", "# A page\n"),
    ("licence", "cmake/X.cmake", "set(a b)\n"),
    ("ascii", "engine/bfs/x.cpp", HEAD + "// caf\u00e9\n"),
    ("hygiene", "engine/bfs/x.cpp", HEAD + "int x; \n"),
    ("hygiene", "tools/x.py", PYTHON_HEAD + "if x:\n\tpass\n"),
    ("hygiene", "docs/page.md", "<!-- SPDX-License-Identifier: Apache-2.0 -->\nno end"),
]


@pytest.mark.parametrize(("rule", "name", "text"), BAD)
def test_a_breach_of_a_habit_is_found(tmp_path: Path, rule: str, name: str, text: str) -> None:
    put(tmp_path, name, text)

    findings = check_style.check(check_style.sources(tmp_path))

    assert [finding.split(": ")[1] for finding in findings] == [rule], findings
    assert findings[0].startswith(f"{name}:")


def test_every_rule_is_shown_to_find_something() -> None:
    assert {rule.name for rule in check_style.RULES} == {rule for rule, *_ in BAD}


@pytest.mark.parametrize("rule", check_style.RULES, ids=lambda rule: rule.name)
def test_every_rule_says_what_why_what_instead_and_where_from(rule: check_style.Rule) -> None:
    assert all((rule.what, rule.why, rule.instead, rule.source))


GOOD = [
    ("engine/base/x.hpp", HEAD + "#ifdef ISOBATH_ASSERTIONS\n#endif\n"),
    ("engine/bfs/x.cpp", HEAD + "// MPI_Barrier would do; printf(1), rand()\n"),
    ("engine/bfs/x.cpp", HEAD + 'const char* a = "MPI_COMM_WORLD \\" std::cout";\n'),
    ("engine/bfs/x.cpp", HEAD + "static constexpr int a = 1;\nstatic int f(int b);\n"),
    ("engine/bfs/x.cpp", HEAD + "static const Table table = make();\nstatic_assert(true);\n"),
    ("engine/bfs/x.cpp", HEAD + "auto a = 1'000'000; // don't\nauto b = v.data();\n"),
    ("engine/comm/environment.cpp", HEAD + "f(MPI_COMM_WORLD);\n"),
    ("engine/apps/x.cpp", HEAD + 'void f() { fmt::print("x"); }\n'),
    ("tests/python/x.py", PYTHON_HEAD + "def test(tmp_path): pass\n"),
    ("tests/data/sample.txt", "as it came \n"),
    (
        "engine/apps/x.cpp",
        HEAD
        + "// style: mutable-static because a signal handler has nowhere else\nstatic int a;\n",
    ),
]


@pytest.mark.parametrize(("name", "text"), GOOD)
def test_what_is_right_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, name, text)

    assert check_style.check(check_style.sources(tmp_path)) == []


def test_an_argument_counts_for_its_own_rule_only(tmp_path: Path) -> None:
    put(tmp_path, "engine/bfs/x.cpp", HEAD + "static int a;  // style: printing because of this\n")

    assert len(check_style.check(check_style.sources(tmp_path))) == 1


def test_names_that_say_nothing_do_not_become_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_style, "NAMELESS", {"one": 3, "found": 1})
    text = PYTHON_HEAD + "def first(found: list[int]) -> str:\n    return f'{found[0]}'\n"
    put(tmp_path, "src/isobath/plan/x.py", PYTHON_HEAD + "ONES = [one for one in (1, 2) if one]\n")

    assert check_style.main([str(tmp_path)]) == 0
    put(tmp_path, "src/isobath/plan/y.py", text)
    assert check_style.main([str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "2 uses of the name found, 1 are left; say what it holds (most in src/isobath/" in said
    assert "name one" not in said


def test_long_files_are_listed_without_failing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "engine/bfs/x.cpp", HEAD + "\n" * 500)

    assert check_style.main([str(tmp_path)]) == 0
    assert "501 lines  engine/bfs/x.cpp" in capsys.readouterr().out
