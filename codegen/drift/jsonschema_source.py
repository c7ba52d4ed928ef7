"""Conversion of a JSON Schema (draft-07 or 2020-12) of this project or upstream to the neutral shape.

A `$ref` to anything but an object with properties is replaced by its target, so that a
named map and the same map written inline are one type. A keyword that restricts a value
and has no attribute in the shape is kept as text under its own name.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from codegen.drift.schema_place import Library, Limits, Place
from codegen.drift.shape import Field, Kind, Message, Shape, Type
from codegen.drift.source import DriftError, Json, compact

KINDS = {
    "string": Kind.STRING,
    "boolean": Kind.BOOL,
    "integer": Kind.INT,
    "number": Kind.NUMBER,
    "null": Kind.NULL,
    "array": Kind.LIST,
    "object": Kind.MAP,
}
# A union needs at least two arms.
MANY = 2


def read_schema(document: Json, path: Path, root: str, *, within: Path | None = None) -> Shape:
    """Return the shape of every message reachable from the schema of `root`.

    Args:
        document: The parsed schema.
        path: The file of the schema.
        root: The message to start from; the document itself if it has properties and no definition of this name.
        within: The folder in which references to other files are followed.

    Raises:
        DriftError: If the message does not exist, or a reference does not resolve.
    """
    home = path.resolve()
    reader = _Reader(Library({home: document}, within))
    result = reader.type(_start(document, home, root), root)
    if result.type.kind is not Kind.MESSAGE:
        fault = f"{root} is not an object with properties"
        raise DriftError(str(path), fault, "use the schema of an agent card")
    return Shape(result.type.message, reader.messages)


@dataclass(frozen=True, slots=True)
class _Read:
    """The type at one place, with its nullability and limits."""

    type: Type
    nullable: bool = False
    limits: Limits = ()


def _start(document: Json, path: Path, root: str) -> Place:
    if not isinstance(document, dict):
        fault = f"a JSON {type(document).__name__}, not a schema"
        raise DriftError(str(path), fault, "use a JSON Schema")
    title = document.get("title")
    definitions = document.get("$defs")
    if "properties" in document and not (isinstance(definitions, dict) and root in definitions):
        return Place(path, document, title if isinstance(title, str) else root)
    for keyword in ("$defs", "definitions"):
        named = document.get(keyword)
        if isinstance(named, dict) and root in named:
            return Place(path, named[root], root)
    fault = f"no {root} under $defs or definitions"
    raise DriftError(str(path), fault, "use a JSON Schema that defines it")


@dataclass(slots=True)
class _Reader:
    """Reader that walks the schema once and collects its `messages`."""

    library: Library
    messages: dict[str, Message] = field(default_factory=dict[str, Message])
    origins: dict[str, object] = field(default_factory=dict[str, object])

    def type(self, place: Place, at: str) -> _Read:
        """Return the type at a place; `at` is its name in messages and errors."""
        keywords = place.keywords
        if "$ref" in keywords:
            target = self.type(self.library.resolve(place, at), at)
            return replace(target, limits=place.limits + target.limits)
        if place.properties:
            return _Read(self.message(place, at), "null" in place.strings("type"))
        for keyword in ("oneOf", "anyOf"):
            if keyword in keywords:
                return self.union(place, keyword, at)
        kinds = [KINDS[name] for name in place.strings("type") if name in KINDS]
        plain = [kind for kind in kinds if kind is not Kind.NULL] or kinds
        reads = [self.plain(place, kind, at) for kind in plain]
        if not reads:
            reads = [_Read(_valued(place.values))]
        inner = tuple(limit for result in reads for limit in result.limits)
        return _Read(
            _one_of([result.type for result in reads]),
            nullable=len(plain) < len(kinds),
            limits=place.limits + inner,
        )

    def plain(self, place: Place, kind: Kind, at: str) -> _Read:
        """Return the type that one value of the keyword `type` describes."""
        keyword = {Kind.LIST: "items", Kind.MAP: "additionalProperties"}.get(kind)
        if keyword is None:
            return _Read(Type(kind, values=place.values))
        element = place.keywords.get(keyword, True)
        inner = self.type(place.at(element), at)
        if kind is Kind.MAP and inner.type.kind is Kind.ANY:
            return _Read(Type(Kind.STRUCT))
        limits = tuple((f"{keyword}.{name}", text) for name, text in inner.limits)
        if inner.nullable:
            limits += ((f"{keyword}.null", "allowed"),)
        return _Read(Type(kind, of=(inner.type,)), limits=limits)

    def union(self, place: Place, keyword: str, at: str) -> _Read:
        """Return the type of a union: of messages, of fields (a oneof), or of plain types."""
        arms = [self.arm(arm, at) for arm in place.items(keyword)]
        if len(arms) >= MANY and all(arm.is_wrapper for arm in arms):
            return _Read(self.oneof(place, arms, at, exclusive=keyword == "oneOf"))
        reads = [self.type(arm, f"{at}/{n}") for n, arm in enumerate(arms)]
        types = [result.type for result in reads if result.type.kind is not Kind.NULL]
        nullable = len(types) < len(reads)
        messages = [arm.message for arm in types if arm.kind is Kind.MESSAGE]
        if len(types) == 1 or len(messages) < len(types):
            inner = tuple(limit for result in reads for limit in result.limits)
            return _Read(_one_of(types), nullable, place.limits + inner)
        name = place.name or at
        exclusive, named = keyword == "oneOf", bool(place.name)
        union = Message(name, arms=tuple(messages), exclusive=exclusive, named=named, limits=place.limits)
        self.messages[name] = union
        return _Read(Type(Kind.MESSAGE, message=name), nullable)

    def arm(self, place: Place, at: str) -> Place:
        """Return the target of an arm's references."""
        if "$ref" in place.keywords:
            return self.arm(self.library.resolve(place, at), at)
        return place

    def oneof(self, place: Place, arms: list[Place], at: str, *, exclusive: bool) -> Type:
        """Return one message with a oneof for arms that each require one field.

        That is how JSON Schema expresses a protobuf `oneof`.
        """
        name = place.name or at
        if self.enter(name, place):
            fields = [
                replace(self.field(arm, property_name, name), required=False)
                for arm in arms
                for property_name in arm.properties
            ]
            group = tuple(sorted(entry.name for entry in fields))
            self.messages[name] = Message(
                name,
                tuple(fields),
                oneofs=(group,) if exclusive else (),
                named=bool(place.name),
                limits=place.limits,
            )
        return Type(Kind.MESSAGE, message=name)

    def message(self, place: Place, at: str) -> Type:
        """Return the type of an object with properties, and add its message once."""
        name = place.name or at
        if self.enter(name, place):
            fields = [self.field(place, property_name, name) for property_name in place.properties]
            group = self.chosen(place, name)
            self.messages[name] = Message(
                name,
                tuple(fields),
                oneofs=(group,) if group else (),
                named=bool(place.name),
                limits=place.limits + (() if group else place.choices),
            )
        return Type(Kind.MESSAGE, message=name)

    def chosen(self, place: Place, at: str) -> tuple[str, ...]:
        """Return the fields of which a `oneOf` beside `properties` requires exactly one."""
        arms = [self.arm(arm, at).strings("required") for arm in place.items("oneOf")]
        if "anyOf" in place.keywords or len(arms) < MANY or any(len(names) != 1 for names in arms):
            return ()
        return tuple(sorted(name for names in arms for name in names))

    def enter(self, name: str, place: Place) -> bool:
        """Return whether a message is new; refuse two different messages of one name."""
        known = self.origins.setdefault(name, place.node)
        if known is not place.node:
            fault = f"{name} is defined twice"
            raise DriftError(str(place.path), fault, "use a different name for each object")
        if name in self.messages:
            return False
        self.messages[name] = Message(name)
        return True

    def field(self, owner: Place, property_name: str, message: str) -> Field:
        place = owner.at(owner.properties[property_name])
        result = self.type(place, f"{message}.{property_name}")
        repeated = result.type.kind is Kind.LIST
        keywords = place.keywords
        return Field(
            name=property_name,
            type=result.type.of[0] if repeated else result.type,
            repeated=repeated,
            required=property_name in owner.strings("required"),
            presence=place.presence,
            nullable=result.nullable,
            deprecated=keywords.get("deprecated") is True,
            default=compact(keywords["default"]) if "default" in keywords else None,
            limits=tuple(sorted(result.limits)),
            comment=" ".join(str(keywords.get("description", "")).split()),
        )


def _one_of(types: list[Type]) -> Type:
    return types[0] if len(types) == 1 else Type(Kind.UNION, of=tuple(types))


def _valued(values: tuple[str, ...]) -> Type:
    """Return the type of a schema without `type`: by its permitted values."""
    strings = bool(values) and all(value.startswith('"') for value in values)
    return Type(Kind.STRING if strings else Kind.ANY, values=values)
