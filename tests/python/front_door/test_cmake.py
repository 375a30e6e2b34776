# SPDX-License-Identifier: Apache-2.0
"""The engine alone, without front door and Python: presets, MPI, pinned archives."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

import bootstrap_debian as debian
from front_door.small_checkout import PREFIX, ROOT, SmallCheckout, ranks_that_answered
from needs import needs
from patience import patience

CMAKE = shutil.which("cmake") or str(PREFIX / ".venv" / "bin" / "cmake")
NINJA = shutil.which("ninja") or str(PREFIX / ".venv" / "bin" / "ninja")
TOY = {
    "toy-1.0/CMakeLists.txt": "cmake_minimum_required(VERSION 3.4)\nproject(toy LANGUAGES CXX)\n"
    "add_library(toy INTERFACE)\ntarget_include_directories(toy INTERFACE include)\n",
    "toy-1.0/include/toy.hpp": "inline int toy() { return 42; }\n",
}


def cmake(*words: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CMAKE_", "MPI", "PMI"))}
    return subprocess.run(
        [CMAKE, *words],
        cwd=cwd,
        env={**kept, **more},
        capture_output=True,
        text=True,
        timeout=patience(),
        check=False,
    )


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def library_places() -> list[str]:
    """Where set-up unpacked libraries, if it had to."""
    sysroot = PREFIX / ".isobath" / "sysroot" / "usr"
    return [f"-DCMAKE_PREFIX_PATH={sysroot}"] if sysroot.is_dir() else []


@pytest.mark.parametrize(
    "wrapper",
    [
        pytest.param("mpicxx.openmpi", marks=needs("openmpi")),
        pytest.param("mpicxx.mpich", marks=needs("mpich")),
    ],
)
def test_the_three_commands_of_the_readme_work_alone(fresh: SmallCheckout, wrapper: str) -> None:
    configured = cmake(
        "--preset",
        "release",
        f"-DMPI_CXX_COMPILER={wrapper}",
        f"-DCMAKE_MAKE_PROGRAM={NINJA}",
        *library_places(),
        cwd=fresh.folder,
    )
    built = cmake("--build", "--preset", "release", cwd=fresh.folder)
    launcher = wrapper.replace("mpicxx", "mpiexec")
    ran = subprocess.run(
        [launcher, "-n", "2", fresh.folder / "build" / "release" / "bin" / "isobath-small"],
        env={
            **os.environ,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert configured.returncode == 0, configured.stderr
    assert built.returncode == 0, built.stdout
    assert ranks_that_answered(ran.stdout) == [
        "rank 0 of 2, threads true",
        "rank 1 of 2, threads true",
    ]
    cache = (fresh.folder / "build" / "release" / "CMakeCache.txt").read_text()
    assert re.search(rf"MPIEXEC_EXECUTABLE:\w+=.*/{launcher}\n", cache)


def test_release_takes_the_wheel_where_there_is_one(fresh: SmallCheckout) -> None:
    (fresh.folder / ".venv").symlink_to(PREFIX / ".venv")

    done = cmake(
        "--preset", "release", f"-DCMAKE_MAKE_PROGRAM={NINJA}", *library_places(), cwd=fresh.folder
    )

    assert done.returncode == 0, done.stderr
    assert f"MPI: mpich, {fresh.folder}/.venv/bin/mpicxx_abi" in done.stdout
    assert f"launched by {fresh.folder}/.venv/bin/mpiexec" in done.stdout
    commands = json.loads((fresh.folder / "build/release/compile_commands.json").read_text())
    assert "-O3" in commands[0]["command"]
    assert "-DMPI_ABI" in commands[0]["command"]
    assert "-march" not in commands[0]["command"]


@needs("openmpi")
def test_a_launcher_of_another_mpi_is_refused(fresh: SmallCheckout) -> None:
    done = cmake(
        "--preset",
        "release",
        f"-DMPI_CXX_COMPILER={PREFIX}/.venv/bin/mpicxx_abi",
        f"-DMPIEXEC_EXECUTABLE={shutil.which('mpiexec.openmpi')}",
        f"-DCMAKE_MAKE_PROGRAM={NINJA}",
        cwd=fresh.folder,
    )

    assert done.returncode != 0
    assert "belongs to another MPI or is missing" in on_one_line(done.stderr)


def test_an_abi_wrapper_without_its_macros_is_refused(fresh: SmallCheckout, tmp_path: Path) -> None:
    folder = tmp_path / "false" / "bin"
    folder.mkdir(parents=True)
    (folder.parent / "lib").mkdir()
    (folder.parent / "lib" / "libmpi_abi.so").symlink_to(PREFIX / ".venv" / "lib" / "libmpi.so")
    (folder.parent / "include").symlink_to(PREFIX / ".venv" / "include")
    (folder / "mpicxx_abi").symlink_to(PREFIX / ".venv" / "bin" / "mpicxx")
    module = fresh.folder / "cmake" / "Mpi.cmake"
    module.write_text(module.read_text().replace("INTERFACE_COMPILE_DEFINITIONS MPI_ABI)", ")"))

    done = cmake(
        "--preset",
        "release",
        f"-DMPI_CXX_COMPILER={folder}/mpicxx_abi",
        f"-DCMAKE_MAKE_PROGRAM={NINJA}",
        cwd=fresh.folder,
    )

    assert done.returncode != 0
    assert "does not define MPI_ABI_VERSION" in on_one_line(done.stderr)


def test_the_presets_are_those_of_the_table() -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text())
    shown = {p["name"]: p for p in presets["configurePresets"] if not p.get("hidden")}

    assert presets["version"] == 6
    assert set(shown) == {"dev", "asan", "tsan", "release", "measure", "openmpi", "ci", "fuzz"}
    assert set(shown) == {preset["name"] for preset in presets["buildPresets"]}
    text = json.dumps(presets)
    assert "-ffast-math" not in text
    assert text.count("-march=native") == 1
    assert "-march=native" in shown["measure"]["cacheVariables"]["CMAKE_CXX_FLAGS_RELEASE"]


# Pinned archives -------------------------------------------------------------------------------


def pack(path: Path, files: dict[str, str]) -> str:
    """A .tar.gz of these files; returns its SHA-256."""
    source = path.parent / "source"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            file = source / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            archive.add(file, name)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def toy_project(folder: Path, hashes: list[str]) -> Path:
    """A project that requires the library toy, pinned to these hashes."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n"
        f'list(APPEND CMAKE_MODULE_PATH "{ROOT}/cmake")\n'
        'option(ISOBATH_FETCH "" ON)\ninclude(Archives)\n'
        f"isobath_pin(toy 1.0 https://archives.invalid/toy.tar.gz {' '.join(hashes)})\n"
        "isobath_require(toy)\nadd_executable(user user.cpp)\ntarget_link_libraries(user toy)\n"
    )
    (folder / "user.cpp").write_text("#include <toy.hpp>\nint main() { return toy() - 42; }\n")
    return folder


def configure(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return cmake(
        "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={NINJA}",
        *options, cwd=project,
    )  # fmt: skip


def test_a_missing_library_is_built_from_a_local_archive_of_any_name(tmp_path: Path) -> None:
    archives = tmp_path / "archives"
    archives.mkdir()
    pack(archives / "another.tar.gz", {"another/file": "of no interest"})
    digest = pack(archives / "renamed-by-somebody.tar.gz", TOY)
    project = toy_project(tmp_path / "user", ["0" * 64, digest])

    configured = configure(project, f"-DISOBATH_ARCHIVES={archives}")
    built = cmake("--build", project / "build", cwd=project)

    assert configured.returncode == 0, configured.stderr
    assert built.returncode == 0, built.stdout
    assert subprocess.run([project / "build" / "user"], check=False).returncode == 0


def test_an_archive_with_another_hash_is_not_taken(tmp_path: Path) -> None:
    archives = tmp_path / "archives"
    archives.mkdir()
    pack(archives / "toy-1.0.tar.gz", TOY)
    project = toy_project(tmp_path / "user", ["0" * 64])

    done = configure(project, f"-DISOBATH_ARCHIVES={archives}")

    assert done.returncode != 0
    assert "no file in" in on_one_line(done.stderr)
    assert "docs/how-to/install.md" in on_one_line(done.stderr)


def test_fetching_can_be_forbidden(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "user", ["0" * 64])

    done = configure(project, "-DISOBATH_FETCH=OFF")

    assert done.returncode != 0
    assert "The library toy is not installed here and ISOBATH_FETCH is off" in on_one_line(
        done.stderr
    )


def test_every_library_is_pinned_by_sha256() -> None:
    text = (ROOT / "cmake" / "Archives.cmake").read_text()
    required = (ROOT / "cmake" / "Dependencies.cmake").read_text()
    pins = re.findall(r"isobath_pin\((\w+) ([\d.]+) (https://\S+)((?:\s+[0-9a-f]{64})+)\)", text)

    assert {name for name, *_ in pins} == set(re.findall(r"isobath_require\((\w+)\)", required))
    for _, version, address, _ in pins:
        assert version in address


@pytest.mark.slow
@pytest.mark.skipif(
    not debian.is_debian(), reason="the archives come from Debian's source packages"
)
def test_the_real_libraries_are_built_from_debians_source_archives(tmp_path: Path) -> None:
    """Three of the five are upstream's archives byte for byte; all are pinned."""
    archives = tmp_path / "archives"
    download_sources(archives, ["fmtlib", "cli11", "nlohmann-json3", "googletest", "benchmark"])
    project = tmp_path / "user"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n"
        f'list(APPEND CMAKE_MODULE_PATH "{ROOT}/cmake")\n'
        'option(ISOBATH_FETCH "" ON)\nset(CMAKE_CXX_STANDARD 20)\ninclude(Archives)\n'
        "foreach(name fmt CLI11 nlohmann_json GTest benchmark)\n  isobath_require(${name})\n"
        "endforeach()\n"
        "add_executable(user user.cpp)\ntarget_link_libraries(user fmt::fmt CLI11::CLI11\n"
        "  nlohmann_json::nlohmann_json GTest::gtest benchmark::benchmark)\n"
    )
    (project / "user.cpp").write_text(
        "#include <fmt/format.h>\n#include <CLI/CLI.hpp>\n#include <nlohmann/json.hpp>\n"
        "#include <gtest/gtest.h>\n#include <benchmark/benchmark.h>\n"
        'TEST(All, AreThere) { EXPECT_EQ(fmt::format("{}", nlohmann::json(1).dump()), "1"); }\n'
        "int main(int c, char** v) { CLI::App app; testing::InitGoogleTest(&c, v);\n"
        "  benchmark::Initialize(&c, v); return RUN_ALL_TESTS(); }\n"
    )
    names = ("fmt", "CLI11", "nlohmann_json", "GTest", "benchmark")

    configured = configure(
        project,
        f"-DISOBATH_ARCHIVES={archives}",
        "-DCMAKE_BUILD_TYPE=Debug",
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in names),
    )
    built = cmake("--build", project / "build", "--target", "user", cwd=project)

    assert configured.returncode == 0, configured.stderr
    assert configured.stdout.count(f"from {archives}/") == len(names)
    assert built.returncode == 0, built.stdout
    assert subprocess.run([project / "build" / "user"], check=False).returncode == 0


def download_sources(folder: Path, packages: list[str]) -> None:
    """Debian 12's source archives, from the machine's own mirror, with its keys."""
    state = folder.parent / "apt"
    (state / "lists" / "partial").mkdir(parents=True)
    (state / "sources").mkdir()
    folder.mkdir()
    (state / "sources" / "own.list").write_text(f"deb-src {debian_mirror()} bookworm main\n")
    options = [
        "-q",
        "-o", f"Dir::State::lists={state}/lists", "-o", f"Dir::Cache={state}",
        "-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={state}/sources",
        "-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=root",
    ]  # fmt: skip
    subprocess.run(["apt-get", *options, "update"], check=True, capture_output=True)
    words = ["source", "--download-only", "--only-source", *packages]
    subprocess.run(["apt-get", *options, *words], check=True, capture_output=True, cwd=folder)


def debian_mirror() -> str:
    """The first address that this machine's apt uses for Debian or Ubuntu packages."""
    answer = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)"],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in answer.stdout.splitlines():
        site, _, release = line.partition(" ")
        if release.strip() == "bookworm":
            return site
    pytest.skip("this machine's apt does not know Debian 12, whose archives are pinned")
