"""What a canonical form keeps of a card and what it leaves out, member by member."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import NoCanonicalForm
from cardwright_models.violation import pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright_models.presence import Kind, Presence, Shape

Path = tuple[str | int, ...]

# Each rule by which a member is kept or left out, in words.
RULES: Final = {
    "required": "required: always kept, whatever its value (A2A 1.0 §8.4.1)",
    "optional": "optional and present: kept, whatever its value (A2A 1.0 §8.4.1)",
    "set": "not its default: kept (A2A 1.0 §8.4.1)",
    "default": "its default, as if it were absent: left out (A2A 1.0 §8.4.1)",
    "null": "null is ProtoJSON's way of saying absent: left out (A2A 1.0 §5.7)",
    "unknown-kept": "no member of the schema: kept as it is, so that it is signed too (ours)",
    "misshapen": "not of the schema's shape: kept as it is (ours)",
    "signatures": "never part of what is signed (A2A 1.0 §8.4.1 rule 3)",
    "as-received": "kept as it is",
    "read": "read and not empty: kept",
    "unknown": "no member that the SDKs read: left out",
    "empty": "empty, or empty once what is empty in it is left out: left out",
}
_EMPTY: Final = object()
_DEFAULTS: Final[dict[Kind, Callable[[Any], bool]]] = {
    "text": lambda value: value == "",
    "flag": lambda value: value is False,
    "number": lambda value: type(value) is not bool and value == 0,
    "list": lambda value: value == [],
    "map": lambda value: value == {},
    # Messages have explicit presence: an empty one is set.
    "message": lambda _: False,
    "opaque": lambda _: False,
}
_TYPES: Final[dict[Kind, tuple[type, ...]]] = {
    "text": (str,),
    "flag": (bool,),
    "number": (int, float),
    "list": (list,),
    "map": (dict,),
    "message": (dict,),
    "opaque": (dict,),
}


@dataclass(frozen=True, slots=True)
class Step:
    """What a canonical form does with one member.

    Attributes:
        pointer: Where the member stands (RFC 6901).
        kept: Whether its value, or what is kept of it, is part of the form.
        rule: By which of `RULES`.
    """

    pointer: str
    kept: bool
    rule: str


class Reduction(ABC):
    """One walk over one card by a table of presence; `steps` are noted only where they are asked for."""

    def __init__(self, presence: Presence, *, telling: bool = False) -> None:
        self._presence = presence
        self._telling = telling
        self.steps: list[tuple[Path, bool, str]] = []

    def card(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return what is kept of a card."""
        kept: dict[str, Any] = self._message(document, self._presence.root, ())
        return kept

    def _note(self, path: Path, rule: str, *, kept: bool) -> None:
        if self._telling:
            self.steps.append((path, kept, rule))

    @abstractmethod
    def _message(self, node: dict[str, Any], shape: Shape, path: Path) -> dict[str, Any]: ...


class SpecReduction(Reduction):
    """A2A 1.0 §8.4.1 rule 1: only what says the same as its absence is left out.

    Where the section is silent (ours): what no schema knows and what has not its shape is kept, and
    so is every element of a list and entry of a map.
    """

    def _message(self, node: dict[str, Any], shape: Shape, path: Path) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        members = self._presence.messages[shape.message]
        for name, value in node.items():
            at = (*path, name)
            member = members.get(name)
            if member is None:
                kept[name] = value
                self._note(at, "unknown-kept", kept=True)
            elif value is None and member.rule != "required":
                self._note(at, "null", kept=False)
            elif member.rule == "implicit" and _DEFAULTS[member.shape.kind](value):
                self._note(at, "default", kept=False)
            elif type(value) not in _TYPES[member.shape.kind]:
                kept[name] = value
                self._note(at, "misshapen", kept=True)
            else:
                self._note(at, "set" if member.rule == "implicit" else member.rule, kept=True)
                kept[name] = self._value(value, member.shape, at)
        return kept

    def _value(self, value: Any, shape: Shape, path: Path) -> Any:
        match shape.kind:
            case "message" if type(value) is dict:
                return self._message(value, shape, path)
            case "list" if shape.of and type(value) is list:
                return [self._value(item, shape.of, (*path, index)) for index, item in enumerate(value)]
            case "map" if shape.of and type(value) is dict:
                return {name: self._value(item, shape.of, (*path, name)) for name, item in value.items()}
            case _:
                return value


class SdkReduction(Reduction):
    """What a2a-sdk 1.3 and @a2a-js/sdk 1.3 sign: the 1.0 message that they read, without anything empty.

    Attributes:
        uncovered: Where the card says something that is left out.
    """

    def __init__(self, presence: Presence, *, telling: bool = False) -> None:
        super().__init__(presence, telling=telling)
        self.uncovered: list[Path] = []

    def _message(self, node: dict[str, Any], shape: Shape, path: Path) -> dict[str, Any]:
        members = self._presence.messages[shape.message]
        spellings = _spellings(shape.message, self._presence.dialect)
        read: set[str] = set()
        kept: dict[str, Any] = {}
        for written, value in node.items():
            at = (*path, written)
            name = spellings.get(written)
            if name not in (None, written):
                # The bytes do not say which spelling the card has, and most readers know but one.
                self.uncovered += [at] if name in node else [at, (*path, name)]
            if name is None:
                self._leave_out(at, "unknown", self._mark())
            elif value is None:
                self._note(at, "null", kept=False)
            elif name in read:
                raise NoCanonicalForm(f"the SDKs read one member {quote(name)} from two at {pointer_of(at)}")
            else:
                read.add(name)
                member = members[name]
                if member.rule == "implicit" and _DEFAULTS[member.shape.kind](value):
                    self._note(at, "default", kept=False)
                else:
                    mark = self._mark()
                    result = self._read(value, member.shape, at)
                    if result is _EMPTY:
                        self._leave_out(at, "empty", mark)
                    else:
                        kept[name] = result
                        if self._telling:
                            # Before what was noted inside it.
                            self.steps.insert(mark[1], (at, True, "read"))
        if shape.alone and len(read) > 1:
            raise NoCanonicalForm(f"the SDKs read one kind of what has several at {pointer_of(path)}")
        return kept

    def _mark(self) -> tuple[int, int]:
        return len(self.uncovered), len(self.steps)

    def _leave_out(self, path: Path, rule: str, mark: tuple[int, int]) -> None:
        """Note what is left out; what was noted inside it, since the mark, goes with it."""
        del self.uncovered[mark[0] :]
        del self.steps[mark[1] :]
        self.uncovered.append(path)
        self._note(path, rule, kept=False)

    def _read(self, value: Any, shape: Shape, path: Path) -> Any:
        """Return what is read of a value; `_EMPTY` where that is nothing."""
        if type(value) not in _TYPES[shape.kind]:
            wanted = {"text": "a text", "flag": "true or false", "list": "an array"}.get(
                shape.kind, "an object"
            )
            raise NoCanonicalForm(f"the SDKs read only {wanted} at {pointer_of(path)}")
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
        """Return a list or a map without what is empty in it."""
        kept: list[tuple[Any, Any]] = []
        for step, item in value.items() if type(value) is dict else enumerate(value):
            mark = self._mark()
            result = read(item, (*path, step))
            if result is _EMPTY:
                self._leave_out((*path, step), "empty", mark)
            else:
                kept.append((step, result))
        if not kept:
            return _EMPTY
        return dict(kept) if type(value) is dict else [result for _, result in kept]


@cache
def _spellings(message: str, dialect: str) -> Mapping[str, str]:
    """Return every spelling that ProtoJSON reads of a message's members: camelCase, and the proto's own."""
    from cardwright_models import DIALECTS

    names = DIALECTS[dialect].presence().messages[message]
    return {spelling: name for name in names for spelling in (name, _snake(name))}


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
