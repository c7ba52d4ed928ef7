"""The open vocabularies: a canonical core, and the names that the application registers.

A registry is an object that the application creates, fills and passes in; there is no global one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Self, TypeVar

from cardwright.errors import BadName, DuplicateEntry
from cardwright_rules import vocabulary
from cardwright_rules.vocabulary import Entry, PartTypeEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

EntryT = TypeVar("EntryT", Entry, PartTypeEntry)

_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}\Z")
# Beach protocol seed, Delivery rules per transport class.
DELIVERY_CLASSES: Final = ("streaming", "buffered")
_NAMESPACED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


class _Registry(Generic[EntryT]):
    """The entries of one vocabulary by name, in the order of their registration."""

    words: ClassVar[str]
    shape: ClassVar[re.Pattern[str]] = _PLAIN
    expected: ClassVar[str] = (
        "letters, digits, '.', '_', '+' and '-', at most 64, beginning with a letter or digit"
    )

    def __init__(self, entries: Iterable[EntryT] = ()) -> None:
        self._entries: dict[str, EntryT] = {entry.name: entry for entry in entries}

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, name: str) -> EntryT:
        return self._entries[name]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._entries == self._entries

    __hash__ = None  # type: ignore[assignment] # mutable, so it has no hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._entries)})"

    def _add(self, entry: EntryT) -> None:
        if not isinstance(entry.name, str) or not self.shape.match(entry.name):
            raise BadName(self.words, entry.name, self.expected)
        if entry.name in self._entries:
            raise DuplicateEntry(self.words, entry.name)
        self._entries[entry.name] = entry


class _PlainRegistry(_Registry[Entry]):
    def register(self, name: str, *, description: str = "", requires: Iterable[str] = ()) -> None:
        """Add a name. After an error the registry is unchanged.

        Args:
            name: The name in cards.
            description: Its meaning, in a sentence.
            requires: The fields that an object with this name must have.

        Raises:
            BadName: If the name is not valid.
            DuplicateEntry: If the name is already registered.
        """
        self._add(Entry(name, description, _names(requires)))


class TransportRegistry(_Registry[Entry]):
    """Transports that a Beach card may name (Beach Agent Card, Transport entry)."""

    words = "transports"

    def register(
        self,
        name: str,
        *,
        description: str = "",
        requires: Iterable[str] = (),
        delivery_class: str = "buffered",
    ) -> None:
        """Add a transport. After an error the registry is unchanged.

        Args:
            name: The name in cards.
            description: Its meaning, in a sentence.
            requires: The fields that an object with this transport must have.
            delivery_class: The default delivery of envelope parts: `streaming`, as they arrive, or
                `buffered`, in one message at the end of the turn.

        Raises:
            BadName: If the name or the delivery class is not valid.
            DuplicateEntry: If the name is already registered.
        """
        if delivery_class not in DELIVERY_CLASSES:
            raise BadName("delivery classes", delivery_class, "streaming or buffered")
        self._add(Entry(name, description, _names(requires), delivery_class))

    @classmethod
    def canonical(cls) -> Self:
        """Return a registry that holds the canonical core.

        >>> registry = TransportRegistry.canonical()
        >>> registry.register("websocket")
        >>> "a2a" in registry, "websocket" in registry
        (True, True)
        """
        return cls(vocabulary.TRANSPORTS)


class AuthTypeRegistry(_PlainRegistry):
    """Auth types that a Beach transport may name (Beach Agent Card, Transport entry)."""

    words = "auth types"

    @classmethod
    def canonical(cls) -> Self:
        """Return a registry that holds the canonical core.

        >>> sorted(AuthTypeRegistry.canonical())
        ['api-key', 'mtls', 'none', 'oauth2']
        """
        return cls(vocabulary.AUTH_TYPES)


class ConversationStateRegistry(_PlainRegistry):
    """States of a conversation (Beach Agent Card, Extensions: beach)."""

    words = "conversation states"

    @classmethod
    def canonical(cls) -> Self:
        """Return a registry that holds the canonical core.

        >>> "suspended" in ConversationStateRegistry.canonical()
        True
        """
        return cls(vocabulary.CONVERSATION_STATES)


class PartTypeRegistry(_Registry[PartTypeEntry]):
    """Kinds of envelope part, with their delivery rules (Beach protocol, Canonical part types)."""

    words = "part types"
    shape = _NAMESPACED
    expected = "a namespaced name such as acme.task-board (slug.type-name)"

    @classmethod
    def canonical(cls) -> Self:
        """Return a registry that holds the canonical core.

        >>> PartTypeRegistry.canonical()["llm-context"].requires_peer_consumes
        True
        """
        return cls(vocabulary.PART_TYPES)

    def register(
        self,
        name: str,
        *,
        streaming: str,
        buffered: str,
        description: str = "",
        a2a_kind: str | None = "data",
        allowed_transports: Iterable[str] | None = None,
        requires_peer_consumes: bool = False,
    ) -> None:
        """Add an application's part type (Beach protocol, Consumer-defined part types).

        After an error the registry is unchanged.

        Args:
            name: `slug.type-name`.
            streaming: The delivery rule on a streaming transport, one of `DELIVERY_RULES`.
            buffered: The delivery rule on a buffered transport, one of `DELIVERY_RULES`.
            description: The content of the part, in a sentence.
            a2a_kind: The kind of A2A part that carries it: text, data or file; None if no A2A part does.
            allowed_transports: The only transports that it may use; None for any.
            requires_peer_consumes: Whether only peers that list it receive it.

        Raises:
            BadName: If the name is not namespaced, or a delivery rule, A2A kind or transport is not valid.
            DuplicateEntry: If the name is already registered.
        """
        for rule in (streaming, buffered):
            if rule not in vocabulary.DELIVERY_RULES:
                raise BadName("delivery rules", rule, f"one of {', '.join(vocabulary.DELIVERY_RULES)}")
        if a2a_kind not in ("text", "data", "file", None):
            raise BadName("A2A part kinds", a2a_kind, "text, data, file or None")
        allowed = None if allowed_transports is None else _names(allowed_transports)
        for transport in allowed or ():
            if not isinstance(transport, str) or not _PLAIN.match(transport):
                raise BadName("transports", transport, TransportRegistry.expected)
        self._add(
            PartTypeEntry(
                name=name,
                description=description,
                a2a_kind=a2a_kind,
                streaming=streaming,
                buffered=buffered,
                allowed_transports=allowed,
                requires_peer_consumes=requires_peer_consumes,
            )
        )


def _names(names: Iterable[str]) -> tuple[str, ...]:
    # A string is one name, not an iterable of characters.
    return (names,) if isinstance(names, str) else tuple(names)


@dataclass(frozen=True, slots=True)
class Registries:
    """The four registries of a validation; each is the canonical core by default."""

    transports: TransportRegistry = field(default_factory=TransportRegistry.canonical)
    auth_types: AuthTypeRegistry = field(default_factory=AuthTypeRegistry.canonical)
    part_types: PartTypeRegistry = field(default_factory=PartTypeRegistry.canonical)
    conversation_states: ConversationStateRegistry = field(
        default_factory=ConversationStateRegistry.canonical
    )

    def by_name(self) -> Mapping[str, _Registry[Entry] | _Registry[PartTypeEntry]]:
        """Return the registries by their names in schemas (`x-registry`)."""
        return {
            "transports": self.transports,
            "auth-types": self.auth_types,
            "part-types": self.part_types,
            "conversation-states": self.conversation_states,
        }
