"""One place in a JSON Schema: what its keywords say there, and where its reference leads."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from codegen.drift.shape import Presence
from codegen.drift.source import DriftError, Json, compact, parse_json, read_text

Limits: TypeAlias = tuple[tuple[str, str], ...]
"""Keywords that narrow a value, each with its own value as JSON text."""

# Say nothing about which documents are valid: JSON Schema 2020-12 Core §8.3, Validation §7.2.1 (format) and §9.
ANNOTATIONS = frozenset(
    {"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "title", "description"}
    | {"examples", "format", "default", "deprecated", "readOnly", "writeOnly"}
)
# Have a place of their own in the shape.
SHAPED = frozenset({"$ref", "type", "enum", "const", "items", "properties", "required", "anyOf", "oneOf"})
# Say nothing when true.
OPENNESS = frozenset({"additionalProperties", "unevaluatedProperties"})


@dataclass(frozen=True, slots=True)
class Place:
    """A schema, the file it stands in and, if it has one, its name there."""

    path: Path
    node: Json
    name: str = ""

    def at(self, node: Json) -> "Place":
        """Return an unnamed place in the same file."""
        return Place(self.path, node)

    @property
    def keywords(self) -> dict[str, Json]:
        """The keywords; none for `true` and for what is no schema at all."""
        return self.node if isinstance(self.node, dict) else {}

    @property
    def properties(self) -> dict[str, Json]:
        """The members that the schema names."""
        value = self.keywords.get("properties")
        return value if isinstance(value, dict) else {}

    def items(self, keyword: str) -> list["Place"]:
        """Return the schemas listed under a keyword."""
        value = self.keywords.get(keyword)
        return [self.at(item) for item in value] if isinstance(value, list) else []

    def strings(self, keyword: str) -> list[str]:
        """Return the strings under a keyword that takes one or several."""
        value = self.keywords.get(keyword)
        listed = value if isinstance(value, list) else [value]
        return [item for item in listed if isinstance(item, str)]

    @property
    def presence(self) -> Presence | None:
        """What `x-presence` says."""
        stated = self.keywords.get("x-presence")
        return next((presence for presence in Presence if presence == stated), None)

    @property
    def values(self) -> tuple[str, ...]:
        """The permitted values as JSON texts; a `const` is one such value."""
        listed = self.keywords.get("enum")
        values = listed if isinstance(listed, list) else []
        if "const" in self.keywords:
            values = [self.keywords["const"]]
        return tuple(sorted(compact(value) for value in values))

    @property
    def limits(self) -> Limits:
        """The keywords that narrow a value and have no place of their own."""
        shaped = SHAPED | ANNOTATIONS
        # Without members, `additionalProperties` is the element type of a map.
        if "object" in self.strings("type") and not self.properties:
            shaped |= {"additionalProperties"}
        told = [(keyword, value) for keyword, value in self.keywords.items() if keyword not in shaped]
        narrow = [(keyword, value) for keyword, value in told if keyword not in OPENNESS or value is not True]
        return tuple((keyword, compact(value)) for keyword, value in narrow if not keyword.startswith("x-"))

    @property
    def choices(self) -> Limits:
        """The unions beside named members, as text."""
        told = [keyword for keyword in ("oneOf", "anyOf") if keyword in self.keywords]
        return tuple((keyword, compact(self.keywords[keyword])) for keyword in told)

    @property
    def is_wrapper(self) -> bool:
        """Whether this is an object around one required member that any value may have."""
        names = list(self.properties)
        if len(names) != 1 or self.strings("required") != names:
            return False
        member = self.properties[names[0]]
        return not (isinstance(member, dict) and {"const", "enum"} & member.keys())


@dataclass(frozen=True, slots=True)
class Library:
    """The files read so far, and the folder in which further ones may be read."""

    files: dict[Path, Json]
    within: Path | None

    def resolve(self, place: Place, at: str) -> Place:
        """Follow one `$ref`, inside the file or to a neighbouring one.

        Raises:
            DriftError: it leads nowhere, or out of the folder.
        """
        ref = place.keywords["$ref"]
        where = str(place.path)
        if not isinstance(ref, str):
            raise DriftError(where, f"{at}: $ref is not a string", "write a reference")
        address, _, pointer = ref.partition("#")
        path = self._file(address, place.path, at) if address else place.path
        node, name = self.files[path], ""
        for step in pointer.split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if not isinstance(node, dict) or name not in node:
                fault = f"{at} refers to {ref}, which is not there"
                raise DriftError(where, fault, "give the complete schema")
            node = node[name]
        title = node.get("title") if isinstance(node, dict) and not name else name
        return Place(path, node, title if isinstance(title, str) else "")

    def _file(self, address: str, beside: Path, at: str) -> Path:
        path = (beside.parent / address).resolve()
        if self.within is None or not path.is_relative_to(self.within.resolve()):
            fault = f"{at} refers to {address}, outside of the file"
            raise DriftError(str(beside), fault, "give a schema that stands alone")
        if path not in self.files:
            self.files[path] = parse_json(read_text(path), str(path))
        return path
