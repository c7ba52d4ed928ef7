"""The signed bytes of a2a-sdk and @a2a-js/sdk, and the known causes of a difference."""

from __future__ import annotations

import copy
import json
import logging
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from a2a.types import AgentCard
from a2a.utils.signing import (
    _canonicalize_agent_card,  # pyright: ignore[reportPrivateUsage] # it has no public way to the bytes
)
from google.protobuf.json_format import ParseDict, ParseError  # type: ignore[import-untyped] # it has no stubs
from hypothesis import strategies as st

from cardwright import Card
from cardwright.canonical import Limits
from cardwright.checks import Checks
from cardwright.errors import NoCanonicalForm
from cardwright.jcs import canonical_bytes
from cardwright.signing import PROFILES, Profile, canonical_form
from cardwright_rules import DIALECTS
from tests.oracles.test_sdk_conversion import corpus, examples
from tests.oracles.valid_cards import sound
from tests.properties.strategies import cards, lifelike, mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright_rules.presence_tables import FieldPresence, Kind, Shape

JS: Final = Path(__file__).parent / "js"
WIDE: Final = Checks(limits=Limits(max_bytes=4 * 1024 * 1024, max_depth=128))
# a2a-sdk counts each level of `params` twice, and reads 100 in all.
READ_LEVELS: Final = 40
LISTED: Final = json.loads((JS.parent / "signing-differences.json").read_text(encoding="utf-8"))
ROWS: Final[list[dict[str, Any]]] = LISTED["rows"]
SIGNED: Final = ("a2a-1.0", "a2a-hybrid")
TYPES: Final[dict[Kind, type | tuple[type, ...]]] = {
    "text": str,
    "flag": bool,
    "number": (int, float),
    "list": list,
    "map": dict,
    "message": dict,
    "opaque": dict,
}
# It warns of each missing required field, of which generated cards have many.
logging.getLogger("a2a").setLevel(logging.ERROR)


def read(document: Any) -> Card:
    return Card.from_document(document, dialect="a2a-1.0", checks=WIDE)


def known(peer: str) -> set[str]:
    """Return the causes by which a peer signs something else."""
    return {row["without"] for row in ROWS if row[peer] != row["ours"]}


def cardwright_form(document: Any, profile: Profile = "sdk") -> str | None:
    """Return the canonical form of a document as text; None without one."""
    assert profile in PROFILES
    try:
        return canonical_form(read(document), profile=profile).decode()
    except NoCanonicalForm:
        return None


def sdk_form(document: Any) -> str | None:
    """Return what a2a-sdk signs of a document; None where it refuses it."""
    try:
        message = ParseDict(copy.deepcopy(document), AgentCard(), ignore_unknown_fields=True)
        return _canonicalize_agent_card(message)
    # It raises whatever it runs into.
    except (ParseError, ValueError, TypeError, AttributeError, KeyError):
        return None


def peer(package: str = "@a2a-js/sdk") -> None:
    """Skip what needs node, or fail where CI has node and not the package."""
    if shutil.which("node") is None:
        pytest.skip("node is not beside this checkout")
    installed = JS / "node_modules" / package / "package.json"
    if not installed.is_file():
        pytest.skip(f"{package} is not installed: run `make peers`")
    locked = json.loads((JS / "package-lock.json").read_bytes())["packages"][f"node_modules/{package}"]
    assert json.loads(installed.read_bytes())["version"] == locked["version"], "run `make peers` again"


def jobs(*todo: dict[str, Any]) -> list[Any]:
    """Return what @a2a-js/sdk makes of each job; None where it refuses it."""
    done = subprocess.run(
        ["node", "sign.mjs"], cwd=JS, input=json.dumps(todo).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    results = json.loads(done.stdout)
    assert len(results) == len(todo)
    return [one.get("result") for one in results]


def js_sdk_forms(documents: list[Any], task: str = "value") -> list[str | None]:
    """Return what @a2a-js/sdk signs of each document."""
    return jobs(*({"task": task, "card": document} for document in documents))


def of_corpus() -> list[tuple[str, Card]]:
    """Return the cards of the corpus that A2A 1.0 signs."""
    return [(name, card) for name, card in corpus() if str(card.dialect) in SIGNED]


def of_examples() -> list[tuple[str, Card]]:
    """Return our own examples, and those of the schema."""
    schema = DIALECTS["a2a-1.0"].schema()
    shown = [(f"schema/{number}", read(one)) for number, one in enumerate(schema.get("examples", ()))]
    return [*examples(), *shown]


# Cards with anything that a form could stumble over.

TROUBLE: Final[st.SearchStrategy[Any]] = st.sampled_from(
    ["", [], {}, None, False, 0, "x", True, ["x"], {"x": {}}, [None], {"": ""}]
)
NUMBERS: Final = st.sampled_from([0, -0.0, 1.0, 0.1, 1e-7, 1e16, 2.0**53, 1e21, 1e300, 5e-324, 2**53 - 1])
PARAMS: Final = st.dictionaries(
    st.sampled_from(["a", "é", "דּ", "😀", "", "__proto__", "1", "10", "2"]),
    st.recursive(
        TROUBLE | NUMBERS | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("aé€"), inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=4,
)


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": [value]}
    return value


@st.composite
def troubled(draw: st.DrawFn) -> dict[str, Any]:
    """Return a card, valid or not, in which a few fields are empty, repeated, misspelt, unknown or not alone."""
    bases = [make(name) for make in (lifelike, mutants) for name in ("a2a-1.0", "a2a-hybrid")]
    document: dict[str, Any] = copy.deepcopy(draw(st.one_of(cards("a2a-1.0"), sound(), *bases)))
    if draw(st.booleans()):
        params = draw(PARAMS | st.integers(0, 30).map(nested))
        document["capabilities"] = {"extensions": [{"uri": "https://example.org/x", "params": params}]}
    for _ in range(draw(st.integers(0, 4))):
        found: list[tuple[dict[str, Any], Shape]] = []
        _rewritten(document, _ROOT, lambda node, shape, found=found: found.append((node, shape)) or node)  # type: ignore[misc] # it notes each
        node, shape = draw(st.sampled_from(found))
        table = dict(_MESSAGES[shape.message])
        name = draw(st.sampled_from(sorted(table)))
        match draw(st.sampled_from(["empty", "empty", "respell", "respell", "twice", "unknown", "gone"])):
            case "empty":
                node[name] = draw(TROUBLE)
            case "respell" if name in node:
                node[snake(name)] = node.pop(name)
            case "twice" if name in node:
                node[snake(name)] = draw(TROUBLE)
            case "unknown":
                node[draw(st.sampled_from(["x", "X-y", "[x.y]", "__proto__", name.upper()]))] = draw(TROUBLE)
            case _:
                node.pop(name, None)
    return {name: value for name, value in document.items() if name not in _AHEAD}


# Causes: each rewrites a document so that it is gone.

_ROOT: Final = DIALECTS["a2a-1.0"].presence().root
_MESSAGES: Final = DIALECTS["a2a-1.0"].presence().messages
_BRACKETED: Final = re.compile(r"\[[a-zA-Z0-9\._]*\]$")


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


# Fields that the schema has and the installed SDK does not: the schema may be ahead of it.
_NEW: Final = dict(_MESSAGES[_ROOT.message]).keys() - {one.json_name for one in AgentCard.DESCRIPTOR.fields}
_AHEAD: Final = _NEW | {snake(name) for name in _NEW}


def camel(name: str, fields: dict[str, FieldPresence]) -> str | None:
    """Return the field that a spelling names."""
    return next((known for known in fields if name in (known, snake(known))), None)


def _rewritten(
    value: Any,
    shape: Shape,
    fields: Callable[[dict[str, Any], Shape], dict[str, Any]] = lambda node, _: node,
    opaque: Callable[[Any], Any] = lambda value: value,
) -> Any:
    """Return a copy of a value in which every message and every opaque object is what a function makes of it."""
    if type(value) is not TYPES[shape.kind] and shape.kind != "number":
        return value
    if shape.kind == "opaque":
        return opaque(value)
    if shape.kind == "list" and shape.of:
        return [_rewritten(item, shape.of, fields, opaque) for item in value]
    if shape.kind == "map" and shape.of:
        return {name: _rewritten(item, shape.of, fields, opaque) for name, item in value.items()}
    if shape.kind == "message":
        table = dict(_MESSAGES[shape.message])
        node = {}
        for name, item in fields(value, shape).items():
            known = camel(name, table)
            node[name] = _rewritten(item, table[known].shape, fields, opaque) if known else item
        return node
    return value


def _everywhere(value: Any, change: Callable[[Any, int], Any], depth: int = 0) -> Any:
    """Return a copy of a JSON value, each value changed before what is in it."""
    value = change(value, depth)
    if type(value) is dict:
        return {name: _everywhere(item, change, depth + 1) for name, item in value.items()}
    return [_everywhere(item, change, depth + 1) for item in value] if type(value) is list else value


def once(document: Any) -> Any:
    """Without the proto spelling of a field that is there in camelCase."""

    def fields(node: dict[str, Any], shape: Shape) -> dict[str, Any]:
        table = dict(_MESSAGES[shape.message])
        return {n: v for n, v in node.items() if n in table or camel(n, table) not in node}

    return _rewritten(document, _ROOT, fields)


def one_kind(document: Any) -> Any:
    """Without the second kind of what has several."""

    def fields(node: dict[str, Any], shape: Shape) -> dict[str, Any]:
        table = dict(_MESSAGES[shape.message])
        kinds = [name for name, value in node.items() if camel(name, table) and value is not None]
        drop = kinds[1:] if shape.alone else ()
        return {name: value for name, value in node.items() if name not in drop}

    return _rewritten(document, _ROOT, fields)


def shaped(document: Any) -> Any:
    """Without the values that have not the schema's shape."""

    def fits(value: Any, shape: Shape) -> bool:
        return type(value) is TYPES[shape.kind]

    def filled(value: Any, shape: Shape) -> Any:
        inner = shape.of
        if inner is None or not fits(value, shape):
            return value
        if shape.kind == "list":
            return [filled(item, inner) for item in value if fits(item, inner)]
        return {name: filled(item, inner) for name, item in value.items() if fits(item, inner)}

    def fields(node: dict[str, Any], shape: Shape) -> dict[str, Any]:
        table = dict(_MESSAGES[shape.message])
        kept = {}
        for name, value in node.items():
            known = camel(name, table)
            if known is None or value is None:
                kept[name] = value
            elif fits(value, table[known].shape):
                kept[name] = filled(value, table[known].shape)
        return kept

    return _rewritten(document, _ROOT, fields)


def shallow(document: Any) -> Any:
    """Without what nests deeper in params than a2a-sdk reads."""

    def change(value: Any, depth: int) -> Any:
        return 1 if depth > READ_LEVELS and type(value) in (dict, list) else value

    return _rewritten(document, _ROOT, opaque=lambda value: _everywhere(value, change))


def unbracketed(document: Any) -> Any:
    """Without the names that ProtoJSON reads as extensions of the message."""

    def fields(node: dict[str, Any], _: Shape) -> dict[str, Any]:
        return {name: value for name, value in node.items() if not _BRACKETED.match(name)}

    return _rewritten(document, _ROOT, fields)


def unsigned(document: Any) -> Any:
    """Without invalid signatures."""
    kept = [
        {name: entry[name] for name in ("protected", "signature") if type(entry.get(name)) is str}
        for entry in document.get("signatures") or ()
        if type(entry) is dict
    ] if type(document.get("signatures")) is list else []  # fmt: skip
    rest = {name: value for name, value in document.items() if name != "signatures"}
    return {**rest, "signatures": kept} if "signatures" in document and kept else rest


def without_proto(document: Any) -> Any:
    """Without fields called `__proto__`."""

    def change(value: Any, _: int) -> Any:
        if type(value) is not dict:
            return value
        return {name: item for name, item in value.items() if name != "__proto__"}

    return _everywhere(document, change)


def of_something(document: Any) -> Any:
    """With something that is signed, where there is nothing."""
    return {**document, "name": "A"} if cardwright_form(document) == "{}" else document


WITHOUT: Final[dict[str, Callable[[Any], Any]]] = {
    "twice": once,
    "misshapen": shaped,
    "kinds": one_kind,
    "deep": shallow,
    "bracketed": unbracketed,
    "signatures": unsigned,
    "__proto__": without_proto,
    # Last: what is left may be nothing.
    "nothing": of_something,
}


def causes(document: Any, known: set[str]) -> tuple[list[str], Any]:
    """Return which causes a document has, of those that are known, and the document without them."""
    found = []
    for name, without in WITHOUT.items():
        if name in known:
            rewritten = without(document)
            if json.dumps(rewritten) != json.dumps(document):
                found.append(name)
                document = rewritten
    return found, document


# What the profile `spec` signs and the SDKs do not.


def without_what_is_empty(form: str) -> tuple[str, set[str]]:
    """Return what the SDKs sign instead of a form by `spec`, and the causes: written apart from our reductions."""
    found: set[str] = set()
    return canonical_bytes(_walked(json.loads(form), _ROOT, found)).decode(), found


def _empty(value: Any) -> bool:
    return value is None or (type(value) in (str, list, dict) and not value)


def _cleaned(value: Any, found: set[str]) -> Any:
    """Return what is left of something in params."""
    if type(value) not in (dict, list):
        return value
    items = [(name, _cleaned(item, found)) for name, item in _items(value)]
    if any(_empty(item) for _, item in items):
        found.add("params")
    return _like(value, [(name, item) for name, item in items if not _empty(item)])


def _walked(value: Any, shape: Shape, found: set[str]) -> Any:
    """Return what is left of a value of a shape."""
    if shape.kind == "opaque":
        return _cleaned(value, found)
    if shape.kind == "message":
        return dict(_fields(value, shape, found))
    if shape.of is None:
        return value
    inner = shape.of
    items = [(name, _walked(item, inner, found)) for name, item in _items(value)]
    if any(_empty(item) for _, item in items):
        found.add("element")
    return _like(value, [(name, item) for name, item in items if not _empty(item)])


def _fields(node: dict[str, Any], shape: Shape, found: set[str]) -> Iterator[tuple[str, Any]]:
    table = dict(_MESSAGES[shape.message])
    for name, item in node.items():
        known = camel(name, table)
        if known is None:
            found.add("unknown")
            continue
        field = table[known]
        if known != name:
            found.add("spelling")
        # `spec` took out what is implicit and at its default, but not in another spelling.
        if item is None or (item is False and field.rule == "implicit"):
            if field.rule == "required":
                found.add("required")
            continue
        left = _walked(item, field.shape, found)
        if not _empty(left):
            yield known, left
        # What has become empty only now was reported inside.
        elif _empty(item) and known == name:
            found.add(
                "required"
                if field.rule == "required"
                else "message"
                if field.shape.kind == "message"
                else "params"
                if field.shape.kind == "opaque"
                else "optional"
            )


def _items(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items() if type(value) is dict else enumerate(value))


def _like(value: Any, items: list[tuple[Any, Any]]) -> Any:
    return dict(items) if type(value) is dict else [item for _, item in items]
