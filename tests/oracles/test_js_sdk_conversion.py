"""Conversions, read by the real @a2a-js/sdk 1.3; needs node."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardwright import Card, convert
from tests.oracles.card_facts import CardFacts, newer, older
from tests.oracles.signers import peer
from tests.oracles.test_sdk_conversion import corpus, differences, examples
from tests.oracles.valid_cards import sound

if TYPE_CHECKING:
    from collections.abc import Iterator

JS = Path(__file__).parent / "js"
# Where the SDK sees something else, and why; what it sees no longer fails.
LISTED = json.loads((JS.parent / "js-sdk-differences.json").read_text(encoding="utf-8"))["documents"]
# It refuses every 0.3 card that has such a scheme, and there is no other way to say the scheme in 0.3.
REFUSED = "OAuthFlows must declare at least one flow"


@pytest.fixture(scope="module", autouse=True)
def package() -> None:
    """Skip what needs node."""
    peer()


def facts_of(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the SDK sees in each document."""
    done = subprocess.run(
        ["node", "read.mjs"], cwd=JS, input=json.dumps(documents).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    results: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(results) == len(documents)
    return results


def converted(cards: Iterator[tuple[str, Card]], to: str) -> dict[str, dict[str, Any]]:
    """Return what converts without an error in the result, by name."""
    results = ((name, convert(card, to=to)[0]) for name, card in cards)
    return {name: result.document for name, result in results if result.valid}


def seen_otherwise(documents: dict[str, dict[str, Any]], to: str) -> dict[str, list[str]]:
    pairs = zip(documents.items(), facts_of(list(documents.values())), strict=True)
    found = {name: compared(document, facts, to) for (name, document), facts in pairs}
    return {name: differences for name, differences in found.items() if differences}


def compared(document: dict[str, Any], facts: dict[str, Any], to: str) -> list[str]:
    """Return where the SDK sees something else than a document says."""
    if "refused" in facts:
        empty = (
            any(not flows for _, _, flows in older(document).schemes.values()) if to == "a2a-0.3" else False
        )
        return [] if empty and REFUSED in facts["refused"] else [facts["refused"]]
    if to == "a2a-0.3":
        return differences(as_resolved(older(document)), unversioned(newer(facts["resolved"])))
    expected = newer(document)
    return differences(expected, newer(facts["read"])) + differences(expected, newer(facts["resolved"]))


def as_resolved(facts: CardFacts) -> CardFacts:
    """Return what the SDK can make of a 0.3 card: of several flows of a scheme it takes the first."""
    first = {
        name: (kind, keys, dict(list(flows.items())[:1]))
        for name, (kind, keys, flows) in facts.schemes.items()
    }
    return unversioned(replace(facts, schemes=first))


def unversioned(facts: CardFacts) -> CardFacts:
    """Return interfaces without versions, each once: the SDK calls one of a 0.3 card 0.3.0, the others 0.3."""
    met = dict.fromkeys((url, binding, tenant) for url, binding, _, tenant in facts.interfaces)
    return replace(facts, interfaces=list(met))


@pytest.mark.parametrize("to", ["a2a-0.3", "a2a-1.0", "a2a-hybrid"])
@pytest.mark.process
def test_the_sdk_reads_every_converted_example_alike(to: str) -> None:
    documents = converted(examples(), to)

    assert len(documents) >= 7
    assert seen_otherwise(documents, to) == {}


@pytest.mark.parametrize("to", ["a2a-0.3", "a2a-1.0", "a2a-hybrid"])
@pytest.mark.process
def test_the_sdk_reads_every_converted_real_card_alike(to: str) -> None:
    documents = converted(corpus(), to)

    assert len(documents) >= 128
    found = seen_otherwise(documents, to)
    assert {name: sorted({one.partition(":")[0] for one in texts}) for name, texts in found.items()} == {
        name: row[to] for name, row in LISTED.items() if to in row
    }
    assert all(row["reason"] for row in LISTED.values())


# One process reads many cards: starting one takes longer than all of them.
@settings(max_examples=3, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(sound(), min_size=10, max_size=10))
@pytest.mark.process
def test_the_sdk_reads_every_converted_valid_card_alike(documents: list[dict[str, Any]]) -> None:
    cards = [(str(number), Card.from_document(document)) for number, document in enumerate(documents)]
    for to in ("a2a-0.3", "a2a-1.0", "a2a-hybrid"):
        results = converted(iter(cards), to)
        assert len(results) == len(cards) or to == "a2a-0.3"
        assert seen_otherwise(results, to) == {}


def test_the_lock_names_hashes_and_no_registry() -> None:
    lock = json.loads((JS / "package-lock.json").read_bytes())

    packages = {name: row for name, row in lock["packages"].items() if name}
    assert packages.keys() >= {"node_modules/@a2a-js/sdk"}
    assert all(row["integrity"].startswith("sha512-") and "resolved" not in row for row in packages.values())
