"""What a canonical form keeps of a card and what it leaves out, member by member."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import is_not
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import NoCanonicalForm
from cardwright_models import DIALECTS
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright_runtime.presence import Kind, Member, Shape

Path = tuple[str | int, ...]

# Each rule by which a member is kept or left out, in words.
RULES: Final = {
    "required": "required, so whatever its value (A2A 1.0 §8.4.1)",
    "optional": "optional and present, so whatever its value (A2A 1.0 §8.4.1)",
    "set": "not at its default (A2A 1.0 §8.4.1)",
    "default": "at its default, which says the same as its absence (A2A 1.0 §8.4.1)",
    "null": "null, which the SDKs take for its absence",
    "unknown-kept": "no member of the schema, and signed all the same (ours)",
    "misshapen": "not of the shape that the schema gives it, and signed as it is (ours)",
    "signatures": "never part of what is signed (A2A 1.0 §8.4.1 rule 3)",
    "as-received": "as it was received",
    "read": "read by the SDKs, and not empty",
    "unknown": "not read by the SDKs",
    "empty": "empty, or holding only what is empty",
}
# Whatever the SDKs read, they read as this.
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


# Messages have explicit presence: an empty one says something.
_ALWAYS_SAID: Final = ("message", "opaque")


@dataclass(frozen=True, slots=True)
class Step:
    """What a canonical form does with one member.

    Attributes:
        path: Where the member stands: names and indices from the root on.
        kept: Whether its value, or what is kept of it, is part of the form.
        rule: By which of `RULES`.
    """

    path: Path
    kept: bool
    rule: str

    @property
    def pointer(self) -> str:
        """Where the member stands (RFC 6901)."""
        return pointer_of(self.path)


def spec_form(document: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Return what A2A 1.0 §8.4.1 rule 1 keeps: all but what says the same as its absence.

    `dialect` is one whose schema states presence.

    Where the section is silent (ours): what no schema knows and what has not its shape is kept, and
    so is every element of a list and entry of a map. What is kept whole is not copied.
    """
    return _reduced(document, _plans(dialect)[_root(dialect).message])


def spec_steps(document: dict[str, Any], dialect: str) -> Iterator[Step]:
    """Yield what `spec_form` does with each member."""
    yield from _steps(document, _root(dialect), _plans(dialect), ())


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to look at in a message: its members, what may be dropped of them, and where messages lie below.

    `drops` has the members that say nothing at their default; `below` those that hold messages: name,
    kind, the type of the value, and their plan.
    """

    members: Mapping[str, Member]
    drops: tuple[tuple[str, Shape], ...]
    below: list[tuple[str, Kind, Any, _Plan]]


def _root(dialect: str) -> Shape:
    return DIALECTS[dialect].presence().root


@cache
def _plans(dialect: str) -> dict[str, _Plan]:
    presence = DIALECTS[dialect].presence()
    plans: dict[str, _Plan] = {}
    for message, members in presence.messages.items():
        drops = tuple((name, member.shape) for name, member in members.items() if member.rule == "implicit")
        plans[message] = _Plan(members, drops, [])
    for message, members in presence.messages.items():
        for name, member in members.items():
            inner = member.shape.of or member.shape
            if inner.message:
                kind = member.shape.kind
                plans[message].below.append(
                    (name, kind, list if kind == "list" else dict, plans[inner.message])
                )
    return plans


def _is_default(value: Any, shape: Shape) -> bool:
    """Whether a value is the default of a shape; null is of no shape, so it is none."""
    return not value and type(value) in _TYPES[shape.kind] and shape.kind not in _ALWAYS_SAID


def _reduced(node: dict[str, Any], plan: _Plan) -> dict[str, Any]:
    unsaid: list[str] = []
    # Only what is empty can be unsaid, and most messages hold nothing of the kind.
    if not all(node.values()):
        # True stands for what is absent.
        unsaid = [
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
    if not unsaid and not changed:
        return node
    return {name: value for name, value in {**node, **changed}.items() if name not in unsaid}


def _steps(node: dict[str, Any], shape: Shape, plans: Mapping[str, _Plan], path: Path) -> Iterator[Step]:
    plan = plans[shape.message]
    drops = dict(plan.drops)
    for name, value in node.items():
        at = (*path, name)
        member = plan.members.get(name)
        if member is None:
            yield Step(at, kept=True, rule="unknown-kept")
        elif name in drops and _is_default(value, drops[name]):
            yield Step(at, kept=False, rule="default")
        elif type(value) not in _TYPES[member.shape.kind]:
            yield Step(at, kept=True, rule="misshapen")
        else:
            yield Step(at, kept=True, rule="set" if member.rule == "implicit" else member.rule)
            yield from _steps_below(value, member.shape, plans, at)


def _steps_below(value: Any, shape: Shape, plans: Mapping[str, _Plan], path: Path) -> Iterator[Step]:
    if shape.message and type(value) is dict:
        yield from _steps(value, shape, plans, path)
    elif shape.of and type(value) in (dict, list):
        for step, item in value.items() if type(value) is dict else enumerate(value):
            yield from _steps_below(item, shape.of, plans, (*path, step))


class SdkReduction:
    """What a2a-sdk 1.3 and @a2a-js/sdk 1.3 sign: the 1.0 message that they read, without anything empty.

    Attributes:
        uncovered: Where the card says something that is left out.
        steps: What is done with each member, where that is asked for.
    """

    def __init__(self, *, telling: bool = False) -> None:
        self._presence = DIALECTS[SDK_DIALECT].presence()
        self._telling = telling
        self.uncovered: list[Path] = []
        self.steps: list[Step] = []

    def card(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return what is kept of a card.

        Raises:
            NoCanonicalForm: If an SDK would refuse to read it.
        """
        return self._message(document, self._presence.root, ())

    def _note(self, path: Path, rule: str, *, kept: bool) -> None:
        if self._telling:
            self.steps.append(Step(path, kept=kept, rule=rule))

    def _message(self, node: dict[str, Any], shape: Shape, path: Path) -> dict[str, Any]:
        members = self._presence.messages[shape.message]
        spellings = _spellings(shape.message)
        said: set[str] = set()
        read = 0
        kept: dict[str, Any] = {}
        for written, value in node.items():
            at = (*path, written)
            name = spellings.get(written)
            if name not in (None, written):
                # The bytes do not say which spelling the card has, and most readers know but one.
                self.uncovered += [at] if name in node else [at, (*path, name)]
            if name is None:
                self._leave_out(at, "unknown", self._mark())
                continue
            # A null counts: a2a-sdk lets it take back what the other spelling said, @a2a-js/sdk does not.
            if name in said:
                raise NoCanonicalForm(f"the SDKs read one member {quote(name)} from two at {pointer_of(at)}")
            said.add(name)
            if value is None:
                self._leave_out(at, "null", self._mark())
            else:
                read += 1
                member = members[name]
                if member.rule == "implicit" and _is_default(value, member.shape):
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
                            self.steps.insert(mark[1], Step(at, kept=True, rule="read"))
        if shape.alone and read > 1:
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
def _spellings(message: str) -> Mapping[str, str]:
    """Return every spelling that ProtoJSON reads of a message's members: camelCase, and the proto's own."""
    names = DIALECTS[SDK_DIALECT].presence().messages[message]
    return {spelling: name for name in names for spelling in (name, _snake(name))}


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
