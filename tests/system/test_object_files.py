# SPDX-License-Identifier: Apache-2.0
"""Object files: what compilers and linkers do to kernels without being asked."""

import platform
import subprocess

from system.laboratory import Laboratory

INSTRUCTION_SETS = ("avx2", "avx512")

X86_64 = ("x86_64", "AMD64")

WEAK_FUNCTION = " W "
"""As nm names a function of which any file may have one, and the linker takes the first."""


def test_what_is_compiled_for_one_instruction_set_is_for_its_own_file_alone(
    every_lab: Laboratory,
) -> None:
    build = every_lab.mpi.build_dir
    assert build is not None
    objects = [
        path for kind in INSTRUCTION_SETS for path in build.rglob(f"engine/**/*_{kind}.cpp.o")
    ]
    if platform.machine() not in X86_64:
        assert objects == []
        return
    assert len(objects) >= 12

    told = subprocess.run(
        ["nm", "--demangle", "--print-file-name", *objects],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip

    assert any(" T " in line for line in told)
    assert [line for line in told if WEAK_FUNCTION in line] == []


def test_prefetches_of_a_function_that_does_nothing_else_are_there(every_lab: Laboratory) -> None:
    build = every_lab.mpi.build_dir
    assert build is not None
    if platform.machine() not in X86_64:
        return  # other processors may have no such instruction

    apart = list(build.rglob("engine/sssp/**/grid_climb.cpp.o"))
    files = apart or list(build.rglob("engine/sssp/**/unity_*.o"))  # as builds for tests have it
    told = subprocess.run(["objdump", "-d", *files], capture_output=True, text=True, check=True)

    assert "prefetch" in told.stdout  # GCC leaves them out, but for a flag (ADR 0054)
