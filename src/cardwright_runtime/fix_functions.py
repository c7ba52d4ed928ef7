"""What a fix can make where no table says it: a value of another value, or a whole patch.

Each looks at a document of any shape and returns nothing where it has no answer; whether the
answer is any good, the judge says afterwards. Invented values come in from the recipe.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

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
# Longer identifiers are read by nobody (ours).
_SLUG_CHARACTERS: Final = 64
_VERSION: Final = re.compile(r"[vV]?([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?")
# A2A 0.3 §5.5: the transport of a card that names none.
_DEFAULT_TRANSPORT: Final = "JSONRPC"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fix is made: the document, the steps to the place, and what stands there now.

    `table` and `value` are the recipe's; `memo` lasts as long as the document is looked at.
    """

    document: Any
    steps: tuple[str, ...]
    seen: Any
    table: Mapping[str, Any]
    value: Any
    memo: dict[str, Any]

    @property
    def pointer(self) -> str:
        """The place as RFC 6901 writes it."""
        return pointer_of(self.steps)


def at(document: Any, steps: Sequence[str]) -> Any:
    """Return what stands at some steps, or `MISSING`."""
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
    """Return text as an identifier: lower-case ASCII letters and digits joined by hyphens; perhaps nothing."""
    plain = unicodedata.normalize("NFKD", text[: 4 * _SLUG_CHARACTERS]).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_SLUG_CHARACTERS].rstrip("-")


def _trimmed(value: Any, _: Place) -> Any:
    return value.strip() if type(value) is str and value.strip() else MISSING


def _text(value: Any, _: Place) -> Any:
    return repr(value) if type(value) in (int, float) else MISSING


def _listed(value: Any, _: Place) -> Any:
    """Return one item as a list of one: a text, or an object that has what makes it an interface."""
    return [value] if type(value) is str or (type(value) is dict and "url" in value) else MISSING


def _scopes(value: Any, _: Place) -> Any:
    return {"list": value} if type(value) is list else MISSING


def _minor(value: Any, _: Place) -> Any:
    """Return a version as Major.Minor (A2A 1.0 §3.6)."""
    found = _VERSION.fullmatch(value.strip()) if type(value) is str else None
    return f"{int(found[1])}.{int(found[2] or 0)}" if found else MISSING


def _padded(value: Any, _: Place) -> Any:
    """Return a version as Major.Minor.Patch (Semantic Versioning 2.0.0 §2)."""
    found = _VERSION.fullmatch(value.strip()) if type(value) is str else None
    return ".".join(str(int(part or 0)) for part in found.groups()) if found else MISSING


def _spoken(value: Any, place: Place) -> Any:
    """Return the one version that a whole card says it speaks, as Major.Minor."""
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
    """Return a skill of which only a name is told; with what else its dialect demands, where that is given."""
    if type(value) is not str or not value.strip():
        return MISSING
    demanded = {"description": value, **place.value} if place.value is not MISSING else {}
    return {"id": value, "name": value, **demanded}


def _one_skill(value: Any, place: Place) -> Any:
    """Return a list of the one skill that a card's own name and description tell of."""
    if type(value) is not str or not slugged(value):
        return MISSING
    told = at(place.document, ("description",))
    described = told if type(told) is str and told.strip() else value
    return [{"id": slugged(value), "name": value, "description": described, **place.value}]


def _slug(value: Any, place: Place) -> Any:
    """Return an identifier made of a skill's name, that no other skill has."""
    assigned = place.memo.get("slugs")
    if assigned is None:
        assigned = place.memo["slugs"] = _slugs(at(place.document, place.steps[:1]))
    return assigned.get(place.steps[1], MISSING) if type(value) is str else MISSING


def _slugs(skills: Any) -> dict[str, str]:
    """Return a new identifier for each skill that has none, by its index."""
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
    """Names that are taken, and how to find one that is free."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._last: dict[str, int] = {}

    def free(self, base: str) -> str:
        """Return a name that is not taken, with a number behind it where need be, and take it."""
        name = base
        while name in self._taken:
            self._last[base] = self._last.get(base, 1) + 1
            name = f"{base}-{self._last[base]}"
        self._taken.add(name)
        return name


def _numbered(value: Any, place: Place) -> Any:
    """Return a repeated identifier with a number behind it, so that no other item has it."""
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
    """Return a list of security schemes as an object, each by the name of its type."""
    if type(value) is not list or not value:
        return MISSING
    named: dict[str, Any] = {}
    for item in value:
        one = scheme(item, place.table)
        if one is None or one["type"] in named:
            return MISSING
        named[one["type"]] = one
    return named


def _requirement(value: Any, place: Place) -> Any:
    """Return a requirement in the shape of 1.0, where what it names is declared."""
    made = requirement(value)
    return made if made and _are_declared(place.document, [made]) else MISSING


def _are_declared(document: Any, requirements: list[Any]) -> bool:
    schemes = at(document, ("securitySchemes",))
    known = schemes.keys() if type(schemes) is dict else ()
    return all(name in known for item in requirements for name in item["schemes"])


def _some(value: Any) -> Any:
    return MISSING if value is None else value


def _dual(value: Any, place: Place) -> Any:
    """Return a scheme in both encodings, as one object: what the readers of a hybrid each look for."""
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
    made = {**value, "schemes": names}
    if type(value.get("credentials")) in (dict, list):
        made["credentials"] = json.dumps(value["credentials"], ensure_ascii=False)
    return made if all(type(name) is str for name in names) else MISSING


def _repeated(place: Place) -> Sequence[Row] | None:
    """Take out the item of a list that equals an earlier one."""
    *outer, index = place.steps[:-1]
    items = at(place.document, outer)
    if type(items) is not list or items.index(items[int(index)]) == int(index):
        return None
    return [{"op": "remove", "path": pointer_of(place.steps[:-1])}]


def _emptied(place: Place) -> Sequence[Row] | None:
    """Take out the object that lacks a member, where it holds nothing at all."""
    outer = place.steps[:-1]
    return [{"op": "remove", "path": pointer_of(outer)}] if at(place.document, outer) == {} else None


def _main_listed(place: Place) -> Sequence[Row] | None:
    """List the main URL among the interfaces, with the transport it has (A2A 0.3 §5.6.4)."""
    url = at(place.document, ("url",))
    if type(url) is not str or type(place.seen) is not list:
        return None
    return [
        {"op": "add", "path": f"{place.pointer}/-", "value": {"url": url, "transport": _preferred(place)}}
    ]


def _interface(place: Place) -> Sequence[Row] | None:
    """Name an interface of one half of a hybrid in the other half, too."""
    if place.steps[0] == "supportedInterfaces":
        return _in_older_half(place)
    item = place.seen if type(place.seen) is dict else {"url": place.seen, "transport": _preferred(place)}
    if type(at(place.document, ("supportedInterfaces",))) is not list:
        return None
    entry = {"url": item.get("url"), "protocolBinding": item.get("transport"), **place.value}
    return [{"op": "add", "path": "/supportedInterfaces/-", "value": entry}]


def _in_older_half(place: Place) -> Sequence[Row] | None:
    item = place.seen
    if type(item) is not dict:
        return None
    entry = {"url": item.get("url"), "transport": item.get("protocolBinding")}
    others = at(place.document, ("additionalInterfaces",))
    if type(others) is list:
        return [{"op": "add", "path": "/additionalInterfaces/-", "value": entry}]
    url = at(place.document, ("url",))
    if type(url) is not str or others is not MISSING:
        return None
    main = {"url": url, "transport": _preferred(place)}
    return [{"op": "add", "path": "/additionalInterfaces", "value": [main, entry]}]


def _main_transport(place: Place) -> Sequence[Row] | None:
    """Prefer the transport that the other half of a hybrid names for the main URL, where none is named."""
    entries = at(place.document, ("supportedInterfaces",))
    if type(place.seen) is not str or "preferredTransport" in place.document or type(entries) is not list:
        return None
    for item in entries:
        url = item.get("url") if type(item) is dict else None
        binding = item.get("protocolBinding") if type(item) is dict else None
        if type(url) is str and type(binding) is str and url.rstrip("/") == place.seen.rstrip("/"):
            return [{"op": "add", "path": "/preferredTransport", "value": binding}]
    return None


def _preferred(place: Place) -> str:
    preferred = at(place.document, ("preferredTransport",))
    return preferred if type(preferred) is str else _DEFAULT_TRANSPORT


def _security(place: Place) -> Sequence[Row] | None:
    """Move what a 1.0 card asks for by the 0.x name to the name of 1.0, in its shape."""
    outer = place.steps[:-1]
    holder = at(place.document, outer)
    made = [requirement(item) for item in place.seen] if type(place.seen) is list else [None]
    if None in made or holder.get("securityRequirements", made) != made:
        return None
    if not _are_declared(place.document, made):
        return None
    patch: list[Row] = [{"op": "remove", "path": place.pointer}]
    if "securityRequirements" not in holder and made:
        patch.append({"op": "add", "path": pointer_of((*outer, "securityRequirements")), "value": made})
    return patch


# By the name that a fix's `make` says, with `replace` or `add`.
VALUES: Final[dict[str, Value]] = {
    "authentication-schemes": _authentication_schemes,
    "dual-scheme": _dual,
    "listed": _listed,
    "minor": _minor,
    "named-schemes": _named_schemes,
    "numbered": _numbered,
    "one-skill": _one_skill,
    "origin": _origin,
    "padded": _padded,
    "requirement": _requirement,
    "scheme": lambda value, place: _some(scheme(value, place.table)),
    "scopes": _scopes,
    "skill": _skill,
    "slug": _slug,
    "spoken": _spoken,
    "text": _text,
    "trimmed": _trimmed,
    "wrapped-scheme": lambda value, place: _some(wrapped(value, place.table)),
}
# By the name that a fix's `make` says, with `rewrite`.
PATCHES: Final[dict[str, Patch]] = {
    "agreed-security": lambda place: schemes_agree(at(place.document, place.steps[:-1]), place.steps[:-1]),
    "authentication": lambda place: authentication(place.document, place.table, newer=False),
    "declared": lambda place: declared(place.document, place.steps[-1], place.table, newer=False),
    "emptied": _emptied,
    "interface": _interface,
    "main-listed": _main_listed,
    "main-transport": _main_transport,
    "repeated": _repeated,
    "security": _security,
    "unneeded": lambda place: unneeded(place.document, place.steps[-1], place.table),
    "wrapped-authentication": lambda place: authentication(place.document, place.table, newer=True),
    "wrapped-declared": lambda place: declared(place.document, place.steps[-1], place.table, newer=True),
}
