"""Checks of the order of the elements of a stream, which A2A defines over several messages (A2A 1.0 §3.1.2, §4.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import objects
from cardwright_runtime.violation import break_rule, pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_runtime.violation import Rule, Violation

    Path = tuple[str | int, ...]

# States after which a task does not change, in each version's spelling.
_TERMINAL: Final = frozenset({"completed", "failed", "canceled", "rejected"})
_PREFIX: Final = "TASK_STATE_"
# The fields of what 1.0 wraps.
_OWN: Final = frozenset({"status", "artifact", "parts"})
_WRAPPERS: Final = ("task", "message", "statusUpdate", "artifactUpdate")


def _events(document: Any) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield (path, event) of each element of a stream, without the response of JSON-RPC or the wrapper of 1.0 around it."""
    for index, element in objects(document):
        path, event = _inside((index,), element, ("result",))
        if event.keys().isdisjoint(_OWN):
            path, event = _inside(path, event, _WRAPPERS)
        yield path, event


def _inside(path: Path, value: Any, names: tuple[str, ...]) -> tuple[Path, Any]:
    """Return the value of the first of some fields, with its path; the value itself if it has none of them."""
    for name in names:
        if type(value) is dict and type(value.get(name)) is dict:
            return (*path, name), value[name]
    return path, value


def _ends(event: dict[str, Any]) -> bool:
    status = event.get("status")
    state = str(status.get("state")) if type(status) is dict else ""
    return state.removeprefix(_PREFIX).lower() in _TERMINAL or "messageId" in event


def stream_end(violations: list[Violation], rule: Rule, document: Any) -> None:
    """Add a violation for each element after the one with a terminal state, or after a message, which ends its stream."""
    end = ""
    for path, event in _events(document):
        if end:
            violations.append(
                break_rule(rule, pointer_of(path[:1]), event.get("kind", "the element"), first=end)
            )
        elif _ends(event):
            end = pointer_of(path[:1])


def stream_chunks(violations: list[Violation], rule: Rule, document: Any) -> None:
    """Add a violation for each chunk that appends to an artifact that was not begun, or that ended with `lastChunk`."""
    begun: dict[Any, bool] = {}
    for path, event in _events(document):
        artifact = event.get("artifact")
        name = artifact.get("artifactId") if type(artifact) is dict else None
        if type(name) is not str:
            continue
        if event.get("append") is True:
            fault = "appends to what no earlier chunk began" if name not in begun else ""
            fault = "continues after its last chunk" if begun.get(name) else fault
            if fault:
                violations.append(break_rule(rule, pointer_of(path), name, fault=fault))
        begun[name] = event.get("lastChunk") is True
