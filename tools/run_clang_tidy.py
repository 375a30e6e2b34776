# SPDX-License-Identifier: Apache-2.0
"""Run clang-tidy (.clang-tidy) over the engine's sources, with the commands of one build folder.

Usage: python tools/run_clang_tidy.py BUILD_FOLDER [FILE ...]. Prints findings; ends with 1 if there
is one. A file that did not change since it was found clean, headers included, is not looked at
again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    build = Path(arguments[0]).resolve()
    program = shutil.which(
        "clang-tidy", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    )
    if program is None or not (build / "compile_commands.json").exists():
        print(
            "run_clang_tidy: needs clang-tidy (requirements-dev.lock) and a configured build folder"
        )
        return 3
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    wanted = [str(Path(name).resolve()) for name in arguments[1:]]
    files = sorted({c["file"] for c in commands if c["file"].startswith(f"{ROOT}/engine/")})
    files = [file for file in files if not wanted or file in wanted]
    kept = build / "clang-tidy"
    kept.mkdir(exist_ok=True)
    alone = [
        command | {"command": _without_precompiled(command["command"])} for command in commands
    ]
    (kept / "compile_commands.json").write_text(json.dumps(alone), encoding="utf-8")
    options = [program, "-p", str(kept), "--quiet", *_openmp_header(commands[0]["command"], kept)]
    headers = _digest(sorted((ROOT / "engine").rglob("*.hpp")), [ROOT / ".clang-tidy"], program)

    def look_at(file: str) -> str:
        mark = kept / (_digest([Path(file)], [], headers) + ".clean")
        if mark.exists():
            return ""
        answer = subprocess.run([*options, file], capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            mark.touch()
            return ""
        lines = [line for line in answer.stdout.splitlines() if not line.startswith("Suppressed")]
        return "\n".join(lines) or answer.stderr

    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        findings = [text for text in pool.map(look_at, files) if text]
    for text in findings:
        print(text)
    print(f"run_clang_tidy: {len(findings)} of {len(files)} files with findings")
    return 1 if findings else 0


def _digest(files: list[Path], more: list[Path], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for file in [*files, *more]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _without_precompiled(command: str) -> str:
    """Each file with its own headers alone: Clang cannot read what GCC precompiled, and a missing
    #include shows.
    """
    place = r'(?:"[^"]*/cmake_pch[^"]*"|\S*/cmake_pch\S*)'
    return re.sub(rf"(?: -Xclang)? -include(?:-pch)?(?: -Xclang)? {place}", "", command)


def _openmp_header(command: str, folder: Path) -> list[str]:
    """GCC's omp.h alone in a folder: the wheel has none, and GCC's other headers are not for
    Clang.
    """
    compiler = re.split(r"\s", command, maxsplit=1)[0]
    answer = subprocess.run(
        [compiler, "-print-file-name=include/omp.h"], capture_output=True, text=True, check=False
    )
    header = Path(answer.stdout.strip())
    if not header.is_file():
        return []
    shutil.copy(header, folder / "omp.h")
    return [f"--extra-arg=-isystem{folder}"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
