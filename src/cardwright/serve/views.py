"""Views as data: what the public, an authenticated caller and the owner see of a card (A2A 1.0 §13.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import carried
from cardwright.conversion.extensions import SCHEMAS_URI
from cardwright.errors import CardError, InvalidCard
from cardwright.outline import outline
from cardwright_runtime.violation import quote, steps_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.card import Card

Audience = Literal["public", "authenticated", "owner"]
AUDIENCES: Final[tuple[Audience, ...]] = get_args(Audience)
_ANY: Final = "*"
# What both halves of a hybrid say, each in its own way.
_TWINS: Final = frozenset({
    "additionalInterfaces", "extendedAgentCard", "preferredTransport", "protocolVersion", "security",
    "securityRequirements", "securitySchemes", "supportedInterfaces", "supportsAuthenticatedExtendedCard", "url",
})  # fmt: skip


class BadViews(CardError):
    """The views do not fit the card: one names what is not there, or what is left would be no card."""


@dataclass(frozen=True, slots=True)
class Views:
    """Who sees what of a card: whatever is not named is public.

    Attributes:
        members: By JSON Pointer (RFC 6901, a step `*` for each item of an array), the least audience that
            sees what stands there; the pointer "" is the whole card, which others then do not get at all.
        skills: By the id of a skill (of a Beach card, a capability), the least audience that sees it.

    >>> views = Views(members={"/documentationUrl": "authenticated"}, skills={"refund": "owner"})
    """

    members: Mapping[str, Audience] = field(default_factory=dict[str, Audience])
    skills: Mapping[str, Audience] = field(default_factory=dict[str, Audience])

    def __post_init__(self) -> None:
        for audience in (*self.members.values(), *self.skills.values()):
            if audience not in AUDIENCES:
                raise BadViews(f"{quote(audience)} is no audience: they are {', '.join(AUDIENCES)}")
        for pointer in self.members:
            if pointer and not pointer.startswith("/"):
                raise BadViews(f"{quote(pointer)} is no JSON Pointer: it begins with /")

    @classmethod
    def from_document(cls, value: Any) -> Self:
        """Read views from a JSON value: `{"members": {pointer: audience}, "skills": {id: audience}}`.

        Raises:
            BadViews: If it has another shape.
        """
        if type(value) is not dict or not value.keys() <= {"members", "skills"}:
            raise BadViews("views are a JSON object with `members` and `skills`, and nothing else")
        for name, marks in value.items():
            if type(marks) is not dict or not all(type(mark) is str for mark in marks.values()):
                raise BadViews(f"`{name}` is a JSON object from pointers or ids to {', '.join(AUDIENCES)}")
        return cls(**value)

    def __bool__(self) -> bool:
        return any(audience != "public" for audience in (*self.members.values(), *self.skills.values()))

    def of(self, card: Card, audience: Audience, checks: Checks = DEFAULT_CHECKS) -> Card | None:
        """Return what an audience sees of a card, validated; None where that is nothing.

        What a skill says in the extension for schemas goes with it. A view that hides anything has no
        signatures and carries nothing of an earlier conversion, since both would tell of it.

        Raises:
            BadViews: If a mark names nothing in the card, or the view would be invalid or no longer say
                how to authenticate.
        """
        seen = AUDIENCES.index(audience)
        hidden = [pointer for pointer, least in self.members.items() if AUDIENCES.index(least) > seen]
        unseen = {name for name, least in self.skills.items() if AUDIENCES.index(least) > seen}
        self._check_marks(card.document)
        if "" in hidden:
            return None
        if card.dialect.version == "hybrid":
            _check_twins(hidden)
        if not hidden and not unseen:
            return card
        pruned = _pruned(card.document, [steps_of(pointer) for pointer in hidden])
        document = _bare(_without_skills(pruned, unseen))
        view = card.of_parts(document, card.dialect, checks=checks)
        _check(card, view, audience)
        return view

    def check_places(self, old: Card | None, new: Card) -> None:
        """Refuse a card in which something else stands where a mark names an item of an array by its index.

        Raises:
            BadViews: If it does: what is to be hidden may have moved, and would be told to everyone.
        """
        if old is None:
            return
        for pointer in self.members:
            steps = steps_of(pointer)
            if any(step.isdigit() for step in steps) and _at(old.document, steps) != _at(new.document, steps):
                raise BadViews(
                    f"a view names {quote(pointer)} by its index, and something else stands there now:"
                    " look at the views, and start again"
                )

    def _check_marks(self, document: dict[str, Any]) -> None:
        """Refuse marks that name nothing: a name that was mistyped or changed would be told to everyone."""
        for pointer in self.members:
            if not _at(document, steps_of(pointer)):
                raise BadViews(f"a view hides {quote(pointer)}, and nothing stands there in the card")
        ids = {item.get("id") for item in _skills(document)[1] if type(item) is dict}
        for name in self.skills:
            if name not in ids:
                raise BadViews(f"a view names the skill {quote(name)}, and the card has none of that id")


def _check_twins(hidden: list[str]) -> None:
    """Refuse to hide in one half of a hybrid what the other half says, too."""
    for pointer in hidden:
        if any(step in _TWINS for step in steps_of(pointer)):
            raise BadViews(
                f"a hybrid says {quote(pointer)} twice, once for each version: write the card as A2A 1.0,"
                " of which the hybrid is made when it is served"
            )


def _check(card: Card, view: Card, audience: str) -> None:
    known = {(one.rule, one.pointer) for one in card.errors}
    errors = [one for one in view.errors if (one.rule, one.pointer) not in known]
    if errors:
        raise BadViews(f"what the audience {audience} would see is no valid card: {InvalidCard(errors)}")
    told, left = outline(card), outline(view)
    if told.schemes != left.schemes or told.requirements != left.requirements:
        raise BadViews(
            f"what the audience {audience} would see does not say how to authenticate as the card does:"
            " hide no security scheme and no requirement"
        )


def _skills(document: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the member that lists what the agent can do, and the list: `capabilities` of a Beach card."""
    name = "capabilities" if type(document.get("capabilities")) is list else "skills"
    value = document.get(name)
    return name, value if type(value) is list else []


def _without_skills(document: dict[str, Any], ids: set[str]) -> dict[str, Any]:
    name, listed = _skills(document)
    left = [item for item in listed if not (type(item) is dict and item.get("id") in ids)]
    if len(left) == len(listed):
        return document
    document = {**document, name: left}
    capabilities: Any = document.get("capabilities")
    extensions = capabilities.get("extensions") if type(capabilities) is dict else None
    if type(extensions) is not list:
        return document
    kept = [_without_schemas(extension, ids) for extension in extensions]
    return {**document, "capabilities": {**capabilities, "extensions": kept}}


def _without_schemas(extension: Any, ids: set[str]) -> Any:
    params: Any = extension.get("params") if type(extension) is dict else None
    by_id = params.get("skills") if type(params) is dict and extension.get("uri") == SCHEMAS_URI else None
    if type(by_id) is not dict:
        return extension
    left = {name: value for name, value in by_id.items() if name not in ids}
    return {**extension, "params": {**params, "skills": left}}


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without signatures, and without all that conversions left it to carry."""
    bare = {name: value for name, value in document.items() if name not in ("signatures", carried.URI)}
    if "extensions" in bare:
        bare["extensions"] = _uncarried(bare["extensions"])
    capabilities = bare.get("capabilities")
    if type(capabilities) is dict and "extensions" in capabilities:
        bare["capabilities"] = {**capabilities, "extensions": _uncarried(capabilities["extensions"])}
    return bare


def _uncarried(extensions: Any) -> Any:
    if type(extensions) is dict:
        return {name: value for name, value in extensions.items() if name != carried.URI}
    if type(extensions) is list:
        return [item for item in extensions if not (type(item) is dict and item.get("uri") == carried.URI)]
    return extensions


def _pruned(node: Any, paths: list[list[str]]) -> Any:
    """Return a value without what stands at some paths; an array closes its gaps when all are taken out."""
    if not paths:
        return node
    if type(node) is dict:
        gone = {path[0] for path in paths if len(path) == 1}
        return {
            name: _pruned(value, [path[1:] for path in paths if path[0] == name])
            for name, value in node.items()
            if name not in gone
        }
    if type(node) is list:
        below = [
            [path[1:] for path in paths if path[0] == _ANY or index in _index(path[0], len(node))]
            for index in range(len(node))
        ]
        return [_pruned(item, at) for item, at in zip(node, below, strict=True) if [] not in at]
    return node


def _at(node: Any, steps: list[str]) -> list[Any]:
    """Return all that stands where a pointer leads."""
    if not steps:
        return [node]
    first, *rest = steps
    if type(node) is dict:
        return _at(node[first], rest) if first in node else []
    if type(node) is list:
        chosen = range(len(node)) if first == _ANY else sorted(_index(first, len(node)))
        return [found for index in chosen for found in _at(node[index], rest)]
    return []


def _index(step: str, length: int) -> set[int]:
    return {int(step)} if step.isascii() and step.isdigit() and int(step) < length else set()
