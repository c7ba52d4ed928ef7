from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardwright.store.facets import MAX_ENTRIES, facets_of, indexed_words, snippet_of
from cardwright.store.tokenizer import VALUE_CHARACTERS, WORD_CHARACTERS, marked

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
FIELDS = (
    "name", "description", "provider", "skills", "capabilities", "supportedInterfaces", "additionalInterfaces",
    "url", "preferredTransport", "protocolVersion", "defaultInputModes", "securitySchemes", "authentication",
    "protocol", "transports", "envelope", "extensions",
)  # fmt: skip


@example(document={"provider": "\x85"}, family="a2a")
@example(document={"provider": "a\u2028b\u3000c"}, family="mcp")
@given(
    document=st.dictionaries(st.sampled_from(FIELDS), JSON | st.lists(JSON, max_size=3), max_size=6) | JSON,
    family=st.sampled_from(["a2a", "beach", "mcp"]),
)
def test_a_card_of_any_shape_has_facets(document: Any, family: str) -> None:
    facets = facets_of(document, family)
    words = indexed_words(facets, f"{family}-1.0", valid=False)
    assert all(word and not any(c.isspace() or c in "\"'\\" for c in word) for word in words)
    snippet_of(facets, ["a"])


@pytest.mark.parametrize("family", ["a2a", "beach", "mcp"])
def test_the_index_entries_of_a_card_are_limited(family: str) -> None:
    long = "word " * 10_000
    skill = {"name": long, "id": long, "description": long, "tags": [f"{n}{long}" for n in range(500)]}
    document = {
        "name": long,
        "description": " ".join(f"{n}" for n in range(100_000)),
        "skills": [{**skill, "id": f"{n}"} for n in range(500)],
        "capabilities": [{**skill, "id": f"{n}"} for n in range(500)] if family == "beach" else {},
        "transports": [{"protocol": f"{n}"} for n in range(500)],
        "securitySchemes": {f"{n}": {"type": f"{n}"} for n in range(500)},
    }
    facets = facets_of(document, family)
    words = indexed_words(facets, family, valid=True)
    for kind in ("titles", "texts", "tags", "protocols", "modes", "auth"):
        assert len(getattr(facets, kind)) <= MAX_ENTRIES, kind
    assert len(words) < 5_000
    assert max(map(len, words)) <= max(VALUE_CHARACTERS, WORD_CHARACTERS) + 1


def test_no_whitespace_splits_a_facet_or_is_lost() -> None:
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]

    words = marked("", [f"a{space}b" for space in spaces])

    assert not any(character.isspace() for word in words for character in word)
    # What separates no words must not be lost, either.
    assert all(len(word) == 3 for word in words)


def test_both_encodings_of_a_scheme_are_read() -> None:
    schemes = {
        "a": {"type": "http", "scheme": "bearer"},
        "b": {"httpAuthSecurityScheme": {"scheme": "Basic"}},
        "c": {"mtlsSecurityScheme": {}},
        "d": 7,
    }
    card = {"securitySchemes": schemes, "authentication": {"schemes": ["Custom"]}}
    assert facets_of(card, "a2a").auth == ("http", "bearer", "Basic", "mutualTLS", "Custom")


def test_a_url_without_a_transport_uses_json_rpc() -> None:
    assert facets_of({"url": "https://a.example.com"}, "a2a").protocols == ("a2a", "JSONRPC")
    assert facets_of({"url": "https://a.example.com", "preferredTransport": "GRPC"}, "a2a").protocols == (
        "a2a",
        "GRPC",
    )
    assert facets_of({"url": "https://a.example.com"}, "mcp").protocols == ("mcp",)
