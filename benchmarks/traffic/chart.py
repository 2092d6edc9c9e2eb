"""Memory and descriptors of every process over a long stay, as one SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from benchmarks.traffic.soak import Held, Sample
from gangland_web.charts.paths import line

WIDTH: Final = 900
HEIGHT: Final = 300
MARGIN: Final = 70
KEY_PX: Final = 190
COLOURS: Final = (
    *("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085"),
    *("#7f8c8d", "#2c3e50", "#e84393", "#6c5ce7", "#b8860b", "#00838f"),
)


def drawing(samples: Sequence[Sample]) -> str:
    """Return the text of an SVG: memory above, descriptors below, a line for each process."""
    parts = [
        _panel(samples, 0, "Memory, MiB (PSS)", lambda held: held.pss_kib / 1024),
        _panel(samples, HEIGHT, "Descriptors", lambda held: float(held.descriptors)),
        _panel(samples, 2 * HEIGHT, "Threads", lambda held: float(held.threads)),
    ]
    size = f'width="{WIDTH}" height="{3 * HEIGHT}" viewBox="0 0 {WIDTH} {3 * HEIGHT}"'
    style = "<style>text{font:12px sans-serif;fill:#333}path{fill:none;stroke-width:1.5}</style>"
    box = f'<rect width="{WIDTH}" height="{3 * HEIGHT}" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}{box}{"".join(parts)}</svg>\n'


def _panel(samples: Sequence[Sample], top: int, title: str, value: Callable[[Held], float]) -> str:
    names = sorted({name for one in samples for name in one.held})
    most = max((value(held) for one in samples for held in one.held.values()), default=1.0) * 1.05 or 1.0
    last = max((one.at_s for one in samples), default=1.0) or 1.0
    right, bottom = WIDTH - KEY_PX, top + HEIGHT - 40
    found = [f'<text x="{MARGIN}" y="{top + 20}">{escape(title)}</text>']
    for share in (0.0, 0.5, 1.0):
        y = bottom - share * (HEIGHT - 80)
        found.append(f'<path stroke="#ddd" d="M{MARGIN} {y:.0f}H{right}"/>')
        found.append(f'<text x="{MARGIN - 8}" y="{y + 4:.0f}" text-anchor="end">{share * most:.0f}</text>')
        x = MARGIN + share * (right - MARGIN)
        found.append(f'<text x="{x:.0f}" y="{bottom + 18}" text-anchor="middle">{share * last / 60:.0f} min</text>')
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        points = [
            (
                MARGIN + one.at_s / last * (right - MARGIN),
                bottom - value(one.held[name]) / most * (HEIGHT - 80),
            )
            for one in samples
            if name in one.held
        ]
        found.append(f'<path stroke="{colour}" d="{line(points)}"/>')
        y = top + 40 + 18 * number
        found.append(f'<path stroke="{colour}" d="M{right + 10} {y - 4}h18"/>')
        found.append(f'<text x="{right + 34}" y="{y}">{escape(name)}</text>')
    return "".join(found)
