"""The versions that cards declare, and whether they rise as far as the changes demand.

The law is the Beach card seed, Versioning. It knows three versions and judges each apart:

- the agent's `version` answers for everything that a caller can see: a minor bump promises that
  whoever called before still can, so every change counts;
- `extensions.beach.version` versions its block: it answers, as well, for what stands in it, the
  turn states and the schema of the respond tool. Parts stand in `envelope`, outside;
- `schemaVersion` versions the form of the card and nothing that the agent does: only a member whose
  form cannot be read like that of before demands a new one.

A version that is declared by neither card is not judged, and one that is declared for the first time
is enough. One that is no semantic version declares nothing; one that goes backwards never suffices.

Major zero is no exception: the seed gives consumers one reading of a minor bump.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.conversion.extensions import BEACH_EXTENSION_URI
from cardwright.difference.change import SEVERITIES, required_bump
from cardwright.difference.pair import member

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.difference.change import Change, Severity

Part: TypeAlias = Literal["agent", "schema", "beach"]
PARTS: Final[tuple[Part, ...]] = ("agent", "schema", "beach")

_BEACH_KINDS: Final = frozenset({"state-added", "state-removed", "respond-tool-changed"})
_SCHEMA_KINDS: Final = frozenset({"member-unreadable"})

# SemVer 2.0 §2, §9, §10; the Beach seed writes Major.Minor, and many agents a single number. A date
# such as 2025-06-18 is no pre-release of a number.
_SEMVER: Final = re.compile(
    r"v?(?![0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?P<major>[0-9]{1,9})(\.(?P<minor>[0-9]{1,9}))?(\.(?P<patch>[0-9]{1,9}))?"
    r"(?P<pre>-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
)


_FIRST: Final = "declared for the first time"
_GONE: Final = "not declared any more"
_NEVER: Final = "not declared by either card"
_UNREADABLE: Final = "no semantic version (Major.Minor.Patch), so what it declares cannot be told"
_BACKWARDS: Final = "goes backwards"


@dataclass(frozen=True, slots=True)
class Declared:
    """What two cards say of one version.

    Attributes:
        before: The older card's, or None.
        after: The newer card's, or None.
        bump: Which part of it rose; `none` where none did or nobody can tell.
        required: Which part has to rise at least.
        note: What is odd about it, in words; "" where nothing is.
    """

    before: Any
    after: Any
    bump: Severity
    required: Severity
    note: str = ""

    @property
    def sufficient(self) -> bool:
        """Whether it rose as far as it has to."""
        if self.note == _BACKWARDS:
            return False
        return self.note == _FIRST or SEVERITIES.index(self.bump) >= SEVERITIES.index(self.required)


def declared(part: Part, before: Any, after: Any, changes: Iterable[Change]) -> Declared | None:
    """Return what two cards declare of a version; None where neither says anything of it.

    The agent's version is always judged, since every caller goes by it.
    """
    if before is None and after is None and part != "agent":
        return None
    kinds = {"schema": _SCHEMA_KINDS, "beach": _BEACH_KINDS}.get(part)
    required = required_bump(change for change in changes if kinds is None or change.kind in kinds)
    bump, note = _step(before, after)
    return Declared(before, after, bump, required, note)


def said(part: Part, document: Any, hub: Any) -> Any:
    """Return the version that a card says, or None.

    Every dialect writes the agent's in the same place, and where it is missing the hub assumes one.
    """
    if part == "agent":
        return member(document, "version")
    listed = member(member(hub, "capabilities"), "extensions")
    for extension in listed if type(listed) is list else ():
        if member(extension, "uri") == BEACH_EXTENSION_URI:
            return member(member(extension, "params"), "version" if part == "beach" else "schemaVersion")
    return None


def _step(before: Any, after: Any) -> tuple[Severity, str]:
    """Return which part rose from one version to another, and what is odd about that."""
    if before is None or after is None:
        both = before is None and after is None
        return "none", _NEVER if both else _FIRST if before is None else _GONE
    if before == after:
        return "none", ""
    old, new = _parsed(before), _parsed(after)
    if old is None or new is None:
        return "none", _UNREADABLE
    if old == new:
        return "none", ""
    if new < old:
        return "none", _BACKWARDS
    return _risen(old, new), ""


_Version: TypeAlias = tuple[tuple[int, int, int], tuple[Any, ...]]


def _risen(old: _Version, new: _Version) -> Severity:
    (before, _), (after, _) = old, new
    if before[0] != after[0]:
        return "major"
    if before[:2] != after[:2]:
        return "minor"
    if before != after:
        return "patch"
    # From one pre-release to the next, or to the release: none keeps what another promises (SemVer §9).
    return "patch" if after[2] else "minor" if after[1] else "major"


def _parsed(text: Any) -> _Version | None:
    """Return a version in a form that sorts by precedence (SemVer §11); None where it is none."""
    match = _SEMVER.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    major, minor, patch = (int(match[name] or 0) for name in ("major", "minor", "patch"))
    if match["pre"] is None:
        return (major, minor, patch), (1,)
    # Numbers stand below words, and fewer identifiers below more.
    identifiers = [
        (0, int(one), "") if one.isdecimal() else (1, 0, one) for one in match["pre"][1:].split(".")
    ]
    return (major, minor, patch), (0, *identifiers)
