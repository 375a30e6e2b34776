# SPDX-License-Identifier: Apache-2.0
"""The engine with the sanitizer of threads: the one compiler that has all of it, and its build."""

from __future__ import annotations

import dataclasses
import shutil

import bootstrap_debian as debian
from bootstrap_build import Builder, Flavour
from bootstrap_console import CommandFailed, Console
from bootstrap_mpi import Library
from bootstrap_test_packages import LEFT_OUT, SystemPackage, found, packages_of
from bootstrap_toolchain import SAMPLE
from bootstrap_workspace import Workspace, fingerprint, identity

FLAVOUR = Flavour("tsan", "-tsan", "thread_build_dir", (), targets=("thread_tests",))


def package_of_compiler(workspace: Workspace) -> SystemPackage:
    """The entry of tests/packages.toml: the compiler, its sanitizers, and the OpenMP library with
    archer, which tells them what it orders.
    """
    (package,) = (one for one in packages_of(workspace.root) if one.for_threads)
    return package


def build_threads(
    workspace: Workspace, console: Console, builder: Builder, library: Library, *, everything: bool
) -> None:
    """Build what tests look at with the sanitizer of threads: a few programs, or the whole engine.

    Where that cannot be, state.json keeps why, and the tests are left out.
    """
    package = package_of_compiler(workspace)
    if not package.is_here and debian.may_install():
        try:
            debian.install(console, list(package.packages))
        except CommandFailed as failure:
            console.say(
                f"{package.name} stays away, its tests are left out: {failure.first_error()}"
            )
    problem = problem_of_compiler(workspace, console)
    if problem:
        builder.forget(library, FLAVOUR)
    else:
        targets = () if everything else FLAVOUR.targets
        compiler = found(package.programs[0])
        builder.build(library, dataclasses.replace(FLAVOUR, cxx=compiler, targets=targets))
    state = workspace.read_state()
    others = [entry for entry in state.get(LEFT_OUT, []) if entry["name"] != package.name]
    lacking = [{"name": package.name, "cure": problem}] if problem else []
    state[LEFT_OUT] = [*others, *lacking]
    workspace.write_state(state)


def problem_of_compiler(workspace: Workspace, console: Console) -> str:
    """What to do where the sanitizer cannot be used; empty where it can.

    It is tried: some kernels and containers do not give it the address space that it needs.
    """
    package = package_of_compiler(workspace)
    cure, compiler = package.cure, found(package.programs[0])
    if not compiler:
        return cure
    archer = console.run([compiler, "-print-file-name=libarcher_static.a"], quiet=True).strip()
    key = fingerprint("2", identity(compiler), identity(archer))
    if workspace.is_done("threads", key):
        return ""
    folder = workspace.state / "thread-check"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source, program = folder / "sample.cpp", folder / "sample"
    source.write_text(SAMPLE, encoding="utf-8")
    # As the build links it (cmake/Sanitizers.cmake): nothing else asks for archer's symbol.
    command = [compiler, "-std=c++20", "-fopenmp", "-fsanitize=thread", str(source), archer]
    command.append("-Wl,--undefined=ompt_start_tool")
    try:
        console.run([*command, "-o", str(program)], quiet=True)
    except CommandFailed as failure:
        console.record(f"{compiler}: {failure.first_error()}")
        return cure
    try:
        options = {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}
        console.run([str(program)], quiet=True, timeout_seconds=60, env=options)
    except CommandFailed as failure:
        return f"its sanitizer of threads does not run here: {failure.first_error()}"
    shutil.rmtree(folder)
    workspace.mark_done("threads", key)
    return ""
