# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/explanation/plans: who stores what, and what travels.

Run it after a change: python3 tools/draw_plans.py
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images" / "plans"
SIDE = 240
LEFT, TOP = 70, 60
INK, LINE, MINE, SENT, FOUND = "#1b2733", "#8aa0b4", "#cfe3f5", "#d9822b", "#2f7d6d"


def text(
    x: float, y: float, words: str, *, size: int = 13, anchor: str = "middle", fill: str = INK
) -> str:
    """A line of words as SVG."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
        f' font-family="sans-serif">{words}</text>'
    )


def rectangle(x: float, y: float, w: float, h: float, fill: str) -> str:
    """A part of the matrix."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" stroke="{LINE}"'
        ' stroke-width="1"/>'
    )


def arrow(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """What travels, from where to where."""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="3"'
        f' marker-end="url(#{"sent" if colour == SENT else "found"})"/>'
    )


def head(width: int, height: int, title: str) -> list[str]:
    """The beginning of a picture: size, title, arrow heads."""
    tips = "".join(
        f'<marker id="{name}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5"'
        f' markerHeight="5" orient="auto-start-reverse">'
        f'<path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
        for name, colour in (("sent", SENT), ("found", FOUND))
    )
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{title}</title><defs>{tips}</defs>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]


def matrix(rows: int, cols: int, mine: int) -> list[str]:
    """The adjacency matrix, targets downwards, sources to the right, in rows x cols parts."""
    parts = []
    for col in range(cols):
        for row in range(rows):
            rank = col * rows + row
            x, y = LEFT + col * SIDE / cols, TOP + row * SIDE / rows
            w, h = SIDE / cols, SIDE / rows
            parts.append(rectangle(x, y, w, h, MINE if rank == mine else "#f6f8fa"))
            parts.append(text(x + w / 2, y + h / 2 + 4, f"{rank}", size=12))
    parts.append(text(LEFT + SIDE / 2, TOP - 12, "sources"))
    parts.append(
        f'<g transform="translate({LEFT - 14},{TOP + SIDE / 2}) rotate(-90)">'
        f"{text(0, 0, 'targets')}</g>"
    )
    return parts


def page(name: str, title: str, body: list[str], notes: list[str]) -> None:
    """Writes one picture: the drawing, and notes beside it."""
    lines = head(560, 330, title) + body
    lines += [text(340, 90 + 22 * k, note, anchor="start") for k, note in enumerate(notes)]
    (FOLDER / f"{name}.svg").write_text("\n".join([*lines, "</svg>"]) + "\n", encoding="utf-8")


def main() -> None:
    """Draws all six."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    band = SIDE / 6
    page(
        "replicated-csr",
        "Six ranks, rows of own targets; the frontier of all comes to each",
        [
            *matrix(6, 1, 2),
            *(
                arrow(
                    LEFT + SIDE + 8,
                    TOP + (k + 0.5) * band,
                    LEFT + SIDE + 34,
                    TOP + 2.5 * band,
                    SENT,
                )
                for k in range(6)
                if k != 2
            ),
        ],
        [
            "expand: n/8 bytes of bitmap",
            "and n/512 of summary reach",
            "every rank; then each own",
            "unvisited target looks along",
            "its row for the frontier",
            "and stops at the first.",
        ],
    )
    page(
        "replicated-csc",
        "Six ranks, own targets, by source; only the frontier's columns are visited",
        [
            *matrix(6, 1, 2),
            *(
                f'<rect x="{LEFT + x:g}" y="{TOP + 2 * band:g}" width="5" height="{band:g}"'
                f' fill="{FOUND}"/>'
                for x in (22, 61, 120, 171, 205)
            ),
            *(
                arrow(
                    LEFT + SIDE + 8,
                    TOP + (k + 0.5) * band,
                    LEFT + SIDE + 34,
                    TOP + 2.5 * band,
                    SENT,
                )
                for k in range(6)
                if k != 2
            ),
        ],
        [
            "expand as replicated-csr;",
            "then only the columns of",
            "frontier vertices (green)",
            "are scanned, their own",
            "targets are claimed.",
        ],
    )
    column = SIDE / 6
    page(
        "simple",
        "Six ranks, rows of own sources; pairs travel to the owner of the target",
        [
            *matrix(1, 6, 2),
            *(
                arrow(
                    LEFT + 2.5 * column,
                    TOP + SIDE + 8,
                    LEFT + (k + 0.5) * column,
                    TOP + SIDE + 30,
                    SENT,
                )
                for k in range(6)
                if k != 2
            ),
        ],
        [
            "no expand. Every frontier arc",
            "becomes a pair (target, parent)",
            "for the owner of the target,",
            "coalesced in 4 KiB buffers,",
            "sent while the scan goes on.",
        ],
    )
    page(
        "one-sided",
        "Six ranks; parents are written into the owner's memory",
        [
            *matrix(1, 6, 2),
            *(
                arrow(
                    LEFT + 2.5 * column,
                    TOP + SIDE + 8,
                    LEFT + (k + 0.5) * column,
                    TOP + SIDE + 30,
                    FOUND,
                )
                for k in range(6)
                if k != 2
            ),
        ],
        [
            "as simple, but the rank that",
            "scans writes into the owner's",
            "windows: the least parent wins",
            "(MPI_MIN), a bit marks the",
            "next frontier (MPI_BOR).",
        ],
    )
    page(
        "two-dim",
        "2 x 3 ranks: expand along the grid column, fold along the grid row",
        [
            *matrix(2, 3, 2),
            arrow(LEFT + SIDE / 2, TOP + SIDE * 0.70, LEFT + SIDE / 2, TOP + SIDE * 0.42, SENT),
            arrow(
                LEFT + SIDE * 0.42,
                TOP + SIDE / 4 + 22,
                LEFT + SIDE * 0.2,
                TOP + SIDE / 4 + 22,
                FOUND,
            ),
            arrow(
                LEFT + SIDE * 0.58,
                TOP + SIDE / 4 + 22,
                LEFT + SIDE * 0.8,
                TOP + SIDE / 4 + 22,
                FOUND,
            ),
        ],
        [
            "expand (orange): n/(8C) bytes",
            "of bitmap in the grid column;",
            "fold (green): pairs along the",
            "grid row, while sender and",
            "receiver run side by side.",
        ],
    )
    page(
        "hybrid",
        "2 x 3 ranks: the visited bitmap passes round the grid row, halves both ways",
        [
            *matrix(2, 3, 2),
            f'<path d="M{LEFT + SIDE * 0.55:g} {TOP + SIDE / 4 + 16:g} H{LEFT + SIDE * 0.78:g}"'
            f' stroke="{FOUND}"'
            ' stroke-width="3" fill="none" marker-end="url(#found)"/>',
            f'<path d="M{LEFT + SIDE * 0.45:g} {TOP + SIDE / 4 + 30:g} H{LEFT + SIDE * 0.22:g}"'
            f' stroke="{FOUND}"'
            ' stroke-width="3" fill="none" marker-end="url(#found)"/>',
            arrow(LEFT + SIDE / 2, TOP + SIDE * 0.70, LEFT + SIDE / 2, TOP + SIDE * 0.42, SENT),
        ],
        [
            "wide levels bottom-up: expand",
            "(orange) the visited bitmap,",
            "rotate it in two halves round",
            "the grid row (green), send each",
            "parent found to its owner once,",
            "packed.",
        ],
    )


if __name__ == "__main__":
    main()
