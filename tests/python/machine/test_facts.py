# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from isobath.machine.cgroup import read_limits
from isobath.machine.environment import read_environment
from isobath.machine.facts import parse_cpu_list, read_machine


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


MEMINFO = "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:    8000000 kB\n"


def test_the_real_machine_can_be_read() -> None:
    machine = read_machine()

    assert machine.memory_bytes > 0
    assert 0 < machine.available_bytes <= machine.memory_bytes
    assert sorted(cpu for node in machine.numa_cpus for cpu in node) == list(machine.cpus)
    assert 1 <= machine.usable_cpus <= len(machine.cpus)


def test_a_tree_without_anything_gives_a_machine_without_memory(tmp_path: Path) -> None:
    machine = read_machine(tmp_path, cpus={3})

    assert machine.memory_bytes == 0
    assert machine.numa_cpus == ((3,),)
    assert machine.huge_pages == "absent"


def test_numa_nodes_are_cut_to_the_processors_allowed(tmp_path: Path) -> None:
    node = "sys/devices/system/node/node"
    write(tmp_path, {f"{node}0/cpulist": "0-3", f"{node}1/cpulist": "4-7", f"{node}10/cpulist": ""})

    assert read_machine(tmp_path, cpus={2, 3, 4}).numa_cpus == ((2, 3), (4,))


@pytest.mark.parametrize(
    ("text", "expected"), [("0-2,5", {0, 1, 2, 5}), ("", set()), ("7", {7}), ("0-1\n", {0, 1})]
)
def test_processor_lists(text: str, expected: set[int]) -> None:
    assert parse_cpu_list(text) == expected


def test_version_2_limits_hold_along_the_whole_path(tmp_path: Path) -> None:
    base = "sys/fs/cgroup"
    write(
        tmp_path,
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/job/step\n",
            f"{base}/memory.max": "max\n",
            f"{base}/job/memory.max": "4000000000\n",
            f"{base}/job/memory.current": "1500000000\n",
            f"{base}/job/memory.stat": "anon 1\ninactive_file 500000000\n",
            f"{base}/job/step/memory.max": "max\n",
            f"{base}/job/step/cpu.max": "150000 100000\n",
        },
    )

    machine = read_machine(tmp_path, cpus={0, 1, 2, 3})

    assert machine.memory_limit_bytes == 4_000_000_000
    assert machine.available_bytes == 3_000_000_000
    assert machine.cpu_limit == 1.5
    assert machine.usable_cpus == 2


def test_version_1_limits_and_its_word_for_none(tmp_path: Path) -> None:
    base = "sys/fs/cgroup"
    write(
        tmp_path,
        {
            "proc/self/cgroup": "5:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n",
            f"{base}/memory/memory.limit_in_bytes": "9223372036854771712\n",
            f"{base}/memory/docker/abc/memory.limit_in_bytes": "1000000000\n",
            f"{base}/memory/docker/abc/memory.usage_in_bytes": "400000000\n",
            f"{base}/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
            f"{base}/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        },
    )

    limits = read_limits(tmp_path)

    assert limits.memory_bytes == 1_000_000_000
    assert limits.memory_used_bytes == 400_000_000
    assert limits.cpus is None


@pytest.mark.parametrize("word", ["0", "max", "", "nonsense"])
def test_zero_and_max_are_no_limits(tmp_path: Path, word: str) -> None:
    write(
        tmp_path,
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": word,
        },
    )

    machine = read_machine(tmp_path, cpus={0})

    assert machine.memory_limit_bytes is None
    assert machine.available_bytes == 8_000_000 * 1024


def test_the_environment_names_what_it_found_and_leaves_out_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_PLACES", "cores")
    monkeypatch.setenv("SOMETHING_ELSE", "1")
    write(
        tmp_path,
        {
            "etc/os-release": 'PRETTY_NAME="A system"\n',
            "proc/cpuinfo": "model name : A processor\nmicrocode : 0x1\n",
            "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
            "sys/class/net/eth0/mtu": "1500\n",
        },
    )

    found = read_environment(read_machine(tmp_path, cpus={0}), tmp_path)

    assert found["system"] == "A system"
    assert found["cpu_model"] == "A processor"
    assert found["microcode"] == "0x1"
    assert found["network"] == [{"name": "eth0", "mtu": "1500"}]
    assert found["variables"]["OMP_PLACES"] == "cores"
    assert "SOMETHING_ELSE" not in found["variables"]
    assert "frequency_governor" not in found
    assert read_machine(tmp_path, cpus={0}).huge_pages == "madvise"
