# SPDX-License-Identifier: Apache-2.0
"""A checkout with the real front door and build files, and almost nothing behind them.

Its engine is one program that says its rank, its command line one module that says its arguments,
its only package the MPICH wheel, put together again from the files installed here. So a whole
set-up takes seconds and needs no network.
"""

import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from patience import patience

ROOT = Path(__file__).resolve().parents[3]
PREFIX = Path(os.environ.get("ISOBATH_PREFIX") or ROOT)
KINDS = Path("src", "isobath", "study", "kinds.py")
MPICH = "mpich-5.0.2-py3-none-any.whl"

COMMAND_LINE = """# SPDX-License-Identifier: Apache-2.0
import json, os, sys
words = sys.argv[1:]
if words[:1] == ["fail"]:
    sys.exit(int(words[1]))
if words[:1] == ["cat"]:
    print(sys.stdin.read(), end="")
else:
    settings = {name: os.environ.get(name, "") for name in ("ISOBATH_MPI", "ISOBATH_PREFIX")}
    print(json.dumps({"words": words, "settings": settings, "python": sys.prefix}))
"""

ENGINE = """// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool threads = omp_get_max_threads() > 0;
  fmt::print("rank {} of {}, threads {}\\n", rank, size, threads);
  MPI_Finalize();
}
"""

ENGINE_CMAKE = """# SPDX-License-Identifier: Apache-2.0
add_executable(isobath-small small.cpp)
target_link_libraries(isobath-small PRIVATE
  MPI::MPI_CXX OpenMP::OpenMP_CXX fmt::fmt isobath_warnings)
"""


def ranks_that_answered(output: str) -> list[str]:
    """What each rank said, in order. Launchers may run two ranks' lines into one."""
    return sorted(re.findall(r"rank \d+ of \d+, threads (?:true|false)", output))


class SmallCheckout:
    """One such checkout, and ways to call its front door."""

    def __init__(self, folder: Path, wheels: Path) -> None:
        self.folder = folder
        self.wheels = wheels
        folder.mkdir(parents=True)
        for name in ("isobath", "CMakeLists.txt", "CMakePresets.json"):
            shutil.copy2(ROOT / name, folder / name)
        shutil.copytree(ROOT / "cmake", folder / "cmake")
        shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__*"))
        _write(folder / "engine" / "CMakeLists.txt", ENGINE_CMAKE)
        _write(folder / "engine" / "small.cpp", ENGINE)
        _write(
            folder / "tests" / "engine" / "CMakeLists.txt",
            "# SPDX-License-Identifier: Apache-2.0\n",
        )
        _write(folder / "src" / "isobath" / "__init__.py", "")
        _write(folder / "src" / "isobath" / "__main__.py", COMMAND_LINE)
        (folder / "src" / "isobath" / "study").mkdir()
        shutil.copy2(ROOT / KINDS, folder / KINDS)  # set-up reads it as text
        wheel = wheels / MPICH
        lock = f"mpich==5.0.2 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
        _write(folder / "requirements.lock", lock)
        _write(folder / "requirements-dev.lock", lock)
        _write(folder / "requirements-build.lock", lock)
        _write(folder / "requirements-second-mpi.lock", lock)

    def environment(self, **more: str) -> dict[str, str]:
        """Without a network, and without what the calling set-up and MPI launchers have set."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("ISOBATH_", "PIP_", "OMPI_", "PMI", "MPI", "CMAKE_", "COV_"))
        }
        return {**kept, "ISOBATH_OFFLINE": str(self.wheels), **more}

    def call(
        self, *words: str, cwd: Path | None = None, stdin: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        """./isobath WORDS; ``more`` are environment variables."""
        return subprocess.run(
            [str(self.folder / "isobath"), *words],
            cwd=cwd or self.folder,
            env=self.environment(**more),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=patience(),
            check=False,
        )

    def logs(self) -> list[Path]:
        """The logs that set-ups left."""
        return sorted((self.folder / ".isobath" / "log").glob("*.log"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def fill_wheel_folder(folder: Path) -> Path:
    """The pip wheel that set-up kept, and the MPICH wheel rebuilt from what pip installed here."""
    from bootstrap_download import PIP_WHEEL

    folder.mkdir(parents=True)
    shutil.copy(PREFIX / ".isobath" / "downloads" / PIP_WHEEL, folder / PIP_WHEEL)
    _rebuild_mpich(folder / MPICH)
    return folder


def _rebuild_mpich(wheel: Path) -> None:
    site = Path(sysconfig.get_path("purelib"))
    information = next(site.glob("mpich-*.dist-info"))
    rows = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_STORED) as archive:
        for name, *_ in csv.reader((information / "RECORD").read_text().splitlines()):
            inside = _place_in_wheel(name, site)
            if inside is None:
                continue
            content = (site / name).read_bytes()
            if inside.endswith("/WHEEL"):
                content = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            entry = zipfile.ZipInfo(inside)
            entry.external_attr = ((site / name).stat().st_mode & 0xFFFF) << 16
            archive.writestr(entry, content)
            digest = (
                base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            )
            rows.append(f"{inside},sha256={digest},{len(content)}\n")
        record = f"{information.name}/RECORD"
        archive.writestr(record, "".join(rows) + f"{record},,\n")


def _place_in_wheel(name: str, site: Path) -> str | None:
    """Where a wheel keeps an installed file: beside the package, or as data of the environment."""
    if name.endswith((".pyc", "/RECORD", "/INSTALLER", "/REQUESTED", "/direct_url.json")):
        return None
    if not name.startswith("../"):
        return name
    inside = (site / name).resolve().relative_to(Path(sys.prefix).resolve())
    return f"mpich-5.0.2.data/data/{inside.as_posix()}"
