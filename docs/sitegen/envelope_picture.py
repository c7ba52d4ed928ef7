"""The picture of the way of a part, as SVG: which receiver gets which part types, by the delivery rules themselves."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from cardwright.registries import PartTypeRegistry, TransportRegistry
from cardwright_beach import Transport
from cardwright_beach.delivery.receiver import receiver_of
from cardwright_beach.delivery.rules import decide

if TYPE_CHECKING:
    from collections.abc import Iterator

# The receivers of the picture; the example of the seed lists what its peer accepts.
RECEIVERS: Final = {
    "browser: Transport(“sse”)": Transport("sse"),
    "mail: Transport(“smtp”)": Transport("smtp"),
    "Beach agent that lists domain-data, acme.board": Transport(
        "a2a", "streaming", consumes=("domain-data", "acme.board"), peer="beach"
    ),
    "A2A agent without Beach": Transport("a2a", "streaming", peer="other"),
}
OWN: Final = "acme.board"
WIDTH: Final = 920
LEFT: Final = 450
LINE: Final = 17
PER_LINE: Final = 62

_STYLE: Final = """
    rect { fill: #f6f8fa; stroke: #57606a; }
    text { font: 14px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
    .note { font-size: 12px; fill: #57606a; }
    path { fill: none; stroke: #57606a; marker-end: url(#arrow); }
    .head { fill: #57606a; stroke: none; marker-end: none; }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; }
      rect { fill: #161b22; stroke: #8b949e; }
      text { fill: #e6edf3; }
      .note { fill: #9ea7b3; }
      path { stroke: #8b949e; }
      .head { fill: #8b949e; }
    }
"""


def envelope_picture() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the picture."""
    boxes, top = list[str](), 20
    arrows = []
    for name, types in sent_types().items():
        lines = _wrapped(types)
        height = 34 + LINE * len(lines)
        boxes.append(_box(LEFT, top, WIDTH - LEFT - 10, height, name, lines))
        arrows.append((top + height // 2, LEFT))
        top += height + 16
    middle = top // 2
    steps = [
        _box(10, middle - 40, 110, 64, "handler", ["yields parts"]),
        _box(150, middle - 40, 120, 64, "router", ["applies setState"]),
        _box(300, middle - 40, 110, 64, "envelope", ["checks, merges"]),
    ]
    paths = [f"M{start} {middle - 8} L{end} {middle - 8}" for start, end in ((120, 148), (270, 298))]
    paths += [f"M410 {middle - 8} L{x - 2} {y}" for y, x in arrows]
    body = "\n".join([*steps, *boxes, *(f'  <path d="{path}"/>' for path in paths)])
    label = "A handler yields parts; the router applies setState; each receiver gets the part types that its transport and its card allow"
    yield (
        "envelope.svg",
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" aria-label="{label}">\n'
            f"  <style>{_STYLE}  </style>\n"
            '  <defs>\n    <marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
            ' orient="auto-start-reverse">\n      <path class="head" d="M0 0 L10 5 L0 10 z"/>\n    </marker>\n  </defs>\n'
            f"{body}\n</svg>\n"
        ),
    )


def sent_types() -> dict[str, list[str]]:
    """Return the part types that each receiver of the picture gets, in the order of the registry."""
    registry, transports = PartTypeRegistry.canonical(), TransportRegistry.canonical()
    registry.register(OWN, streaming="flush", buffered="drop", requires_peer_consumes=True)
    found = {}
    for name, transport in RECEIVERS.items():
        receiver = receiver_of(transport, transports, over=None, language=None)
        # A transport that sends messages shows no surface unless it names a catalogue.
        surfaces = receiver.delivery_class == "streaming"
        found[name] = [
            one
            for one in registry
            if decide(registry[one], receiver).action != "drop" and (surfaces or one != "a2ui-surface")
        ]
    return found


def _wrapped(types: list[str]) -> list[str]:
    lines = [""]
    for name in types:
        longer = f"{lines[-1]}, {name}" if lines[-1] else name
        if len(longer) > PER_LINE:
            lines.append(name)
        else:
            lines[-1] = longer
    return lines


def _box(x: int, y: int, width: int, height: int, title: str, notes: list[str]) -> str:
    middle = x + width // 2
    rows = [
        f'  <text class="note" x="{middle}" y="{y + 42 + LINE * at}" text-anchor="middle">{escape(note)}</text>'
        for at, note in enumerate(notes)
    ]
    return "\n".join(
        [
            f'  <rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>',
            f'  <text x="{middle}" y="{y + 23}" text-anchor="middle">{escape(title)}</text>',
            *rows,
        ]
    )
