"""One place in a JSON Schema: its keywords, and the target of its reference."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from codegen.drift.shape import Presence
from codegen.drift.source import DriftError, Json, compact, parse_json, read_text

Limits: TypeAlias = tuple[tuple[str, str], ...]
"""Keywords that narrow a value, each with its own value as JSON text."""

# Do not decide which documents are valid: JSON Schema 2020-12 Core §8.3, Validation §7.2.1 (format) and §9.
ANNOTATIONS = frozenset(
    {"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "title", "description"}
    | {"examples", "format", "default", "deprecated", "readOnly", "writeOnly"}
)
# Have an attribute of their own in the shape.
SHAPED = frozenset({"$ref", "type", "enum", "const", "items", "properties", "required", "anyOf", "oneOf"})
# Have no effect when true.
OPENNESS = frozenset({"additionalProperties", "unevaluatedProperties"})


@dataclass(frozen=True, slots=True)
class Place:
    """A schema, its file and, if it has one, its name in the file."""

    path: Path
    node: Json
    name: str = ""

    def at(self, node: Json) -> "Place":
        """Return an unnamed place in the same file."""
        return Place(self.path, node)

    @property
    def keywords(self) -> dict[str, Json]:
        """The keywords; empty for `true` and for a value that is not a schema."""
        return self.node if isinstance(self.node, dict) else {}

    @property
    def properties(self) -> dict[str, Json]:
        """The properties of the schema."""
        value = self.keywords.get("properties")
        return value if isinstance(value, dict) else {}

    def items(self, keyword: str) -> list["Place"]:
        """Return the schemas listed under a keyword."""
        value = self.keywords.get(keyword)
        return [self.at(item) for item in value] if isinstance(value, list) else []

    def strings(self, keyword: str) -> list[str]:
        """Return the strings under a keyword that takes one or several."""
        value = self.keywords.get(keyword)
        items = value if isinstance(value, list) else [value]
        return [item for item in items if isinstance(item, str)]

    @property
    def presence(self) -> Presence | None:
        """The value of `x-presence`."""
        presence_value = self.keywords.get("x-presence")
        return next((presence for presence in Presence if presence == presence_value), None)

    @property
    def values(self) -> tuple[str, ...]:
        """The permitted values as JSON texts; a `const` is one such value."""
        enum = self.keywords.get("enum")
        values = enum if isinstance(enum, list) else []
        if "const" in self.keywords:
            values = [self.keywords["const"]]
        return tuple(sorted(compact(value) for value in values))

    @property
    def limits(self) -> Limits:
        """The keywords that restrict a value and have no attribute of their own."""
        shaped = SHAPED | ANNOTATIONS
        # Without properties, `additionalProperties` is the element type of a map.
        if "object" in self.strings("type") and not self.properties:
            shaped |= {"additionalProperties"}
        keywords = [(keyword, value) for keyword, value in self.keywords.items() if keyword not in shaped]
        narrow = [
            (keyword, value) for keyword, value in keywords if keyword not in OPENNESS or value is not True
        ]
        return tuple((keyword, compact(value)) for keyword, value in narrow if not keyword.startswith("x-"))

    @property
    def choices(self) -> Limits:
        """The unions beside `properties`, as text."""
        keywords = [keyword for keyword in ("oneOf", "anyOf") if keyword in self.keywords]
        return tuple((keyword, compact(self.keywords[keyword])) for keyword in keywords)

    @property
    def is_wrapper(self) -> bool:
        """Whether this is an object with exactly one property, required and of any value."""
        names = list(self.properties)
        if len(names) != 1 or self.strings("required") != names:
            return False
        field = self.properties[names[0]]
        return not (isinstance(field, dict) and {"const", "enum"} & field.keys())


@dataclass(frozen=True, slots=True)
class Library:
    """The files read so far, and the folder in which further ones may be read."""

    files: dict[Path, Json]
    within: Path | None

    def resolve(self, place: Place, at: str) -> Place:
        """Follow one `$ref`, inside the file or to a neighbouring one.

        Raises:
            DriftError: If it does not resolve, or refers to a file outside of the folder.
        """
        ref = place.keywords["$ref"]
        where = str(place.path)
        if not isinstance(ref, str):
            raise DriftError(where, f"{at}: $ref is not a string", "write a URI reference")
        address, _, pointer = ref.partition("#")
        path = self._file(address, place.path, at) if address else place.path
        node, name = self.files[path], ""
        for step in pointer.split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if not isinstance(node, dict) or name not in node:
                fault = f"{at} refers to {ref}, which does not exist"
                raise DriftError(where, fault, "use the complete schema")
            node = node[name]
        title = node.get("title") if isinstance(node, dict) and not name else name
        return Place(path, node, title if isinstance(title, str) else "")

    def _file(self, address: str, beside: Path, at: str) -> Path:
        path = (beside.parent / address).resolve()
        if self.within is None or not path.is_relative_to(self.within.resolve()):
            fault = f"{at} refers to {address}, outside of the file"
            raise DriftError(str(beside), fault, "use a self-contained schema")
        if path not in self.files:
            self.files[path] = parse_json(read_text(path), str(path))
        return path
