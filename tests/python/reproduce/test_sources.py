# SPDX-License-Identifier: Apache-2.0
"""Publications: every closed form by hand, every command one that there is."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from command_tree import whole_tree
from compared.test_compare_command import Store, store
from isobath.reproduce import k_computer as k
from isobath.reproduce.answer import SOURCES, facts_of, page_of
from isobath.reproduce.deck import share_by_rate, times_as_fast
from isobath.reproduce.sharp import pieces_of, unknowns
from isobath.reproduce.source import MEANINGS
from isobath.reproduce.stampede2 import leaving_share
from isobath.reproduce.tsubame import (
    needed_message_seconds,
    rate_of,
    replicated_gigabytes,
    tsubame,
    two_dim_gigabytes,
)
from isobath.reproduce.tsubame_links import all_to_all_bound
from isobath.view.html import page_html

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "reproduction-1.json"


@pytest.fixture(autouse=True)
def _routes_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """3,072 nodes are routed in tests/slow."""
    monkeypatch.setattr(k, "MOST_ROUTED", 384)


@pytest.mark.parametrize("name", SOURCES)
def test_every_item_has_a_status_and_a_reason(name: str) -> None:
    source = SOURCES[name]()

    assert source.name == name
    assert len({item.name for item in source.items}) == len(source.items)
    for item in source.items:
        assert item.status in MEANINGS
        assert len(item.how) > 20 or item.how.startswith("as "), item.name
        assert item.status not in ("reproduced here", "in shape only") or item.command, item.name
        marked = "SIMULATED" if item.status == "simulated" else "Computed"
        assert all(table.caption.startswith(marked) for table in item.tables)


@pytest.mark.parametrize("name", SOURCES)
def test_commands_that_are_named_exist(name: str) -> None:
    tree = whole_tree()
    for item in SOURCES[name]().items:
        for command in re.findall(r"\./isobath ([^&]*)", item.command):
            words = command.split()
            path = " ".join(words[:2]) if " ".join(words[:2]) in tree else words[0]
            assert path in tree, command
            options = {name for one in tree[path].params for name in one.opts}
            for option in (word for word in words if word.startswith("--") and len(word) > 2):
                assert option in options, f"{path} has no {option}"


def test_tsubame_by_hand() -> None:
    """n = 2^35: 4 GiB a rank and level, 2 ranks, 8 levels; 1,024 nodes twice that."""
    assert replicated_gigabytes(512) == pytest.approx(68.719476736)
    assert replicated_gigabytes(1024) == pytest.approx(2 * 68.719476736)
    # 2 nodes, 2x2: 8 * 2^25/8 bytes of bitmap and 2*16*2^25*16 / 2 of tuples a rank.
    rank = 8 * 2**25 / 8 + 2 * 16 * 2**25 * 16 / 2
    assert two_dim_gigabytes(2) == pytest.approx(2 * rank / 1e9)
    assert two_dim_gigabytes(512) < replicated_gigabytes(512)


def test_a_bound_by_links_does_not_collapse() -> None:
    assert all_to_all_bound(32) == all_to_all_bound(512) == 6.4e9


def test_a_cost_of_messages_that_would_explain_the_collapse_is_a_number() -> None:
    """By hand: 1024 MiB a process and 4 a node at 6.4 GB/s; 2,048 - 4 x 128 messages' worth make
    three times the bytes.
    """
    needed = needed_message_seconds()

    assert needed == pytest.approx(3 * (4 * 1024 * 2**20 / 6.4e9) / (4 * 512 - 4 * 4 * 32))
    assert rate_of(512, needed) == pytest.approx(rate_of(32, needed) / 4)
    assert rate_of(512, 0.0) == pytest.approx(6.4e9)
    figure = next(item for item in tsubame().items if item.name == "figure 3")
    assert f"{needed * 1e3:.2f} ms each" in figure.how
    assert "a factor of 3.9 or more" in figure.how
    assert [row[0] for row in figure.tables[0].rows] == ["32", "64", "128", "256", "512"]
    assert [row[-1] == "-" for row in figure.tables[0].rows] == [False] * 3 + [True] * 2
    assert "reproduced" not in figure.how


def test_shapes_that_the_text_puts_at_one_level_are_there() -> None:
    """2D as 3Db of 3,072 nodes, 3Db as 1D of 18,432; and the test of it can fail."""
    loads = {
        nodes: {name: k.torus_of(xyz).busiest_of_all_to_all() for name, xyz in one.items()}
        for nodes, one in k.SHAPES.items()
    }

    assert loads[3072]["2D"] == loads[3072]["3Db"]
    assert loads[18432]["3Db"] == loads[18432]["1D"]
    assert k.ALIKE[3072] == (("2D", "3Db"),)
    assert k.ALIKE[18432] == (("3Db", "1D"),)
    told = {item.name: item.how for item in k.k_computer().items}
    assert "3Db as 1D: met" in told["shapes of 18,432 nodes"]
    assert "2D as 3Db: met" in told["shapes of 3,072 nodes"]


def test_another_shape_at_that_level_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(k, "ALIKE", {**k.ALIKE, 18432: (("3D", "1D"),)})

    assert not k.rankings_met(18432)


def test_one_number_fitted_to_one_link_says_the_other_within_a_tenth() -> None:
    assert times_as_fast("QDR") == pytest.approx(1.16)
    assert times_as_fast("10GbE") == pytest.approx(2.09, rel=0.1)
    assert 0 < share_by_rate() < 1


def test_of_four_nodes_of_64_a_quarter_stays() -> None:
    assert leaving_share(4, 64) == pytest.approx(192 / 255)


def test_sharp_by_hand() -> None:
    assert [pieces_of(size) for size in (16, 256, 257, 8192)] == [1, 1, 2, 32]
    assert (unknowns(1536), unknowns(3072)) == (2_362_369, 9_443_329)


def test_every_ranking_of_the_k_computers_text_is_met() -> None:
    assert all(k.rankings_met(nodes) for nodes in k.SHAPES)
    for shape in k.SHAPES[384].values():
        assert k.routed(shape) == pytest.approx(k.torus_of(shape).busiest_of_all_to_all())
    products = {
        nodes: [12 * x * y * z for x, y, z in one.values()] for nodes, one in k.SHAPES.items()
    }
    assert all(set(found) == {nodes} for nodes, found in products.items())


@pytest.mark.parametrize("name", SOURCES)
def test_facts_keep_to_the_schema(name: str) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))

    jsonschema.validate(facts_of(SOURCES[name]()), schema)


def test_the_command_lists_tells_and_draws(store: Store, tmp_path: Path) -> None:
    page = tmp_path / "tsubame.html"

    listed = store.isobath("reproduce", "tsubame", "--list")
    whole = store.isobath("reproduce", "tsubame")
    assert store.isobath("reproduce", "tsubame", "--output", str(page)).code == 0

    assert listed.code == whole.code == 0
    assert "figure 7" in listed.out
    assert "68.7 GB" not in listed.out
    assert "68.7 GB" in " ".join(whole.out.split())
    assert "never" not in whole.out
    assert "figure 3: simulated" in page.read_text(encoding="utf-8")


def test_an_unknown_source_is_one_sentence(store: Store) -> None:
    said = store.isobath("reproduce", "tsubmae")

    assert said.code == 2
    assert "did you mean tsubame?" in said.err


def test_the_page_of_a_source_says_whose_it_is_and_begins_with_no_separator() -> None:
    page = page_html(page_of(SOURCES["k"]()))

    assert '<p class="origin">source <code>k</code></p>' in page
