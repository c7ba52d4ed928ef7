"""The versions that cards declare, and whether they increase enough for the changes.

The Beach card seed, Versioning, defines three versions, which are compared separately:

- the agent's `version` covers everything that a caller can see: a minor bump promises compatibility
  with existing callers, so that every change counts;
- `extensions.beach.version` covers its block: the turn states and the schema of the respond tool.
  Parts are in `envelope`, outside of the block;
- `schemaVersion` covers the format of the card and not the agent: only a field that can no longer be
  read requires a new one.

A version that neither card declares is not checked, and a first declaration is always sufficient. A value
that is not a semantic version declares nothing; a version that goes backwards is never sufficient.

Major version zero is no exception: the seed defines only one meaning of a minor bump.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.difference.change import SEVERITIES, required_bump
from cardwright.difference.pair import field
from cardwright.view.interfaces import BEACH_EXTENSION_URI

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.difference.change import Change, Severity

Part: TypeAlias = Literal["agent", "schema", "beach"]
PARTS: Final[tuple[Part, ...]] = ("agent", "schema", "beach")

_BEACH_KINDS: Final = frozenset({"state-added", "state-removed", "respond-tool-changed"})
_SCHEMA_KINDS: Final = frozenset({"member-unreadable"})

# SemVer 2.0 §2, §9, §10; the Beach seed uses Major.Minor, and many agents a single number. A date
# such as 2025-06-18 is not a pre-release of a number.
_SEMVER: Final = re.compile(
    r"v?(?![0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?P<major>[0-9]{1,9})(\.(?P<minor>[0-9]{1,9}))?(\.(?P<patch>[0-9]{1,9}))?"
    r"(?P<pre>-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
)


_FIRST: Final = "declared for the first time"
_GONE: Final = "no longer declared"
_NEVER: Final = "not declared by either card"
_UNREADABLE: Final = "not a semantic version (Major.Minor.Patch), so that the bump is unknown"
_BACKWARDS: Final = "goes backwards"


@dataclass(frozen=True, slots=True)
class Declared:
    """One version in two cards.

    Attributes:
        before: The version of the older card, or None.
        after: The version of the newer card, or None.
        bump: The part that increased; `none` if no part did or it is unknown.
        required: The part that must increase.
        note: A remark about the two versions, or "".
    """

    before: Any
    after: Any
    bump: Severity
    required: Severity
    note: str = ""

    @property
    def sufficient(self) -> bool:
        """Whether the version increased enough."""
        if self.note == _BACKWARDS:
            return False
        return self.note == _FIRST or SEVERITIES.index(self.bump) >= SEVERITIES.index(self.required)


def declared(part: Part, before: Any, after: Any, changes: Iterable[Change]) -> Declared | None:
    """Return one version of two cards; None if neither declares it.

    The agent's version is always checked, because every caller relies on it.
    """
    if before is None and after is None and part != "agent":
        return None
    kinds = {"schema": _SCHEMA_KINDS, "beach": _BEACH_KINDS}.get(part)
    required = required_bump(change for change in changes if kinds is None or change.kind in kinds)
    bump, note = _bump(before, after)
    return Declared(before, after, bump, required, note)


def version_of(part: Part, document: Any, hub: Any) -> Any:
    """Return the version that a card declares, or None.

    The agent's version has the same place in every dialect; it is read from the document, because the hub
    has a default for a missing one.
    """
    if part == "agent":
        return field(document, "version")
    extensions = field(field(hub, "capabilities"), "extensions")
    for extension in extensions if type(extensions) is list else ():
        if field(extension, "uri") == BEACH_EXTENSION_URI:
            return field(field(extension, "params"), "version" if part == "beach" else "schemaVersion")
    return None


def is_compatible(before: Any, after: Any) -> bool:
    """Return whether two versions are the same, or have the same major version."""
    if before == after:
        return True
    old, new = _parsed(before), _parsed(after)
    return old is not None and new is not None and old[0][0] == new[0][0]


def _bump(before: Any, after: Any) -> tuple[Severity, str]:
    """Return the part that increased from one version to another, and a remark."""
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
    return _increased_part(old, new), ""


_Version: TypeAlias = tuple[tuple[int, int, int], tuple[Any, ...]]


def _increased_part(old: _Version, new: _Version) -> Severity:
    (before, _), (after, _) = old, new
    if before[0] != after[0]:
        return "major"
    if before[:2] != after[:2]:
        return "minor"
    if before != after:
        return "patch"
    # From one pre-release to the next, or to the release: pre-releases promise no compatibility (SemVer §9).
    return "patch" if after[2] else "minor" if after[1] else "major"


def _parsed(text: Any) -> _Version | None:
    """Return a version in a form that sorts by precedence (SemVer §11); None if it is not a version."""
    match = _SEMVER.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    major, minor, patch = (int(match[name] or 0) for name in ("major", "minor", "patch"))
    if match["pre"] is None:
        return (major, minor, patch), (1,)
    # Numbers have lower precedence than words, and fewer identifiers lower than more.
    identifiers = [
        (0, int(identifier), "") if identifier.isdecimal() else (1, 0, identifier)
        for identifier in match["pre"][1:].split(".")
    ]
    return (major, minor, patch), (0, *identifiers)
