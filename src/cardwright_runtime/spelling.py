"""Field names with a near or synonymous spelling: an unknown name beside a known field that is absent."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import EACH, ITEM
from cardwright_runtime.violation import Fix, break_rule, pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright_runtime.violation import Rule, Violation

    # A synonym of a field: the name of the field, and whether they mean the same wherever both are fields.
    Synonyms = Mapping[str, Sequence[tuple[str, bool]]]
    _Names = tuple[tuple[str, ...], tuple[str, ...]]

_CAPITAL: Final = re.compile("[A-Z]")
# The edits between a misspelt name and its field, at most; in a shorter name, one edit makes another word (project decision).
_EDITS: Final = 2
_LONG: Final = 6
_SHORTEST: Final = 3
_RULES: Final = "/spelling"


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """The field names known at a place, if any, the intended name of each other spelling, and the places below.

    Attributes:
        names: The names that are not reported: the known ones, and those of other versions.
        folded: The known names by their folded form.
        synonyms: Of other names, the known one and whether its fix is safe.
        inner: The places below, by step.
    """

    names: frozenset[str]
    folded: dict[str, str]
    synonyms: dict[str, tuple[str, bool]]
    inner: dict[str, Spelling]

    @classmethod
    def of(cls, places: Mapping[_Names, Sequence[str]], synonyms: Synonyms) -> Spelling:
        """Return the tree of places, given by known names, and those of other versions, as pointers with `*` and `[*]`."""
        beyond: dict[str, dict[_Names, list[str]]] = {}
        known, others = next((names for names, pointers in places.items() if "" in pointers), ((), ()))
        for names, pointers in places.items():
            for pointer in filter(None, pointers):
                _, step, *rest = pointer.split("/")
                beyond.setdefault(step, {}).setdefault(names, []).append("".join(f"/{one}" for one in rest))
        meant = {
            name: (target, safe)
            for name, targets in synonyms.items()
            for target, safe in reversed(targets)
            if target in known and name not in known
        }
        inner = {step: cls.of(below, synonyms) for step, below in beyond.items()}
        folded = {folded_name(name): name for name in known}
        return cls(frozenset((*known, *others)), folded, meant, inner)

    def meant_in(self, node: Mapping[str, Any]) -> Iterable[tuple[str, str, bool]]:
        """Yield (name, known name, whether a rename is safe) of the fields of an object that have another spelling.

        A known field that is present is meant only by another spelling of its own name.
        """
        meanings = {name: found for name in node.keys() - self.names if (found := _meanings(self, name))}
        claimed = set(node) if meanings else set[str]()
        for name in sorted(meanings):
            for field, safe, same in meanings[name]:
                # A `uri` beside a `url` is a field of its own.
                taken = (
                    field in node and name.casefold()[-3:] != field.casefold()[-3:]
                    if same
                    else field in claimed
                )
                if not taken:
                    claimed.add(field)
                    yield name, field, safe
                    break


def spelling(
    violations: list[Violation],
    rule: Rule,
    node: Any,
    known: Spelling,
    unknown: Rule | None = None,
    at: str = "",
) -> None:
    """Add a violation for each field whose name is another spelling of a known one (CVE-2026-27896): strict readers ignore it.

    Spellings differ in case, `_`, `-` or `Uri`, in up to two letters, or are a known synonym. With `unknown`, all other
    names are violations of that rule, except those with a namespace.

    Args:
        violations: The list to add to.
        rule: The rule to report.
        node: The document, or a value in it.
        known: The known names of the value and of those below it.
        unknown: The rule for names without a meaning, where readers refuse them.
        at: The pointer of the value.
    """
    if type(node) is list:
        for inner in (known.inner[step] for step in (EACH, ITEM) if step in known.inner):
            for index, item in enumerate(node):
                spelling(violations, rule, item, inner, unknown, f"{at}/{index}")
    if type(node) is not dict:
        return
    if known.folded and not known.names.issuperset(node):
        others = node.keys() - known.names
        for name, meant, safe in known.meant_in(node):
            others.discard(name)
            violation = break_rule(rule, at + pointer_of((name,)), name, meant=meant)
            fix = _respelt(node, name, meant, at, safe=safe)
            violations.append(replace(violation, fix=fix) if fix else violation)
        if unknown:
            own = [name for name in sorted(others) if "/" not in name]
            violations.extend(break_rule(unknown, at + pointer_of((name,)), name) for name in own)
    for step, inner in known.inner.items():
        if step == EACH:
            for key, value in node.items():
                spelling(violations, rule, value, inner, unknown, at + pointer_of((key,)))
        elif step in node and step != ITEM:
            spelling(violations, rule, node[step], inner, unknown, f"{at}/{step}")


def merged(violations: list[Violation]) -> list[Violation]:
    """Return violations in which an absent field with another spelling is one finding: the other spelling.

    Without this, the name is a warning, and the same field is missing as well. If that is an error, it becomes one.
    """
    absent = claims(violations)
    if not absent:
        return violations
    required = {one.pointer for one in violations if one.pointer in absent and one.severity == "error"}
    return [
        replace(one, severity="error", message=f"{one.message.removesuffix('?')}, which is required?")
        if one.rule.endswith(_RULES) and _target(one) in required
        else one
        for one in violations
        if one.pointer not in absent
    ]


def claims(violations: Iterable[Violation]) -> set[str]:
    """Return the pointers of the absent fields that other spellings mean: no safe fix may add one of them."""
    spelt = [one for one in violations if one.rule.endswith(_RULES)]
    return {target for one in spelt if (target := _target(one))}


def _target(violation: Violation) -> str:
    """Return the pointer to which the fix of another spelling moves the field, if it does."""
    operation = violation.fix.patch[0] if violation.fix else {}
    return str(operation["path"]) if operation.get("op") == "move" else ""


def _respelt(node: dict[str, Any], name: str, meant: str, at: str, *, safe: bool) -> Fix | None:
    """Return the fix of another spelling of a field's name."""
    pointer = at + pointer_of((name,))
    if meant not in node:
        move = {"op": "move", "from": pointer, "path": f"{at}/{meant}"}
        return Fix(safe=safe, description=f"renames the field to {meant}", patch=(move,))
    if type(node[meant]) is type(node[name]) and node[meant] == node[name]:
        remove = {"op": "remove", "path": pointer}
        return Fix(safe=safe, description=f"removes the field: {meant} has the same value", patch=(remove,))
    return None


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """Return what the spellings of a field's name have in common."""
    folded = name.replace("_", "").replace("-", "").casefold()
    return f"{folded[:-1]}l" if folded.endswith("uri") else folded


@lru_cache(maxsize=4096)
def _meanings(known: Spelling, name: str) -> list[tuple[str, bool, bool]]:
    """Return the fields that a name may mean, the nearest first: whether a rename is safe, and whether it is the same name.

    The same name is written differently; a near one differs by few edits, and other names are other words.
    """
    folded = folded_name(name)
    if folded in known.folded:
        meant = known.folded[folded]
        # A2A 1.0 §5.5: in snake_case it is the name of the protobuf field.
        return [(meant, name == _CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", meant), True)]
    if name in known.synonyms:
        return [(*known.synonyms[name], False)]
    edits = {other: _edits(folded, other) for other in known.folded}
    near = [other for other in edits if edits[other] <= (_EDITS if len(other) >= _LONG else 1)]
    return [(known.folded[other], False, False) for other in sorted(near, key=lambda one: (edits[one], one))]


def _edits(name: str, other: str) -> int:
    """Return the number of letters to insert, drop, replace or swap with a neighbour; more than `_EDITS` if it is more."""
    if abs(len(name) - len(other)) > _EDITS or min(len(name), len(other)) < _SHORTEST:
        return _EDITS + 1
    older, before, row = list[int](), list[int](), list(range(len(other) + 1))
    for index, letter in enumerate(name):
        older, before, row = before, row, [index + 1]
        for place, meant in enumerate(other):
            edits = min(before[place] + (letter != meant), before[place + 1] + 1, row[place] + 1)
            if index and place and letter == other[place - 1] and name[index - 1] == meant:
                edits = min(edits, older[place - 1] + 1)
            row.append(edits)
        if min(row) > _EDITS:
            break
    return row[-1]
