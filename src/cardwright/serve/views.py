"""Views: the fields of a card that the public, an authenticated caller and the owner see (A2A 1.0 §13.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import carried
from cardwright.conversion.extensions import SCHEMAS_URI
from cardwright.errors import CardError, InvalidCard
from cardwright.outline import outline
from cardwright_runtime.checks import dig, listed, objects
from cardwright_runtime.violation import quote, steps_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.card import Card

Audience = Literal["public", "authenticated", "owner"]
AUDIENCES: Final[tuple[Audience, ...]] = get_args(Audience)
_ANY: Final = "*"
# Fields that a hybrid card contains twice, once per version.
_TWINS: Final = frozenset({
    "additionalInterfaces", "extendedAgentCard", "preferredTransport", "protocolVersion", "security",
    "securityRequirements", "securitySchemes", "supportedInterfaces", "supportsAuthenticatedExtendedCard", "url",
})  # fmt: skip


class BadViews(CardError):
    """The views do not fit the card: a hidden field does not exist, or a view would be invalid."""


@dataclass(frozen=True, slots=True)
class Views:
    """The fields and skills of a card that are not public.

    Attributes:
        fields: The least audience that sees a field, by JSON Pointer (RFC 6901; `*` means each item of an array).
            The pointer "" is the whole card.
        skills: The least audience that sees a skill (of a Beach card, a capability), by the id of the skill.

    >>> views = Views(fields={"/documentationUrl": "authenticated"}, skills={"refund": "owner"})
    """

    fields: Mapping[str, Audience] = field(default_factory=dict[str, Audience])
    skills: Mapping[str, Audience] = field(default_factory=dict[str, Audience])

    def __post_init__(self) -> None:
        for audience in (*self.fields.values(), *self.skills.values()):
            if audience not in AUDIENCES:
                raise BadViews(f"unknown audience {quote(audience)}; known audiences: {', '.join(AUDIENCES)}")
        for pointer in self.fields:
            if pointer and not pointer.startswith("/"):
                raise BadViews(f"invalid JSON Pointer {quote(pointer)}: it must begin with /")

    @classmethod
    def from_document(cls, value: Any) -> Self:
        """Read views from a JSON value: `{"fields": {pointer: audience}, "skills": {id: audience}}`.

        Raises:
            BadViews: If it has another shape.
        """
        if type(value) is not dict:
            raise BadViews("views must be a JSON object with the fields `fields` and `skills`")
        if unknown := sorted(value.keys() - {"fields", "skills"}):
            raise BadViews(f"unknown field {quote(unknown[0])} in views; use `fields` and `skills`")
        for name, audiences in value.items():
            if type(audiences) is not dict or not all(type(item) is str for item in audiences.values()):
                key = "JSON Pointers" if name == "fields" else "skill ids"
                raise BadViews(f"`{name}`: expected a JSON object from {key} to {', '.join(AUDIENCES)}")
        return cls(**value)

    def __bool__(self) -> bool:
        return any(audience != "public" for audience in (*self.fields.values(), *self.skills.values()))

    def of(self, card: Card, audience: Audience, checks: Checks = DEFAULT_CHECKS) -> Card | None:
        """Return the validated view of an audience, or None if it does not see the card.

        The schemas of a hidden skill are hidden, too. A view that hides anything has no signatures and no fields
        carried from an earlier conversion, since both could reveal it.

        Raises:
            BadViews: If a hidden field or skill is not in the card, or the view would be invalid or change how to
                authenticate.
        """
        level = AUDIENCES.index(audience)
        hidden = [pointer for pointer, least in self.fields.items() if AUDIENCES.index(least) > level]
        hidden_skills = {name for name, least in self.skills.items() if AUDIENCES.index(least) > level}
        self._check_targets(card.document)
        if "" in hidden:
            return None
        if card.dialect.version == "hybrid":
            _check_twins(hidden)
        if not hidden and not hidden_skills:
            return card
        pruned = _pruned(card.document, [steps_of(pointer) for pointer in hidden])
        document = _bare(_without_skills(pruned, hidden_skills))
        view = card.of_parts(document, card.dialect, checks=checks)
        _check(card, view, audience)
        return view

    def check_places(self, old: Card | None, new: Card) -> None:
        """Check that the array items which are hidden by index have not changed.

        Raises:
            BadViews: If one has: the item to hide may have moved, and would be published.
        """
        if old is None:
            return
        for pointer in self.fields:
            steps = steps_of(pointer)
            if any(step.isdigit() for step in steps) and _at(old.document, steps) != _at(new.document, steps):
                raise BadViews(
                    f"the views refer to {quote(pointer)} by index, and the item there has changed: check the views"
                    " and restart"
                )

    def _check_targets(self, document: dict[str, Any]) -> None:
        """Raise if a hidden field or skill is not in the card: a mistyped name would publish what it should hide."""
        for pointer in self.fields:
            if not _at(document, steps_of(pointer)):
                raise BadViews(f"the views refer to {quote(pointer)}, which is not in the card")
        ids = {item.get("id") for _, item in objects(_skills(document)[1])}
        for name in self.skills:
            if name not in ids:
                raise BadViews(f"the views refer to the skill {quote(name)}, which is not in the card")


def _check_twins(hidden: list[str]) -> None:
    """Raise if a field is hidden that a hybrid card contains twice."""
    for pointer in hidden:
        if any(step in _TWINS for step in steps_of(pointer)):
            raise BadViews(
                f"a hybrid card contains {quote(pointer)} twice, once per version: write the card as A2A 1.0; the hybrid"
                " is created from it when it is served"
            )


def _check(card: Card, view: Card, audience: str) -> None:
    known = {(error.rule, error.pointer) for error in card.errors}
    errors = [error for error in view.errors if (error.rule, error.pointer) not in known]
    if errors:
        raise BadViews(f"the view of the audience {audience} would be an invalid card: {InvalidCard(errors)}")
    before, after = outline(card), outline(view)
    if before.schemes != after.schemes or before.requirements != after.requirements:
        raise BadViews(
            f"the view of the audience {audience} would change how to authenticate: do not hide security schemes or"
            " requirements"
        )


def _skills(document: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the name and value of the field that lists the skills; in a Beach card it is `capabilities`."""
    name = "capabilities" if type(document.get("capabilities")) is list else "skills"
    return name, listed(document.get(name))


def _without_skills(document: dict[str, Any], ids: set[str]) -> dict[str, Any]:
    name, skills = _skills(document)
    visible = [item for item in skills if not (type(item) is dict and item.get("id") in ids)]
    if len(visible) == len(skills):
        return document
    document = {**document, name: visible}
    extensions = dig(document, ("capabilities", "extensions"))
    if type(extensions) is not list:
        return document
    updated = [_without_schemas(extension, ids) for extension in extensions]
    return {**document, "capabilities": {**document["capabilities"], "extensions": updated}}


def _without_schemas(extension: Any, ids: set[str]) -> Any:
    by_id = dig(extension, ("params", "skills"))
    if type(by_id) is not dict or extension.get("uri") != SCHEMAS_URI:
        return extension
    visible = {name: value for name, value in by_id.items() if name not in ids}
    return {**extension, "params": {**extension["params"], "skills": visible}}


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without signatures and without the fields carried from conversions."""
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
    """Return a value without the fields and items at some paths."""
    if not paths:
        return node
    if type(node) is dict:
        removed = {path[0] for path in paths if len(path) == 1}
        return {
            name: _pruned(value, [path[1:] for path in paths if path[0] == name])
            for name, value in node.items()
            if name not in removed
        }
    if type(node) is list:
        below = [
            [path[1:] for path in paths if path[0] == _ANY or index in _index(path[0], len(node))]
            for index in range(len(node))
        ]
        return [_pruned(item, at) for item, at in zip(node, below, strict=True) if [] not in at]
    return node


def _at(node: Any, steps: list[str]) -> list[Any]:
    """Return all values at a pointer."""
    if not steps:
        return [node]
    first, *rest = steps
    if type(node) is dict:
        return _at(node[first], rest) if first in node else []
    if type(node) is list:
        chosen = range(len(node)) if first == _ANY else sorted(_index(first, len(node)))
        return [value for index in chosen for value in _at(node[index], rest)]
    return []


def _index(step: str, length: int) -> set[int]:
    return {int(step)} if step.isascii() and step.isdigit() and int(step) < length else set()
