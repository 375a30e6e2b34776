# SPDX-License-Identifier: Apache-2.0
"""The SHARP overlap paper: its instruments are here, its switches are not."""

from math import ceil, log2

from isobath.reproduce.source import Item, Source
from isobath.view.content import Table, columns

PIECE_BYTES = 256
SIZES = (16, 512, 4096, 8192)
NODES = (32, 128)


def pieces_of(size: int) -> int:
    """Messages that a vector is cut into."""
    return ceil(size / PIECE_BYTES)


def unknowns(order: int) -> int:
    """Of PETSc's ex3 on a mesh of so many elements a side."""
    return (order + 1) ** 2


def sharp() -> Source:
    """Complete but for captions."""
    bench = "./isobath bench overlap --collectives iallreduce --sizes 16,512,8192 --ranks 1,2,4"
    no_switch = "no switch that reduces is here: host processes stand in for its trees"
    return Source(
        "sharp",
        "T. Nanri, S. Ohshima, K. Ono: IPSJ HPC-165 No. 12, 2018",
        "complete but for the captions of figures 7 to 10, 13 and 19",
        (
            _offload(),
            Item(
                "figures 7 to 12",
                "time of Iallreduce, 32 and 128 nodes, 16 to 8192 B",
                "in shape only",
                f"the instrument is here; {no_switch}",
                (),
                bench,
            ),
            Item(
                "figures 13 to 18",
                "overlap in per cent, by OSU's edited test",
                "in shape only",
                "its formula, OSU's and IMB's are computed from the same launches, beside fixed "
                f"work; {no_switch}",
                (),
                bench,
            ),
            Item(
                "figures 19 to 22",
                "Overlap Test of matrix products, 16 and 4096 B",
                "in shape only",
                "same work in both, threads bound; warned where the order is below ranks x threads",
                (),
                "./isobath bench overlap --work matrix",
            ),
            _petsc(),
            Item(
                "faster or hidden",
                "left open whether gains come from overlap",
                "reproduced here",
                "gain = faster collective + hidden time + disturbed computation, each with an "
                "interval",
                (),
                "./isobath show last:overlap",
            ),
        ),
    )


def _offload() -> Item:
    rows = tuple(
        (str(nodes), str(size), str(pieces_of(size)), str(ceil(log2(nodes))))
        for nodes in NODES
        for size in SIZES
    )
    heads = columns("#nodes", "#bytes", "#pieces of 256 B", "#rounds of recursive doubling")
    return Item(
        "offload model",
        "payloads of 256 B at most, longer vectors cut and pipelined",
        "computed",
        "T = host + 2 depth hop + ceil(m/256) piece: depth grows with the tree, pieces with the "
        "vector, rounds are what a library without switches needs. Its parameters are fitted "
        "where offload is measured (model fit, formula offload), or told by [offload] of a network "
        "file",
        (Table("Computed pieces and rounds", heads, rows, measured=False),),
        "./isobath bench overlap --progress offload && ./isobath model fit last",
    )


def _petsc() -> Item:
    rows = tuple((str(order), f"{unknowns(order):,}") for order in (1536, 3072))
    return Item(
        "figures 23 and 24",
        "PETSc ex3 at 1536 and 3072, CG against pipelined",
        "in shape only",
        "conjugate gradients four ways in our engine, PETSc's beside them, on few ranks: 32 "
        "nodes are not here",
        (
            Table(
                "Computed unknowns", columns("#elements a side", "#unknowns"), rows, measured=False
            ),
        ),
        "./isobath bench cg --elements 1536",
    )
