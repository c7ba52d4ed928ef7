"""Functions that fixes name in `make`: each computes a value from another value, or a whole patch.

Each accepts a document of any shape and returns `MISSING` or None if it does not apply; validation
checks the result afterwards. Placeholder values come from the fix rule. One module: the tables at its end name them all.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright_runtime.agreement import preferred_transport
from cardwright_runtime.identifiers import air_identifier, air_prefix, server_name, shortened
from cardwright_runtime.message_fixes import (
    flat_file,
    part_kind,
    standard_base64,
    without_data_url,
    zoned,
)
from cardwright_runtime.schemes import (
    authentication,
    declared,
    requirement,
    scheme,
    schemes_agree,
    unneeded,
    wrapped,
)
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Row = Mapping[str, Any]
    Value = Callable[[Any, "Place"], Any]
    Patch = Callable[["Place"], "Sequence[Row] | None"]

MISSING: Final = object()
# Project decision: long enough for any name that a person reads.
_SLUG_CHARACTERS: Final = 64
_VERSION: Final = re.compile(r"[vV]?([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?")


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a fix: the document, the steps to the place, and the current value there.

    `table` and `value` come from the fix rule; `memo` is shared by all fixes of one validation.
    """

    document: Any
    steps: tuple[str, ...]
    current: Any
    table: Mapping[str, Any]
    value: Any
    memo: dict[str, Any]

    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer (RFC 6901)."""
        return pointer_of(self.steps)


def at(document: Any, steps: Sequence[str]) -> Any:
    """Return the value at some steps, or `MISSING`."""
    node = document
    for step in steps:
        if type(node) is dict and step in node:
            node = node[step]
        elif type(node) is list and step.isdecimal() and int(step) < len(node):
            node = node[int(step)]
        else:
            return MISSING
    return node


def slugged(text: str) -> str:
    """Return text as an identifier: lower-case ASCII letters and digits joined by hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", text[: 4 * _SLUG_CHARACTERS]).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_SLUG_CHARACTERS].rstrip("-")


def _listed(value: Any, _: Place) -> Any:
    """Return a list of one item, if the value is a string or an object with a `url`."""
    return [value] if type(value) is str or (type(value) is dict and "url" in value) else MISSING


def _minor(value: Any, _: Place) -> Any:
    """Return a version as Major.Minor (A2A 1.0 §3.6)."""
    match = _VERSION.fullmatch(value.strip()) if type(value) is str else None
    return f"{int(match[1])}.{int(match[2] or 0)}" if match else MISSING


def _padded(value: Any, _: Place) -> Any:
    """Return a version as Major.Minor.Patch (Semantic Versioning 2.0.0 §2)."""
    match = _VERSION.fullmatch(value.strip()) if type(value) is str else None
    return ".".join(str(int(part or 0)) for part in match.groups()) if match else MISSING


def _protocol_version(value: Any, place: Place) -> Any:
    """Return the only protocol version that a card lists, as Major.Minor."""
    if type(value) is list:
        value = value[0] if len(value) == 1 else None
    return _minor(value, place)


def _origin(value: Any, _: Place) -> Any:
    """Return scheme and authority of an absolute http(s) URL."""
    try:
        parts = urlsplit(value) if type(value) is str else None
    except ValueError:
        return MISSING
    if parts is None or parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        return MISSING
    return f"{parts.scheme}://{parts.netloc}"


def _skill(value: Any, place: Place) -> Any:
    """Return a skill built from its name, with the defaults of the fix rule for other required fields."""
    if type(value) is not str or not value.strip():
        return MISSING
    defaults = {"description": value, **place.value} if place.value is not MISSING else {}
    return {"id": value, "name": value, **defaults}


def _flags(value: Any, place: Place) -> Any:
    """Return a list of known names as an object in which each is true."""
    return MISSING if unknown_names(place) else _known_flags(value, place)


def _known_flags(value: Any, place: Place) -> Any:
    """Return the known names of a list as an object in which each is true."""
    if type(value) is not list:
        return MISSING
    flags = {place.table[name]: True for name in map(_folded, value) if name in place.table}
    return flags or MISSING


def _named_interfaces(value: Any, place: Place) -> Any:
    """Return interfaces that an object names by their protocol as a list, without those of other protocols."""
    named = value.items() if type(value) is dict else ()
    known = [(place.table.get(_folded(name)), url) for name, url in named if type(url) is str]
    return [
        {"url": url, "protocolBinding": binding, **place.value} for binding, url in known if binding
    ] or MISSING


def unknown_names(place: Place) -> list[Any]:
    """Return the items of the current list, or names of the object, that the table of the fix rule does not know."""
    items = list(place.current) if type(place.current) in (list, dict) else []
    return [item for item in items if _folded(item) not in place.table]


def _folded(name: Any) -> str:
    return re.sub(r"[ _-]", "", name.casefold()) if type(name) is str else ""


def _one_skill(value: Any, place: Place) -> Any:
    """Return a list of one skill, built from the name and description of the card."""
    if type(value) is not str or not slugged(value):
        return MISSING
    text = at(place.document, ("description",))
    description = text if type(text) is str and text.strip() else value
    return [{"id": slugged(value), "name": value, "description": description, **place.value}]


def _slug(value: Any, place: Place) -> Any:
    """Return a unique identifier for a skill, derived from its name."""
    assigned = place.memo.get("slugs")
    if assigned is None:
        assigned = place.memo["slugs"] = _slugs(at(place.document, place.steps[:1]))
    return assigned.get(place.steps[1], MISSING) if type(value) is str else MISSING


def _slugs(skills: Any) -> dict[str, str]:
    """Return a new identifier for each skill without one, by the skill's index."""
    items = [item if type(item) is dict else {} for item in (skills if type(skills) is list else ())]
    names = _Names({str(item["id"]) for item in items if item.get("id") is not None})
    assigned: dict[str, str] = {}
    for index, item in enumerate(items):
        name = item.get("name")
        base = slugged(name) if type(name) is str else ""
        if item.get("id") is None and base:
            assigned[str(index)] = names.free(base)
    return assigned


class _Names:
    """Set of names in use, from which `free` derives unused ones."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._last: dict[str, int] = {}

    def free(self, base: str) -> str:
        """Return an unused name, with a number appended if necessary, and mark it as used."""
        name = base
        while name in self._taken:
            self._last[base] = self._last.get(base, 1) + 1
            name = f"{base}-{self._last[base]}"
        self._taken.add(name)
        return name


def _numbered(value: Any, place: Place) -> Any:
    """Return a repeated identifier with a number appended, so that no other item has it."""
    if type(value) is not str:
        return MISSING
    names = place.memo.get("numbered")
    if names is None:
        last = place.steps[-1]
        items = at(place.document, place.steps[:-2])
        ids = {item[last] for item in items if type(item) is dict and type(item.get(last)) is str}
        names = place.memo["numbered"] = _Names(ids)
    return names.free(value)


def _named_schemes(value: Any, place: Place) -> Any:
    """Return a list of security schemes as an object with the type of each scheme as its name."""
    if type(value) is not list or not value:
        return MISSING
    by_type: dict[str, Any] = {}
    for item in value:
        converted = scheme(item, place.table)
        if converted is None or converted["type"] in by_type:
            return MISSING
        by_type[converted["type"]] = converted
    return by_type


def _requirement(value: Any, place: Place) -> Any:
    """Return a requirement in the shape of 1.0, if all schemes that it names are declared."""
    result = requirement(value)
    return result if result and _are_declared(place.document, [result]) else MISSING


def _are_declared(document: Any, requirements: list[Any]) -> bool:
    schemes = at(document, ("securitySchemes",))
    known = schemes.keys() if type(schemes) is dict else ()
    return all(name in known for item in requirements for name in item["schemes"])


def _some(value: Any) -> Any:
    return MISSING if value is None else value


def _dual(value: Any, place: Place) -> Any:
    """Return a scheme as one object with both encodings, for A2A 0.x and 1.0 clients of a hybrid."""
    older, newer = scheme(value, place.table), wrapped(value, place.table)
    return MISSING if older is None or newer is None else {**older, **newer}


def _authentication_schemes(value: Any, _: Place) -> Any:
    """Return an `authentication` whose schemes are names and whose credentials are text (A2A 0.1 §5.5.3)."""
    import json

    if type(value) is not dict:
        return MISSING
    names = value.get("schemes")
    names = [names] if type(names) is str else names
    if type(names) is not list:
        return MISSING
    names = [name.get("type") if type(name) is dict else name for name in names]
    result = {**value, "schemes": names}
    if type(value.get("credentials")) in (dict, list):
        result["credentials"] = json.dumps(value["credentials"], ensure_ascii=False)
    return result if all(type(name) is str for name in names) else MISSING


def _repeated(place: Place) -> Sequence[Row] | None:
    """Remove an item of a list that equals an earlier one."""
    *outer, index = place.steps[:-1]
    items = at(place.document, outer)
    if type(items) is not list or items.index(items[int(index)]) == int(index):
        return None
    return [{"op": "remove", "path": pointer_of(place.steps[:-1])}]


def _media_types(place: Place) -> Sequence[Row]:
    """Rename `mediaType` of each entry to `type`; beside `type` it is removed (AI Catalog, ADR 0014)."""
    entries = [
        (n, one) for n, one in enumerate(place.current["entries"]) if type(one) is dict and "mediaType" in one
    ]
    paths = [
        (f"/entries/{n}/mediaType", {} if "type" in one else {"path": f"/entries/{n}/type"})
        for n, one in entries
    ]
    return [
        {"op": "move", "from": old, **new} if new else {"op": "remove", "path": old} for old, new in paths
    ]


def _main_listed(place: Place) -> Sequence[Row] | None:
    """Add the main URL with its transport to the interfaces (A2A 0.3 §5.6.4)."""
    url = at(place.document, ("url",))
    if type(url) is not str or type(place.current) is not list:
        return None
    return [
        {
            "op": "add",
            "path": f"{place.pointer}/-",
            "value": {"url": url, "transport": preferred_transport(place.document)},
        }
    ]


def _interface(place: Place) -> Sequence[Row] | None:
    """Add an interface of one half of a hybrid to the other half."""
    if place.steps[0] == "supportedInterfaces":
        return _in_older_half(place)
    item = (
        place.current
        if type(place.current) is dict
        else {"url": place.current, "transport": preferred_transport(place.document)}
    )
    if type(at(place.document, ("supportedInterfaces",))) is not list:
        return None
    entry = {"url": item.get("url"), "protocolBinding": item.get("transport"), **place.value}
    return [{"op": "add", "path": "/supportedInterfaces/-", "value": entry}]


def _in_older_half(place: Place) -> Sequence[Row] | None:
    item = place.current
    if type(item) is not dict:
        return None
    entry = {"url": item.get("url"), "transport": item.get("protocolBinding")}
    others = at(place.document, ("additionalInterfaces",))
    if type(others) is list:
        return [{"op": "add", "path": "/additionalInterfaces/-", "value": entry}]
    url = at(place.document, ("url",))
    if type(url) is not str or others is not MISSING:
        return None
    main = {"url": url, "transport": preferred_transport(place.document)}
    return [{"op": "add", "path": "/additionalInterfaces", "value": [main, entry]}]


def _main_transport(place: Place) -> Sequence[Row] | None:
    """Add `preferredTransport` to the older half of a hybrid: the binding that the other half has for the main URL."""
    entries = at(place.document, ("supportedInterfaces",))
    if type(place.current) is not str or "preferredTransport" in place.document or type(entries) is not list:
        return None
    for item in entries:
        url = item.get("url") if type(item) is dict else None
        binding = item.get("protocolBinding") if type(item) is dict else None
        if type(url) is str and type(binding) is str and url.rstrip("/") == place.current.rstrip("/"):
            return [{"op": "add", "path": "/preferredTransport", "value": binding}]
    return None


def _security(place: Place) -> Sequence[Row] | None:
    """Move the `security` of a 1.0 card to `securityRequirements`, in the shape of 1.0."""
    outer = place.steps[:-1]
    holder = at(place.document, outer)
    result = [requirement(item) for item in place.current] if type(place.current) is list else [None]
    if None in result or holder.get("securityRequirements", result) != result:
        return None
    if not _are_declared(place.document, result):
        return None
    patch: list[Row] = [{"op": "remove", "path": place.pointer}]
    if "securityRequirements" not in holder and result:
        patch.append({"op": "add", "path": pointer_of((*outer, "securityRequirements")), "value": result})
    return patch


def _older_security(place: Place) -> Sequence[Row] | None:
    """Move the `securityRequirements` of a 0.x card to `security`, in the shape of 0.x."""
    outer = place.steps[:-1]
    added = schemes_agree(at(place.document, outer), outer)
    schemes = at(place.document, ("securitySchemes",))
    if not added or any(name not in schemes for item in added[0]["value"] for name in item):
        return None
    return [*added, {"op": "remove", "path": place.pointer}]


# By the `make` of a fix with `replace` or `add`.
VALUES: Final[dict[str, Value]] = {
    "air-identifier": lambda value, _: _some(air_identifier(value)),
    "air-prefix": lambda value, _: _some(air_prefix(value)),
    "authentication-schemes": _authentication_schemes,
    "base64": lambda value, _: _some(standard_base64(value)),
    "data-url": lambda value, _: _some(without_data_url(value)),
    "dual-scheme": _dual,
    "flags": _flags,
    "known-flags": _known_flags,
    "listed": _listed,
    "minor": _minor,
    "named-interfaces": _named_interfaces,
    "named-schemes": _named_schemes,
    "numbered": _numbered,
    "one-skill": _one_skill,
    "origin": _origin,
    "padded": _padded,
    "part-kind": lambda value, _: _some(part_kind(value)),
    "requirement": _requirement,
    "scheme": lambda value, place: _some(scheme(value, place.table)),
    "scopes": lambda value, _: {"list": value} if type(value) is list else MISSING,
    "server-name": lambda value, place: _some(server_name(value, place.document)),
    "shortened": lambda value, place: _some(shortened(value, place.value)),
    "skill": _skill,
    "slug": _slug,
    "spoken": _protocol_version,
    "text": lambda value, _: repr(value) if type(value) in (int, float) else MISSING,
    "trimmed": lambda value, _: value.strip() or MISSING if type(value) is str else MISSING,
    "wrapped-scheme": lambda value, place: _some(wrapped(value, place.table)),
    "zoned": lambda value, _: _some(zoned(value)),
}
# By the `make` of a fix with `rewrite`.
PATCHES: Final[dict[str, Patch]] = {
    "agreed-security": lambda place: schemes_agree(at(place.document, place.steps[:-1]), place.steps[:-1]),
    "authentication": lambda place: authentication(place.document, place.table),
    "declared": lambda place: declared(place.document, place.steps[-1], place.table, newer=False),
    "emptied": lambda place: (
        None
        if at(place.document, place.steps[:-1]) != {}
        else [{"op": "remove", "path": pointer_of(place.steps[:-1])}]
    ),
    "flat-file": lambda place: flat_file(place.current, place.pointer),
    "interface": _interface,
    "main-listed": _main_listed,
    "main-transport": _main_transport,
    "media-types": _media_types,
    "no-authentication": lambda place: authentication(place.document, place.table, removes=True),
    "older-security": _older_security,
    "repeated": _repeated,
    "security": _security,
    "unneeded": lambda place: unneeded(place.document, place.steps[-1], place.table),
    "void": lambda place: None if place.current else [{"op": "remove", "path": place.pointer}],
    "wrapped-authentication": lambda place: authentication(place.document, place.table, newer=True),
    "wrapped-declared": lambda place: declared(place.document, place.steps[-1], place.table, newer=True),
}
