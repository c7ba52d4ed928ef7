"""The form in which cards are compared: the hub's, A2A 1.0.

Only this module uses the conversion between dialects; the others compare documents of A2A 1.0.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.conversion import Hub, to_hub
from cardwright.conversion.a2a_hybrid import older_document
from cardwright.conversion.convert import OLDER
from cardwright.dialect import older_half
from cardwright.difference.pair import field
from cardwright_rules import DIALECTS

if TYPE_CHECKING:
    from cardwright.card import Document
    from cardwright.difference.change import Change

# Fields that a conversion fills with a placeholder if a card lacks them.
_PLACEHOLDERS: Final = frozenset({"name", "description", "tags", "defaultInputModes", "defaultOutputModes"})
OLDER_FORM: Final = "a2a-0.x"
NEWER_FORM: Final = "a2a-1.0"
_HYBRID: Final = "a2a-hybrid"
# The capabilities; extensions are compared separately.
_CAPABILITIES = "AgentCapabilities"


class Assumed(str):
    """A text of the hub that is not in the card: a guessed version or a placeholder; it equals the same text."""

    __slots__ = ()


def meaning(card: Card, beside: Card) -> Hub:
    """Return the hub's form of a card, with the source of each place.

    A capability that the dialect of the card `beside` cannot express is left out, because its absence there
    is not a change.
    """
    if type(card.document) is not dict:
        return Hub(card.document, {})
    hub = _marked(card, to_hub(card))
    capabilities = hub.document.get("capabilities")
    if card.dialect == beside.dialect or type(capabilities) is not dict:
        return hub
    unsupported = _unsupported(str(beside.dialect), frozenset(capabilities))
    supported = {name: value for name, value in capabilities.items() if name not in unsupported}
    return Hub({**hub.document, "capabilities": supported}, hub.moves)


@lru_cache(maxsize=256)
def _unsupported(dialect: str, names: frozenset[str]) -> frozenset[str]:
    """Return the capabilities that a dialect cannot express."""
    if not DIALECTS[dialect].mapped:
        return frozenset()
    table = DIALECTS[dialect].mapping().objects.get(_CAPABILITIES)
    return frozenset(table.beyond) if table else names - {"extensions"}


def older_form(card: Card) -> Card:
    """Return the card that A2A 0.x clients read: the older half of a hybrid, otherwise the card itself."""
    if str(card.dialect) != _HYBRID or type(card.document) is not dict:
        return card
    return Card.from_document(older_document(card.document), dialect=older_half(card.document))


def forms(document: Document) -> dict[str, str]:
    """Return the forms in which clients can read a document, each with the pointer of a field of it.

    The cards of A2A 0.1 to 0.3 have one form: each version only added optional fields (project decision).
    """
    name = str(document.dialect)
    if name == _HYBRID:
        halves = {OLDER_FORM: "/url", NEWER_FORM: "/supportedInterfaces"}
        present = {form: at for form, at in halves.items() if field(document.document, at[1:]) is not None}
        return present or {OLDER_FORM: ""}
    return {OLDER_FORM if name in OLDER else name: ""}


def _marked(card: Card, hub: Hub) -> Hub:
    """Return the hub with its guesses and placeholders marked; a default or a version of the dialect is neither."""
    row = DIALECTS[str(card.dialect)]
    mapping = row.mapping() if row.mapped and str(card.dialect) in OLDER else None
    defaults = {assumed.name for assumed in mapping.objects[mapping.root].assume} if mapping else set[str]()
    is_sure = card.detection is None or card.detection.sure
    document: Any = hub.document
    for pointer in hub.assumed:
        steps = pointer.split("/")[1:]
        name = steps[-1]
        if name == "protocolVersion":
            is_guess = not is_sure or str(card.dialect) not in OLDER
        else:
            is_guess = name in _PLACEHOLDERS and not (len(steps) == 1 and name in defaults)
        if is_guess:
            document = _with_mark(document, steps)
    return Hub(document, hub.moves, hub.assumed)


def _with_mark(value: Any, steps: list[str]) -> Any:
    """Return a copy of a value with the texts at a place marked."""
    if not steps:
        texts = value if isinstance(value, list) else [value]
        marked = [Assumed(text) if type(text) is str else text for text in texts]
        return marked if isinstance(value, list) else marked[0]
    if isinstance(value, list):
        place = int(steps[0])
        return [_with_mark(item, steps[1:]) if index == place else item for index, item in enumerate(value)]
    name = steps[0].replace("~1", "/").replace("~0", "~")
    return {**value, name: _with_mark(value[name], steps[1:])} if name in value else value


def stated(change: Change) -> Change | None:
    """Return a change without a guess or a placeholder; None if nothing else changed."""
    before, after = (isinstance(side, Assumed) for side in (change.before, change.after))
    if not before and not after:
        return change
    if change.kind == "interface-version-changed" or (before and change.after is None):
        return None
    if after and (before or change.before is None):
        return None
    return replace(change, before=None) if before else replace(change, after=None)
