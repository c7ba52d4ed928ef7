"""Facets and texts of a card for the search, read fast from cards of any shape, with limits.

`cardwright.outline` reads a card for display and takes many times as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.store.tokenizer import folded, marked, query_words_of, spaced, words_of
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT, SCHEME_TYPES
from cardwright_runtime.checks import listed, mapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.store.records import Query

# The maximum of entries of one kind (project decision).
MAX_ENTRIES: Final = 64
# The maximum length of a text, and of all texts of a card (project decision).
TEXT_CHARACTERS: Final = 2_000
CARD_CHARACTERS: Final = 16_000
# The maximum length and number of words of a query (project decision).
QUERY_CHARACTERS: Final = 1_000
QUERY_WORDS: Final = 16

# Prefixes of words that no text contains: in the private use area, below those of `tokenizer.marked`.
ANY, NAME, WHOLE_NAME, HEADLINE = "\ue200", "\ue201", "\ue202", "\ue203"
_KINDS: Final = {
    "tags": "\ue210",
    "protocols": "\ue211",
    "versions": "\ue212",
    "modes": "\ue213",
    "extensions": "\ue214",
    "auth": "\ue215",
    "consumes": "\ue216",
    "provider": "\ue217",
    "dialects": "\ue218",
    "valid": "\ue219",
}
# Kinds with one value in each card.
_SINGLE: Final = frozenset({"provider", "dialects"})


@dataclass(frozen=True, slots=True)
class Facets:
    """The searchable content of a card, as written in the card.

    Attributes:
        titles: Names and ids of the skills.
        texts: Descriptions and examples.
    """

    name: str
    description: str
    provider: str
    titles: tuple[str, ...]
    texts: tuple[str, ...]
    tags: tuple[str, ...]
    protocols: tuple[str, ...]
    versions: tuple[str, ...]
    modes: tuple[str, ...]
    extensions: tuple[str, ...]
    auth: tuple[str, ...]
    consumes: tuple[str, ...]


def facets_of(document: Any, family: str) -> Facets:
    """Return the facets of a card of any shape; values of a wrong type are ignored."""
    card = mapping(document)
    return _beach(card) if family == "beach" else _a2a(card, family)


def indexed_words(facets: Facets, dialect: str, *, valid: bool) -> set[str]:
    """Return all words that a card is found by, with the prefixed ones."""
    name_words = words_of(spaced(facets.name))
    headline = words_of(spaced("\n".join((facets.provider, *facets.titles, *facets.tags))))
    indexed = set(words_of("\n".join((facets.description, *facets.texts))[:CARD_CHARACTERS]))
    indexed.update(name_words, headline)
    indexed.update([NAME + word for word in name_words])
    indexed.update([HEADLINE + word for word in name_words])
    indexed.update([HEADLINE + word for word in headline])
    indexed.add(ANY)
    indexed.add(name_word(facets.name))
    indexed.update(marked(_KINDS["valid"], ("yes" if valid else "no",)))
    indexed.update(marked(_KINDS["dialects"], (dialect,)))
    if facets.provider:
        indexed.update(marked(_KINDS["provider"], (facets.provider,)))
    for kind in ("tags", "protocols", "versions", "modes", "extensions", "auth", "consumes"):
        if values := getattr(facets, kind):
            indexed.update(marked(_KINDS[kind], values))
    return indexed


def plain_words(words: Iterable[str]) -> set[str]:
    """Return those of a card's words that come from a text."""
    return {word for word in words if not "\ue000" <= word[0] <= "\ue2ff"}


def filter_groups(query: Query) -> list[tuple[str, ...]]:
    """Return the groups of words for a query's filters: one word of each group must match."""
    groups: list[tuple[str, ...]] = []
    for kind, mark in _KINDS.items():
        if kind == "valid":
            continue
        words = tuple(marked(mark, getattr(query, kind)))
        groups += [words] if kind in _SINGLE and words else [(one,) for one in words]
    if query.valid is not None:
        groups.append(tuple(marked(_KINDS["valid"], ("yes" if query.valid else "no",))))
    return groups


def name_word(text: str) -> str:
    """Return the prefixed word of cards with this name."""
    return marked(WHOLE_NAME, (" ".join(text.split()),))[0]


def query_words(text: str) -> list[str]:
    """Return the words of a query's text."""
    return query_words_of(text[:QUERY_CHARACTERS])[:QUERY_WORDS]


def snippet_of(facets: Facets, words: Iterable[str]) -> str:
    """Return the text around the first match of the first matching word; "" without a match."""
    texts = [
        facets.description,
        *facets.texts,
        facets.name,
        *facets.titles,
        " ".join(facets.tags),
        facets.provider,
    ]
    plain = [folded(text) for text in texts]
    for word in words:
        for text, searched in zip(texts, plain, strict=True):
            at = searched.find(word)
            if at >= 0:
                begin = max(0, at - 60)
                return f"{'…' if begin else ''}{text[begin : at + 120]}{'…' if len(text) > at + 120 else ''}"
    return ""


def _a2a(card: dict[str, Any], family: str) -> Facets:
    """Return the facets of an A2A card of any version, a hybrid, or a card created from an MCP server."""
    skills = _objects(card.get("skills"))
    capabilities = mapping(card.get("capabilities"))
    interfaces = [*_objects(card.get("supportedInterfaces")), *_objects(card.get("additionalInterfaces"))]
    extensions = _objects(capabilities.get("extensions"))
    bindings = [_text(one.get("protocolBinding")) or _text(one.get("transport")) for one in interfaces]
    if family == "a2a" and ("url" in card or "preferredTransport" in card):
        bindings.append(_text(card.get("preferredTransport")) or DEFAULT_TRANSPORT)
    versions = [_text(one.get("protocolVersion")) for one in interfaces]
    versions.append(_text(card.get("protocolVersion")))
    modes = _texts(card.get("defaultInputModes")) + _texts(card.get("defaultOutputModes"))
    titles: list[str] = []
    texts: list[str] = []
    tags: list[str] = []
    for skill in skills:
        titles += (_text(skill.get("name")), _text(skill.get("id")))
        texts += (_text(skill.get("description")), *_texts(skill.get("examples")))
        tags += _texts(skill.get("tags"))
        modes += _texts(skill.get("inputModes")) + _texts(skill.get("outputModes"))
    provider = card.get("provider")
    return Facets(
        name=_text(card.get("name")),
        description=_text(card.get("description")),
        provider=_text(provider) or _text(mapping(provider).get("organization")),
        titles=_once(titles),
        texts=_once(texts),
        tags=_once(tags),
        protocols=_once([family, _text(card.get("protocol")), *bindings]),
        versions=_with_minor(versions),
        modes=_once(modes),
        extensions=_once([_text(one.get("uri")) for one in extensions]),
        auth=_once(_auth(card)),
        consumes=_once(_consumed(extensions)),
    )


def _beach(card: dict[str, Any]) -> Facets:
    capabilities = _objects(card.get("capabilities"))
    transports = _objects(card.get("transports"))
    texts = [_text(one.get("description")) for one in capabilities]
    for one in capabilities:
        texts += _texts(one.get("examples"))
    titles = [_text(one.get(name)) for name in ("id", "name") for one in capabilities]
    provider = card.get("provider")
    return Facets(
        name=_text(card.get("name")),
        description=_text(card.get("description")),
        provider=_text(provider) or _text(mapping(provider).get("name")),
        titles=_once([_text(card.get("displayName")), *titles]),
        texts=_once(texts),
        tags=(),
        protocols=_once([_text(one.get("protocol")) for one in transports]),
        versions=_with_minor([_text(one.get("version")) for one in transports]),
        modes=(),
        extensions=_once(islice(mapping(card.get("extensions")), MAX_ENTRIES)),
        auth=_once([_text(mapping(one.get("auth")).get("type")) for one in transports]),
        consumes=_once(_texts(mapping(card.get("envelope")).get("consumes"))),
    )


def _auth(card: dict[str, Any]) -> Iterator[str]:
    """Yield the authentication types in both encodings; for HTTP also the scheme."""
    for scheme in islice(mapping(card.get("securitySchemes")).values(), MAX_ENTRIES):
        if type(scheme) is not dict:
            continue
        for wrapper, kind in SCHEME_TYPES.items():
            if wrapper in scheme:
                yield kind
                yield _text(mapping(scheme[wrapper]).get("scheme"))
        yield _text(scheme.get("type"))
        yield _text(scheme.get("scheme"))
    yield from _texts(mapping(card.get("authentication")).get("schemes"))


def _consumed(extensions: list[dict[str, Any]]) -> list[str]:
    for one in extensions:
        if one.get("uri") == BEACH_EXTENSION_URI:
            return _texts(mapping(one.get("params")).get("envelopeConsumes"))
    return []


def _with_minor(versions: list[str]) -> tuple[str, ...]:
    """Return the versions, and those with a patch number also without it."""
    shorter = [version.rpartition(".")[0] for version in versions if version.count(".") == 2]
    return _once(versions + shorter)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in listed(value)[:MAX_ENTRIES] if type(one) is dict]


def _text(value: Any) -> str:
    return value[:TEXT_CHARACTERS] if type(value) is str else ""


def _texts(value: Any) -> list[str]:
    return [one[:TEXT_CHARACTERS] for one in listed(value)[:MAX_ENTRIES] if type(one) is str]


def _once(values: Iterable[str]) -> tuple[str, ...]:
    unique = dict.fromkeys(values)
    unique.pop("", None)
    return tuple(unique) if len(unique) <= MAX_ENTRIES else tuple(islice(unique, MAX_ENTRIES))
