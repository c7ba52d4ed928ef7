"""A survey of many cards: versions, findings by rule, transports, authentication, and what can be fixed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cardwright.card import Card, Document
from cardwright.checks import DEFAULT_CHECKS
from cardwright.errors import CardError, MalformedDocument, UnknownDialect
from cardwright.repair import fix
from cardwright.view.interfaces import CORE_BINDINGS

if TYPE_CHECKING:
    from cardwright.checks import Checks

__all__ = ["Group", "Survey"]

_NONE: Final = "none"
_OTHER: Final = "other"
# Of a scheme that a card requires and does not declare.
_UNDECLARED: Final = "undeclared"
_KNOWN: Final = frozenset({*CORE_BINDINGS, "mcp"})
_KINDS: Final = frozenset({"apiKey", "http", "oauth2", "openIdConnect", "mutualTLS", _UNDECLARED})


@dataclass(slots=True)
class Group:
    """The documents of one dialect.

    Attributes:
        documents: How many there are.
        valid: How many have no error.
        with_warnings: How many valid ones have a warning.
        fixable: How many invalid ones `fix` makes valid.
        fixable_safely: How many of these without a guess.
    """

    documents: int = 0
    valid: int = 0
    with_warnings: int = 0
    fixable: int = 0
    fixable_safely: int = 0


@dataclass(slots=True)
class Survey:
    """What many documents have in common: `add` each, then read the counts.

    Each document counts once in a table, however often it has what is counted.

    Attributes:
        groups: The documents by dialect.
        rules: How many documents break a rule, by its id.
        severities: The severity of each of these rules: that of the worst violation.
        transports: How many cards have an interface of a transport.
        authentication: How many cards require a kind of authentication; `none` for a card that requires none.
        signed: How many cards have a signature.
        unknown: Documents of no known dialect.
        unreadable: What could not be read, by the rule that refused it.

    >>> survey = Survey()
    >>> _ = survey.add(b'{"name": "A", "protocolVersion": "0.3.0", "skills": []}')
    >>> survey.documents, survey.groups["a2a-0.3"].valid
    (1, 0)
    """

    groups: dict[str, Group] = field(default_factory=dict[str, Group])
    rules: Counter[str] = field(default_factory=Counter[str])
    severities: dict[str, str] = field(default_factory=dict[str, str])
    transports: Counter[str] = field(default_factory=Counter[str])
    authentication: Counter[str] = field(default_factory=Counter[str])
    signed: int = 0
    unknown: int = 0
    unreadable: Counter[str] = field(default_factory=Counter[str])

    @property
    def documents(self) -> int:
        """The number of documents of a known dialect."""
        return sum(group.documents for group in self.groups.values())

    @property
    def valid(self) -> int:
        """The number of valid documents."""
        return sum(group.valid for group in self.groups.values())

    @property
    def fixable(self) -> int:
        """The number of invalid documents that `fix` makes valid."""
        return sum(group.fixable for group in self.groups.values())

    @property
    def cards(self) -> int:
        """The number of agent cards, which have transports and authentication."""
        return self.authentication.total()

    def add(self, body: bytes, *, found_at: str = "", checks: Checks = DEFAULT_CHECKS) -> Document | None:
        """Count a document.

        Args:
            body: Its bytes.
            found_at: The path or URL that it was found at.
            checks: The limits and rule sets to validate with.

        Returns:
            The document; None for one of no known dialect, or that cannot be read.
        """
        try:
            document = Document.from_bytes(body, checks=checks, found_at=found_at)
        except MalformedDocument as error:
            self.add_unreadable(error.rule)
            return None
        except UnknownDialect:
            self.unknown += 1
            return None
        group = self.groups.setdefault(str(document.dialect), Group())
        group.documents += 1
        if document.valid:
            group.valid += 1
            group.with_warnings += bool(document.violations)
        else:
            _count_fixable(group, document, checks)
        for rule in {violation.rule for violation in document.violations}:
            self.rules[rule] += 1
        for violation in document.violations:
            if self.severities.get(violation.rule) != "error":
                self.severities[violation.rule] = violation.severity
        if isinstance(document, Card):
            self._add_card(document)
        return document

    def add_unreadable(self, rule: str) -> None:
        """Count a document that could not be read, by the rule that refused it."""
        self.unreadable[rule] += 1

    def _add_card(self, card: Card) -> None:
        view = card.view
        # Names of bindings are open: those of A2A are counted, and all others together.
        names = {
            interface.binding if interface.binding in CORE_BINDINGS else interface.protocol
            for interface in view.interfaces
        }
        for name in {name if name in _KNOWN else _OTHER for name in names} or {_NONE}:
            self.transports[name] += 1
        kinds = {scheme.kind or _UNDECLARED for alternative in view.security for scheme in alternative}
        kinds = {kind if kind in _KINDS else _OTHER for kind in kinds}
        self.authentication[" + ".join(sorted(kinds)) or _NONE] += 1
        self.signed += bool(card.document.get("signatures"))


def _count_fixable(group: Group, document: Document, checks: Checks) -> None:
    try:
        if fix(document, checks=checks)[0].valid:
            group.fixable += 1
            group.fixable_safely += fix(document, checks=checks, safe_only=True)[0].valid
    except CardError:
        return
