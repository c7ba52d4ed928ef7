"""The extension that carries the losses of a conversion, so that the conversion back restores the original.

`schemas/extensions/carried-params.schema.json` documents the parameters. They have the losses of the report
and nothing else of the source: `members` is the part of the source that is lost, `absent` lists the fields that
the conversion had to add, `empty` the empty arrays that it had to fill.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.conversion.delta import Action, Change, Index
from cardwright_runtime.checks import mapping, objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

URI: Final = "https://cardwright.dev/extensions/carried/v1"
DESCRIPTION: Final = "Data of another form of this card that this form cannot represent."
# Project decision: more than the largest card needs; an untrusted document may declare any number.
MAX_CHANGES: Final = 20_000
MAX_BITS: Final = 65_536
# A field with the name `*`; a star alone means an index.
_STAR: Final = "~2"
# Changes without a value, by the parameter that lists their places.
_WITHOUT: Final[dict[str, Action]] = {"absent": "drop", "empty": "clear"}


def put(document: dict[str, Any], dialect: str, origin: str, changes: list[Change]) -> dict[str, Any]:
    """Return a card of a dialect that carries changes, which restore its form in the dialect of origin."""
    params = {"from": origin, "in": dialect, **_encoded(changes)}
    created = ""
    if dialect == "beach-1.0":
        blocks = document.get("extensions", {})
        if type(blocks) is dict:
            created = "" if "extensions" in document else "/extensions"
            entry = _entry(params, created)
            return {**document, "extensions": {**blocks, URI: entry}}
    elif dialect.startswith("mcp-"):
        items = document.get("extensions", [])
        if type(items) is list:
            created = "" if "extensions" in document else "/extensions"
            return {**document, "extensions": [*items, {"uri": URI, **_entry(params, created)}]}
    else:
        capabilities = document.get("capabilities", {})
        items = capabilities.get("extensions", []) if type(capabilities) is dict else None
        if type(items) is list:
            created = "" if "extensions" in capabilities else "/capabilities/extensions"
            created = created if "capabilities" in document else "/capabilities"
            entry = {"uri": URI, **_entry(params, created)}
            return {**document, "capabilities": {**capabilities, "extensions": [*items, entry]}}
    # An invalid card may have no place for extensions: use an unknown field with our URI as its name.
    return {**document, URI: _entry(params, "")}


def _entry(params: dict[str, Any], created: str) -> dict[str, Any]:
    if created:
        params["made"] = created
    return {"description": DESCRIPTION, "required": False, "params": params}


def extracted_from(document: dict[str, Any]) -> tuple[dict[str, Any], str, dict[str, Any]] | None:
    """Return the card without its carried extension, the extension's pointer and its parameters; None without one."""
    own = _params(document.get(URI))
    if own is not None:
        return {n: v for n, v in document.items() if n != URI}, "/" + URI.replace("/", "~1"), own
    blocks = document.get("extensions")
    if type(blocks) is dict and (params := _params(blocks.get(URI))) is not None:
        remaining: Any = {n: v for n, v in blocks.items() if n != URI}
        pointer = "/extensions/" + URI.replace("/", "~1")
        return _emptied(document, "extensions", remaining, params), pointer, params
    if type(blocks) is list and (index := _index(blocks)) is not None:
        params = blocks[index]["params"]
        remaining = blocks[:index] + blocks[index + 1 :]
        return _emptied(document, "extensions", remaining, params), f"/extensions/{index}", params
    capabilities = document.get("capabilities")
    items = capabilities.get("extensions") if type(capabilities) is dict else None
    if type(capabilities) is dict and type(items) is list and (index := _index(items)) is not None:
        params = items[index]["params"]
        inner = _emptied(capabilities, "extensions", items[:index] + items[index + 1 :], params)
        return _emptied(document, "capabilities", inner, params), f"/capabilities/extensions/{index}", params
    return None


def _emptied(holder: dict[str, Any], name: str, remaining: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Return an object with one field replaced, or removed if it is empty and was created for the extension."""
    created = params.get("made")
    own = "/capabilities" if name == "capabilities" else "extensions"
    if not remaining and type(created) is str and (created.endswith(own) or created == "/capabilities"):
        return {n: v for n, v in holder.items() if n != name}
    return {**holder, name: remaining}


def _params(entry: Any) -> dict[str, Any] | None:
    params = entry.get("params") if type(entry) is dict else None
    return params if type(params) is dict and type(params.get("from")) is str else None


def _index(items: list[Any]) -> int | None:
    places = [index for index, item in objects(items) if item.get("uri") == URI and _params(item) is not None]
    return places[0] if len(places) == 1 else None


def changes_of(params: dict[str, Any]) -> list[Change]:
    """Return the changes that parameters describe; unreadable ones are skipped."""
    changes: list[Change] = []
    for name, action in _WITHOUT.items():
        places = params.get(name)
        for path in _paths(places):
            changes.append(Change(action, path))
            if len(changes) >= MAX_CHANGES:
                return changes
    for change in _set_changes(params.get("members"), ()):
        changes.append(change)
        if len(changes) >= MAX_CHANGES:
            break
    return changes


def _encoded(changes: Iterable[Change]) -> dict[str, Any]:
    values_to_set: dict[str, Any] = {}
    bits: dict[str, dict[str, dict[str, int]]] = {name: {} for name in _WITHOUT}
    for change in changes:
        if not change.loses:
            holder, name, place = _template(change.path)
            names = bits["absent" if change.action == "drop" else "empty"].setdefault(holder, {})
            names[name] = names.get(name, 0) | (0 if place is None else 1 << place)
            continue
        node = values_to_set
        for step in change.path[:-1]:
            node = node.setdefault("/" + _escaped(step), {})
        node[_escaped(change.path[-1])] = change.value
    encoded: dict[str, Any] = {"members": values_to_set} if values_to_set else {}
    for name, places in bits.items():
        if places:
            encoded[name] = {
                holder: {field: f"{number:x}" if number else "" for field, number in names.items()}
                for holder, names in places.items()
            }
    return encoded


def _set_changes(node: Any, path: tuple[str, ...]) -> Iterator[Change]:
    if type(node) is not dict:
        return
    for key, value in node.items():
        if key.startswith("/"):
            yield from _set_changes(value, (*path, _unescaped(key[1:])))
        else:
            name = _unescaped(key)
            yield Change("set", (*path, name), value)
            if name.isdecimal():
                # The document decides whether this is an element of an array or a field of an object.
                yield Change("insert", (*path, name), value)


def _template(path: tuple[str, ...]) -> tuple[str, str, int | None]:
    """Return (holder, name, index) of a path; the last array index in the path is replaced by a star."""
    last = max((at for at, step in enumerate(path) if isinstance(step, Index)), default=None)
    steps = [
        "*"
        if at == last
        else _STAR
        if step == "*"
        else _escaped(step.partition(".")[0] if isinstance(step, Index) else step)
        for at, step in enumerate(path)
    ]
    holder = "".join(f"/{step}" for step in steps[:-1])
    return holder, steps[-1], None if last is None else cast("Index", path[last]).place


def _paths(places: Any) -> Iterator[tuple[str, ...]]:
    """Yield every path that a parameter lists; unreadable ones are skipped."""
    for holder, names in mapping(places).items():
        for name, bits in mapping(names).items():
            written = (*holder.split("/")[1:], name)
            steps = ["*" if step == _STAR else _unescaped(step) for step in written]
            if not bits:
                yield tuple(steps)
            elif type(bits) is str and len(bits) <= MAX_BITS // 4 and "*" in written:
                star = len(written) - 1 - written[::-1].index("*")
                for place in _set_bits(bits):
                    yield (*steps[:star], str(place), *steps[star + 1 :])


def _set_bits(text: str) -> Iterator[int]:
    try:
        number = int(text, 16)
    except ValueError:
        return
    yield from (place for place in range(number.bit_length()) if number >> place & 1)


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
