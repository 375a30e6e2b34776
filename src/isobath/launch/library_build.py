# SPDX-License-Identifier: Apache-2.0
"""Which build of an MPI library it is: a digest of the file that ranks load.

Two builds of one release call themselves alike, and differ in compiler, flags and patches.
"""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, known_libraries

SONAMES = ("libmpi_abi.so.1", "libmpi.so.40", "libmpi.so.12", "libmpich.so.12")
"""Under which programs ask for an MPI library, that of the standard ABI first."""

LENGTH = 16
"""of a digest, in hexadecimal digits"""


def library_file(library: MpiLibrary) -> Path | None:
    """The file that its ranks load; None where nobody can tell."""
    if library.place is not None:
        folders = [Path(folder) for folder in library.place.library_path]
    else:
        folders = [Path(library.mpicxx).parent.parent / "lib"] if library.standard_abi else []
    for folder in folders:
        for name in SONAMES:
            if (folder / name).is_file():
                return folder / name
    programs = (library.build_dir / "bin").glob("isobath-*") if library.build_dir else ()
    program = next(iter(sorted(programs)), None)
    return _loaded(program) if program is not None else None


def _loaded(program: Path) -> Path | None:
    """What the loader takes for a program."""
    ldd = shutil.which("ldd")
    if ldd is None:
        return None
    words = [ldd, str(program)]
    try:
        told = subprocess.run(words, capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    for name in SONAMES:
        hit = re.search(rf"^\s*{re.escape(name)} => (/\S+)", told, re.MULTILINE)
        if hit:
            return Path(hit[1])
    return None


def build_of(library: MpiLibrary) -> str:
    """The digest; empty where the file is not known or cannot be read."""
    path = library_file(library)
    try:
        if path is None:
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:LENGTH]
    except OSError:
        return ""


def file_of_id(name: str) -> Path | None:
    """Of a library that set-up knows; None of others."""
    known = known_libraries(Installation.here())
    return next((library_file(library) for library in known if library.id == name), None)


def build_of_id(name: str) -> str:
    """Of a library that set-up knows; empty of others."""
    known = known_libraries(Installation.here())
    return next((build_of(library) for library in known if library.id == name), "")
