"""The picture of growth curves, as SVG: a panel for each thing that grows, both axes logarithmic, memory dashed."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH: Final = 920
HEIGHT: Final = 300
PANEL: Final = WIDTH // 3
# The space left of, above and below the curves of a panel.
LEFT: Final = 56
TOP: Final = 34
BOTTOM: Final = 96
RIGHT: Final = 14
LINE: Final = 15

_STYLE: Final = """
    text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
    .title { font-weight: 600; font-size: 13px; }
    .note { font-size: 11px; fill: #57606a; }
    .grid { stroke: #d0d7de; }
    polyline { fill: none; stroke-width: 2; }
    .a { stroke: #0969da; } .b { stroke: #bc4c00; } .c { stroke: #1a7f37; } .m { stroke: #57606a; stroke-dasharray: 5 4; }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; }
      text { fill: #e6edf3; }
      .note { fill: #9ea7b3; }
      .grid { stroke: #30363d; }
      .a { stroke: #4493f8; } .b { stroke: #f0883e; } .c { stroke: #3fb950; } .m { stroke: #9ea7b3; }
    }
"""


@dataclass(frozen=True, slots=True)
class Curve:
    """A named curve: (size, value) of each point."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the picture: its title, the units of its axes, its curves, and that of its memory in MiB."""

    title: str
    unit: str
    value_unit: str
    curves: Sequence[Curve]
    memory: Curve


def picture(panels: Sequence[Panel]) -> str:
    """Return the picture of up to three panels."""
    label = "Growth curves: " + "; ".join(map(_in_words, panels))
    drawn = "\n".join(line for index, panel in enumerate(panels) for line in _panel(panel, index * PANEL))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">\n'
        f"  <style>{_STYLE}  </style>\n{drawn}\n</svg>\n"
    )


def _in_words(panel: Panel) -> str:
    curves = ", ".join(
        f"{one.name} from {_short(one.points[0][1])} to {_short(one.points[-1][1])} {panel.value_unit}"
        for one in panel.curves
    )
    first, last = (panel.memory.points[index] for index in (0, -1))
    return (
        f"{panel.title} from {_short(first[0])} to {_short(last[0])} {panel.unit}: {curves},"
        f" memory from {_short(first[1])} to {_short(last[1])} MiB"
    )


def _panel(panel: Panel, left: int) -> Iterable[str]:
    every = [*panel.curves, panel.memory]
    sizes = _decades(size for curve in every for size, _ in curve.points)
    values = _decades(max(value, 0.001) for curve in every for _, value in curve.points)
    x0, x1, y0, y1 = left + LEFT, left + PANEL - RIGHT, HEIGHT - BOTTOM, TOP

    def x(size: float) -> float:
        return x0 + (log10(size) - sizes[0]) / (sizes[-1] - sizes[0]) * (x1 - x0)

    def y(value: float) -> float:
        return y0 - (log10(max(value, 0.001)) - values[0]) / (values[-1] - values[0]) * (y0 - y1)

    yield f'  <text class="title" x="{x0}" y="18">{escape(panel.title)}</text>'
    for power in sizes:
        at = x(10.0**power)
        yield f'  <line class="grid" x1="{at:.1f}" y1="{y0}" x2="{at:.1f}" y2="{y1}"/>'
        yield f'  <text class="note" x="{at:.1f}" y="{y0 + 16}" text-anchor="middle">{_short(10.0**power)}</text>'
    for power in values:
        at = y(10.0**power)
        yield f'  <line class="grid" x1="{x0}" y1="{at:.1f}" x2="{x1}" y2="{at:.1f}"/>'
        yield f'  <text class="note" x="{x0 - 6}" y="{at + 4:.1f}" text-anchor="end">{_short(10.0**power)}</text>'
    for index, (curve, kind) in enumerate(zip(every, [*"abc"[: len(panel.curves)], "m"], strict=True)):
        points = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in curve.points)
        yield f'  <polyline class="{kind}" points="{points}"/>'
        at = y0 + 36 + LINE * index
        unit = "memory, MiB" if kind == "m" else f"{curve.name}, {panel.value_unit}"
        yield f'  <polyline class="{kind}" points="{x0},{at - 4} {x0 + 22},{at - 4}"/>'
        yield f'  <text class="note" x="{x0 + 28}" y="{at}">{escape(unit)}</text>'
    yield f'  <text class="note" x="{x1}" y="{y0 + 36}" text-anchor="end">{escape(panel.unit)}</text>'


def _decades(values: Iterable[float]) -> range:
    """Return the powers of ten from below the least to above the greatest value."""
    every = list(values)
    low, high = floor(log10(min(every))), ceil(log10(max(every)))
    return range(low, max(high, low + 1) + 1)


def _short(value: float) -> str:
    """Return a number in few characters.

    >>> _short(1_000_000), _short(10_000), _short(0.01), _short(12.34)
    ('1M', '10k', '0.01', '12')
    """
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}" if value < 10 else f"{value:.0f}"
