"""The fields of a card that a canonical form keeps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import is_not
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import NoCanonicalForm
from cardwright_rules import DIALECTS
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright_rules.presence_tables import FieldPresence, Kind, Shape

Path = tuple[str | int, ...]

# The rules by which a field is kept or left out, in words.
RULES: Final = {
    "required": "required: kept with any value (A2A 1.0 §8.4.1)",
    "optional": "optional and present: kept with any value (A2A 1.0 §8.4.1)",
    "set": "not the default value (A2A 1.0 §8.4.1)",
    "default": "default value, which means the same as a missing field (A2A 1.0 §8.4.1)",
    "null": "null, which the SDKs read as a missing field",
    "unknown-kept": "not in the schema, but signed (project decision)",
    "misshapen": "wrong type, signed unchanged (project decision)",
    "signatures": "signatures are never signed (A2A 1.0 §8.4.1 rule 3)",
    "as-received": "as received",
    "read": "the SDKs read this field, and it is not empty",
    "unknown": "not read by the SDKs",
    "empty": "empty, or with empty contents only",
}
# The SDKs read every card as this dialect.
SDK_DIALECT: Final = "a2a-1.0"
_EMPTY: Final = object()
_TYPES: Final[dict[Kind, tuple[type, ...]]] = {
    "text": (str,),
    "flag": (bool,),
    "number": (int, float),
    "list": (list,),
    "map": (dict,),
    "message": (dict,),
    "opaque": (dict,),
}


# Messages have explicit presence: an empty one is not the same as a missing one.
_EXPLICIT: Final = ("message", "opaque")


@dataclass(frozen=True, slots=True)
class Step:
    """Treatment of one field by a canonical form.

    Attributes:
        path: The path of the field: names and indices from the root.
        is_kept: Whether its value, or a part of it, is in the form.
        rule: The key in `RULES`.
    """

    path: Path
    is_kept: bool
    rule: str

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the field (RFC 6901)."""
        return pointer_of(self.path)


def spec_form(document: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Return a document without the fields that A2A 1.0 §8.4.1 rule 1 leaves out: those at their default.

    `dialect` must be one whose schema defines presence.

    Project decision for what the section does not define: unknown fields, values of a wrong type, list items and map
    entries are kept. Unchanged values are not copied.
    """
    return _reduced(document, _plans(dialect)[_root(dialect).message])


def spec_steps(document: dict[str, Any], dialect: str) -> Iterator[Step]:
    """Yield how `spec_form` treats each field."""
    yield from _steps(document, _root(dialect), _plans(dialect), ())


@dataclass(frozen=True, slots=True)
class _Plan:
    """Rules for the reduction of a message.

    Attributes:
        fields: Its fields.
        drops: The fields that are left out at their default.
        below: The fields that contain messages: name, kind, type of the value, and plan.
    """

    fields: Mapping[str, FieldPresence]
    drops: tuple[tuple[str, Shape], ...]
    below: list[tuple[str, Kind, Any, _Plan]]


def _root(dialect: str) -> Shape:
    return DIALECTS[dialect].presence().root


@cache
def _plans(dialect: str) -> dict[str, _Plan]:
    presence = DIALECTS[dialect].presence()
    plans: dict[str, _Plan] = {}
    for message, fields in presence.messages.items():
        drops = tuple((name, field.shape) for name, field in fields.items() if field.rule == "implicit")
        plans[message] = _Plan(fields, drops, [])
    for message, fields in presence.messages.items():
        for name, field in fields.items():
            inner = field.shape.of or field.shape
            if inner.message:
                kind = field.shape.kind
                plans[message].below.append(
                    (name, kind, list if kind == "list" else dict, plans[inner.message])
                )
    return plans


def _is_default(value: Any, shape: Shape) -> bool:
    """Return whether a value is the default of a shape; null never is."""
    return not value and type(value) in _TYPES[shape.kind] and shape.kind not in _EXPLICIT


def _reduced(node: dict[str, Any], plan: _Plan) -> dict[str, Any]:
    defaults: list[str] = []
    # Only an empty value can be a default, and most messages have none.
    if not all(node.values()):
        # True means a missing field.
        defaults = [
            name
            for name, shape in plan.drops
            if not (value := node.get(name, True)) and _is_default(value, shape)
        ]
    changed: dict[str, Any] = {}
    for name, kind, wanted, inner in plan.below:
        value = node.get(name)
        if not value or type(value) is not wanted:
            continue
        if kind == "message":
            result: Any = _reduced(value, inner)
            if result is not value:
                changed[name] = result
        else:
            items = list(value.values()) if kind == "map" else value
            results = [_reduced(item, inner) if type(item) is dict else item for item in items]
            if any(map(is_not, results, items)):
                changed[name] = dict(zip(value, results, strict=True)) if kind == "map" else results
    if not defaults and not changed:
        return node
    return {name: value for name, value in {**node, **changed}.items() if name not in defaults}


def _steps(node: dict[str, Any], shape: Shape, plans: Mapping[str, _Plan], path: Path) -> Iterator[Step]:
    plan = plans[shape.message]
    drops = dict(plan.drops)
    for name, value in node.items():
        at = (*path, name)
        field = plan.fields.get(name)
        if field is None:
            yield Step(at, is_kept=True, rule="unknown-kept")
        elif name in drops and _is_default(value, drops[name]):
            yield Step(at, is_kept=False, rule="default")
        elif type(value) not in _TYPES[field.shape.kind]:
            yield Step(at, is_kept=True, rule="misshapen")
        else:
            yield Step(at, is_kept=True, rule="set" if field.rule == "implicit" else field.rule)
            yield from _steps_below(value, field.shape, plans, at)


def _steps_below(value: Any, shape: Shape, plans: Mapping[str, _Plan], path: Path) -> Iterator[Step]:
    if shape.message and type(value) is dict:
        yield from _steps(value, shape, plans, path)
    elif shape.of and type(value) in (dict, list):
        for step, item in value.items() if type(value) is dict else enumerate(value):
            yield from _steps_below(item, shape.of, plans, (*path, step))


class SdkReduction:
    """Reduction as in a2a-sdk 1.3 and @a2a-js/sdk 1.3: the A2A 1.0 message that they read, without empty values.

    Attributes:
        uncovered: The paths of the fields that are left out.
        steps: How each field is treated, if requested.
    """

    def __init__(self, *, record_steps: bool = False) -> None:
        self._presence = DIALECTS[SDK_DIALECT].presence()
        self._record_steps = record_steps
        self.uncovered: list[Path] = []
        self.steps: list[Step] = []

    def card(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return the reduced card.

        Raises:
            NoCanonicalForm: If an SDK cannot read it.
        """
        return self._message(document, self._presence.root, ())

    def _note(self, path: Path, rule: str, *, is_kept: bool) -> None:
        if self._record_steps:
            self.steps.append(Step(path, is_kept=is_kept, rule=rule))

    def _message(self, node: dict[str, Any], shape: Shape, path: Path) -> dict[str, Any]:
        fields = self._presence.messages[shape.message]
        spellings = _spellings(shape.message)
        names_read: set[str] = set()
        read = 0
        reduced: dict[str, Any] = {}
        for written, value in node.items():
            at = (*path, written)
            name = spellings.get(written)
            if name not in (None, written):
                # The form does not show which spelling the card uses, and most parsers know only one.
                self.uncovered += [at] if name in node else [at, (*path, name)]
            if name is None:
                self._leave_out(at, "unknown", self._mark())
                continue
            # Also for null: in a2a-sdk it removes the value of the other spelling, in @a2a-js/sdk it does not.
            if name in names_read:
                raise NoCanonicalForm(
                    f"{pointer_of(at)}: the card has {quote(name)} in two spellings; keep one"
                )
            names_read.add(name)
            if value is None:
                self._leave_out(at, "null", self._mark())
            else:
                read += 1
                field = fields[name]
                if field.rule == "implicit" and _is_default(value, field.shape):
                    self._note(at, "default", is_kept=False)
                else:
                    mark = self._mark()
                    result = self._read(value, field.shape, at)
                    if result is _EMPTY:
                        self._leave_out(at, "empty", mark)
                    else:
                        reduced[name] = result
                        if self._record_steps:
                            # Before the steps of its contents.
                            self.steps.insert(mark[1], Step(at, is_kept=True, rule="read"))
        if shape.alone and read > 1:
            raise NoCanonicalForm(
                f"{pointer_of(path)}: the SDKs read only one of the alternatives that are set here"
            )
        return reduced

    def _mark(self) -> tuple[int, int]:
        return len(self.uncovered), len(self.steps)

    def _leave_out(self, path: Path, rule: str, mark: tuple[int, int]) -> None:
        """Record a field that is left out, and drop what was recorded for its contents since the mark."""
        del self.uncovered[mark[0] :]
        del self.steps[mark[1] :]
        self.uncovered.append(path)
        self._note(path, rule, is_kept=False)

    def _read(self, value: Any, shape: Shape, path: Path) -> Any:
        """Return the reduced value, or `_EMPTY`."""
        if type(value) not in _TYPES[shape.kind]:
            expected = {"text": "a string", "flag": "true or false", "list": "an array"}.get(
                shape.kind, "an object"
            )
            raise NoCanonicalForm(f"{pointer_of(path)}: the SDKs require {expected}")
        match shape.kind:
            case "message":
                return self._message(value, shape, path) or _EMPTY
            case "list" | "map" if shape.of:
                inner = shape.of
                return self._filled(value, path, lambda item, at: self._read(item, inner, at))
            case "opaque":
                return self._cleaned(value, path)
            case "text":
                return value or _EMPTY
            case _:
                return value

    def _cleaned(self, value: Any, path: Path) -> Any:
        if type(value) in (dict, list):
            return self._filled(value, path, self._cleaned)
        return _EMPTY if value is None or value == "" else value

    def _filled(self, value: Any, path: Path, read: Callable[[Any, Path], Any]) -> Any:
        """Return a list or map without its empty items, or `_EMPTY`."""
        filled: list[tuple[Any, Any]] = []
        for step, item in value.items() if type(value) is dict else enumerate(value):
            mark = self._mark()
            result = read(item, (*path, step))
            if result is _EMPTY:
                self._leave_out((*path, step), "empty", mark)
            else:
                filled.append((step, result))
        if not filled:
            return _EMPTY
        return dict(filled) if type(value) is dict else [result for _, result in filled]


@cache
def _spellings(message: str) -> Mapping[str, str]:
    """Return a message's field names by the spellings that ProtoJSON accepts: camelCase and snake_case."""
    names = DIALECTS[SDK_DIALECT].presence().messages[message]
    return {spelling: name for name in names for spelling in (name, _snake(name))}


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
