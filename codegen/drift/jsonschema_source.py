"""Reading a JSON Schema (draft-07 or 2020-12), ours or upstream's, into the shape.

A `$ref` to anything but an object with members is read through, so that a named
map and the same map written inline are one type. A keyword that limits a value
and has no place in the shape is kept as text under its own name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from codegen.drift.shape import Field, Kind, Message, Presence, Shape, Type
from codegen.drift.source import (
    DriftError,
    Json,
    compact,
    parse_json,
    read_text,
)

Node: TypeAlias = dict[str, Json]

KINDS = {
    "string": Kind.STRING,
    "boolean": Kind.BOOL,
    "integer": Kind.INT,
    "number": Kind.NUMBER,
    "null": Kind.NULL,
    "array": Kind.LIST,
    "object": Kind.MAP,
}
# Say nothing about which documents are valid: JSON Schema 2020-12 Core §8.3,
# Validation §7.2.1 (format) and §9.
ANNOTATIONS = frozenset(
    [
        "$schema",
        "$id",
        "$anchor",
        "$comment",
        "$defs",
        "definitions",
        "title",
        "description",
        "examples",
        "format",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
    ]
)
# Have a place of their own in the shape.
SHAPED = frozenset(
    [
        "$ref",
        "type",
        "enum",
        "const",
        "items",
        "properties",
        "required",
        "anyOf",
        "oneOf",
    ]
)
# Say nothing when true.
OPENNESS = frozenset({"additionalProperties", "unevaluatedProperties"})


def read_schema(
    document: Json, path: Path, root: str, *, within: Path | None = None
) -> Shape:
    """Return the shape of every message reachable from the schema of `root`.

    Args:
        document: the parsed schema.
        path: where it was read from.
        root: the message to start from; the document itself if it has members.
        within: the folder in which references to other files are followed.

    Raises:
        DriftError: no such message, or a reference that leads nowhere.
    """
    reader = _Reader({path: document}, within)
    read = reader.type(_start(document, path, root), root)
    if read.type.kind is not Kind.MESSAGE:
        fault = f"{root} is not an object with properties"
        raise DriftError(str(path), fault, "give the schema of an agent card")
    return Shape(read.type.message, reader.messages)


@dataclass(frozen=True, slots=True)
class _Place:
    """A schema node, the file it stands in and the name it has there."""

    path: Path
    node: Json
    name: str = ""

    def at(self, node: Json) -> "_Place":
        return _Place(self.path, node)

    @property
    def keywords(self) -> Node:
        return self.node if isinstance(self.node, dict) else {}

    def items(self, keyword: str) -> list["_Place"]:
        value = self.keywords.get(keyword)
        return [self.at(item) for item in value] if isinstance(value, list) else []

    def strings(self, keyword: str) -> list[str]:
        value = self.keywords.get(keyword)
        listed = value if isinstance(value, list) else [value]
        return [item for item in listed if isinstance(item, str)]

    @property
    def properties(self) -> Node:
        value = self.keywords.get("properties")
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read at one place: the type and what it carries besides."""

    type: Type
    nullable: bool = False
    limits: tuple[tuple[str, str], ...] = ()


def _start(document: Json, path: Path, root: str) -> _Place:
    if not isinstance(document, dict):
        fault = f"a JSON {type(document).__name__}, not a schema"
        raise DriftError(str(path), fault, "give a JSON Schema")
    if "properties" in document:
        title = document.get("title")
        return _Place(path, document, title if isinstance(title, str) else root)
    for keyword in ("$defs", "definitions"):
        named = document.get(keyword)
        if isinstance(named, dict) and root in named:
            return _Place(path, named[root], root)
    fault = f"no {root} under $defs or definitions"
    raise DriftError(str(path), fault, "give a JSON Schema that defines it")


@dataclass(slots=True)
class _Reader:
    """Walks the schema once; `messages` and `files` grow as it goes."""

    files: dict[Path, Json]
    within: Path | None
    messages: dict[str, Message] = field(default_factory=dict[str, Message])
    origins: dict[str, object] = field(default_factory=dict[str, object])

    def type(self, place: _Place, at: str) -> _Read:
        """Read the type at a place; `at` names it for messages and for errors."""
        keywords = place.keywords
        if "$ref" in keywords:
            target = self.type(self.resolve(place, at), at)
            return replace(target, limits=_limits(place) + target.limits)
        if place.properties:
            return _Read(self.message(place, at), "null" in place.strings("type"))
        for keyword in ("oneOf", "anyOf"):
            if keyword in keywords:
                return self.union(place, keyword, at)
        kinds = [KINDS[name] for name in place.strings("type") if name in KINDS]
        plain = [kind for kind in kinds if kind is not Kind.NULL] or kinds
        reads = [self.plain(place, kind, at) for kind in plain]
        if not reads:
            reads = [_Read(_valued(_values(place)))]
        inner = tuple(limit for read in reads for limit in read.limits)
        return _Read(
            _one_of([read.type for read in reads]),
            nullable=len(plain) < len(kinds),
            limits=_limits(place) + inner,
        )

    def plain(self, place: _Place, kind: Kind, at: str) -> _Read:
        """Read a type named by `type`."""
        keyword = {Kind.LIST: "items", Kind.MAP: "additionalProperties"}.get(kind)
        if keyword is None:
            return _Read(Type(kind, values=_values(place)))
        element = place.keywords.get(keyword, True)
        inner = self.type(place.at(element), at)
        if kind is Kind.MAP and inner.type.kind is Kind.ANY:
            return _Read(Type(Kind.STRUCT))
        limits = tuple((f"{keyword}.{name}", text) for name, text in inner.limits)
        if inner.nullable:
            limits += ((f"{keyword}.null", "allowed"),)
        return _Read(Type(kind, of=(inner.type,)), limits=limits)

    def union(self, place: _Place, keyword: str, at: str) -> _Read:
        """Read a choice: of messages, of members (a oneof), or of plain types."""
        arms = [self.arm(arm, at) for arm in place.items(keyword)]
        if len(arms) > 1 and all(_is_wrapper(arm) for arm in arms):
            return _Read(self.oneof(place, arms, at, exclusive=keyword == "oneOf"))
        reads = [self.type(arm, f"{at}/{n}") for n, arm in enumerate(arms)]
        types = [read.type for read in reads if read.type.kind is not Kind.NULL]
        nullable = len(types) < len(reads)
        messages = [arm.message for arm in types if arm.kind is Kind.MESSAGE]
        if len(types) == 1 or len(messages) < len(types):
            limits = [limit for read in reads for limit in read.limits]
            limits += [] if "type" in place.keywords else _limits(place)
            return _Read(_one_of(types), nullable, tuple(limits))
        name, exclusive = place.name or at, keyword == "oneOf"
        union = Message(
            name,
            arms=tuple(messages),
            exclusive=exclusive,
            named=bool(place.name),
            limits=_limits(place),
        )
        self.messages[name] = union
        return _Read(Type(Kind.MESSAGE, message=name), nullable)

    def arm(self, place: _Place, at: str) -> _Place:
        """Follow an arm's references to what it stands for."""
        if "$ref" in place.keywords:
            return self.arm(self.resolve(place, at), at)
        return place

    def oneof(
        self, place: _Place, arms: list[_Place], at: str, *, exclusive: bool
    ) -> Type:
        """Read arms that each require one member as one message with a oneof.

        That is how JSON Schema writes a protobuf `oneof`.
        """
        name = place.name or at
        if self.enter(name, place):
            fields = [
                replace(self.field(arm, member, name), required=False)
                for arm in arms
                for member in arm.properties
            ]
            group = tuple(sorted(member.name for member in fields))
            self.messages[name] = Message(
                name,
                tuple(fields),
                oneofs=(group,) if exclusive else (),
                named=bool(place.name),
                limits=_limits(place),
            )
        return Type(Kind.MESSAGE, message=name)

    def message(self, place: _Place, at: str) -> Type:
        """Read an object with members, once."""
        name = place.name or at
        if self.enter(name, place):
            fields = [self.field(place, member, name) for member in place.properties]
            group = self.chosen(place, name)
            self.messages[name] = Message(
                name,
                tuple(fields),
                oneofs=(group,) if group else (),
                named=bool(place.name),
                limits=_limits(place) + (() if group else _choices(place)),
            )
        return Type(Kind.MESSAGE, message=name)

    def chosen(self, place: _Place, at: str) -> tuple[str, ...]:
        """Return the members of which a `oneOf` beside `properties` wants one."""
        arms = [self.arm(arm, at).strings("required") for arm in place.items("oneOf")]
        if "anyOf" in place.keywords or any(len(names) != 1 for names in arms):
            return ()
        return tuple(sorted(name for names in arms for name in names))

    def enter(self, name: str, place: _Place) -> bool:
        """Tell whether a message is new; refuse two of one name."""
        known = self.origins.setdefault(name, place.node)
        if known is not place.node:
            fault = f"{name} is defined twice"
            raise DriftError(str(place.path), fault, "give each object its own name")
        if name in self.messages:
            return False
        self.messages[name] = Message(name)
        return True

    def field(self, owner: _Place, member: str, message: str) -> Field:
        place = owner.at(owner.properties[member])
        read = self.type(place, f"{message}.{member}")
        repeated = read.type.kind is Kind.LIST
        keywords = place.keywords
        return Field(
            name=member,
            type=read.type.of[0] if repeated else read.type,
            repeated=repeated,
            required=member in owner.strings("required"),
            presence=_presence(keywords),
            nullable=read.nullable,
            deprecated=keywords.get("deprecated") is True,
            default=compact(keywords["default"]) if "default" in keywords else None,
            limits=tuple(sorted(read.limits)),
        )

    def resolve(self, place: _Place, at: str) -> _Place:
        """Follow one `$ref` inside the document or to a neighbouring file."""
        ref = place.keywords["$ref"]
        where = str(place.path)
        if not isinstance(ref, str):
            raise DriftError(where, f"{at}: $ref is not a string", "write a reference")
        address, _, pointer = ref.partition("#")
        path = self.file(address, place.path, at) if address else place.path
        node, name = self.files[path], ""
        for step in pointer.split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if not isinstance(node, dict) or name not in node:
                fault = f"{at} refers to {ref}, which is not there"
                raise DriftError(where, fault, "give the complete schema")
            node = node[name]
        return _Place(path, node, name or _title(node))

    def file(self, address: str, beside: Path, at: str) -> Path:
        path = (beside.parent / address).resolve()
        if self.within is None or not path.is_relative_to(self.within.resolve()):
            fault = f"{at} refers to {address}, outside of the file"
            raise DriftError(str(beside), fault, "give a schema that stands alone")
        if path not in self.files:
            self.files[path] = parse_json(read_text(path), str(path))
        return path


def _title(node: Json) -> str:
    title = node.get("title") if isinstance(node, dict) else None
    return title if isinstance(title, str) else ""


def _presence(keywords: Mapping[str, Json]) -> Presence | None:
    stated = keywords.get("x-presence")
    return next((presence for presence in Presence if presence == stated), None)


def _values(place: _Place) -> tuple[str, ...]:
    """Return the permitted values as JSON texts; a `const` is one such value."""
    keywords = place.keywords
    listed = keywords.get("enum")
    values = listed if isinstance(listed, list) else []
    if "const" in keywords:
        values = [keywords["const"]]
    return tuple(sorted(compact(value) for value in values))


def _valued(values: tuple[str, ...]) -> Type:
    """Return the type of a schema that names none: by its permitted values."""
    strings = bool(values) and all(value.startswith('"') for value in values)
    return Type(Kind.STRING if strings else Kind.ANY, values=values)


def _one_of(types: list[Type]) -> Type:
    return types[0] if len(types) == 1 else Type(Kind.UNION, of=tuple(types))


def _limits(place: _Place) -> tuple[tuple[str, str], ...]:
    """Return the keywords that limit a value and have no place of their own."""
    kinds = place.strings("type")
    shaped = SHAPED | ANNOTATIONS
    # Without members, `additionalProperties` is the element type of a map.
    if "object" in kinds and not place.properties:
        shaped |= {"additionalProperties"}
    return tuple(
        (keyword, compact(value))
        for keyword, value in place.keywords.items()
        if keyword not in shaped
        and not keyword.startswith("x-")
        and (keyword not in OPENNESS or value is not True)
    )


def _choices(place: _Place) -> tuple[tuple[str, str], ...]:
    return tuple(
        (keyword, compact(place.keywords[keyword]))
        for keyword in ("oneOf", "anyOf")
        if keyword in place.keywords
    )


def _is_wrapper(arm: _Place) -> bool:
    """Tell whether an arm is an object around one required member."""
    names = list(arm.properties)
    member = arm.properties[names[0]] if len(names) == 1 else None
    plain = not isinstance(member, dict) or not {"const", "enum"} & member.keys()
    return len(names) == 1 and arm.strings("required") == names and plain
