"""Laws of signed cards: a changed card does not verify, and only CardErrors are raised."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.canonical import decode
from cardwright.card import Card
from cardwright.dialect import older_half
from cardwright.errors import CardError, InvalidCard, MalformedDocument, NoCanonicalForm
from cardwright.jcs import canonical_bytes
from cardwright.signing import (
    ALGORITHMS,
    PROFILES,
    Algorithm,
    Key,
    KeySet,
    Policy,
    Profile,
    canonical_form,
    explain,
    form_of,
    sign,
    verify,
)
from cardwright.signing.base64url import encoded
from cardwright_rules import DIALECTS
from tests.properties.strategies import JSON, cards, lifelike, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.signing.verdict import SignatureVerdict

ROOT = Path(__file__).parents[2]
SIGNED = ["a2a-0.3", "a2a-1.0", "a2a-hybrid"]
SEED = 2026
# Of each kind, for each card, profile and algorithm, and each example that hypothesis would try: 6,750 in CI.
MUTATIONS_PER_EXAMPLE = 3 / 4
ROOMY = Policy(clock=lambda: 1_800_000_000.0)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_TEST_KEYS = json.loads(
    (ROOT / "tests" / "conformance" / "signing" / "keys.json").read_text(encoding="utf-8")
)
KEYS: dict[str, Key] = {
    key["kid"]: Key.from_jwk(key) for key in _TEST_KEYS["keys"] if key["kid"] != "rsa-small"
}
SIGNERS: dict[Algorithm, str] = {
    "ES256": "es256", "ES384": "es384", "EdDSA": "eddsa", "RS256": "rsa", "PS256": "rsa",
}  # fmt: skip
TRUSTED = KeySet.of(list(KEYS.values()))
# What sets apart what the profiles keep: put into the examples, so that mutations meet it.
DETAILED: dict[str, Any] = {
    "capabilities": {
        "streaming": False,
        "extensions": [
            {
                "uri": "https://example.org/x",
                "required": False,
                "description": "",
                "params": {"a": [None, "", 0]},
            }
        ],
    },
    "iconUrl": "",
    "motto": {"tenant": "", "list": []},
}
_JUNK: list[Any] = [None, "", False, True, 0, 1, [], {}, "x", [""], {"list": []}, {"schemes": {}}]
_NAMES = [
    "tenant", "iconUrl", "icon_url", "description", "required", "examples", "securityRequirements", "params",
    "security_requirements", "securitySchemes", "documentationUrl", "extensions", "streaming", "list", "x", "url",
    "security", "signatures",
]  # fmt: skip


# --- what is no signature and no key

ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "protected": st.binary(max_size=60).map(encoded)
        | st.dictionaries(st.sampled_from(["alg", "kid", "jku", "typ", "crit", "b64", "x"]), JSON).map(
            lambda header: encoded(json.dumps(header).encode())
        )
        | st.fixed_dictionaries(
            {"alg": st.sampled_from(ALGORITHMS), "kid": st.sampled_from(sorted(KEYS))}, optional={"x": JSON}
        ).map(lambda header: encoded(json.dumps(header).encode()))
        | JSON,
        "signature": st.binary(max_size=600).map(encoded) | JSON,
        "header": JSON,
    },
)
ODD_KEYS = st.builds(
    lambda key, changes: {**key, **changes},
    st.sampled_from(_TEST_KEYS["keys"]),
    st.dictionaries(
        st.sampled_from(
            ["kid", "kty", "crv", "x", "y", "n", "e", "d", "p", "alg", "use", "key_ops", "exp", "nbf"]
        ),
        JSON | st.sampled_from(["es256", "EC", "P-256", "AQ", 10**400]),
        max_size=3,
    ),
)


@cache
def example(dialect: str) -> dict[str, Any]:
    path = ROOT / "examples" / f"{dialect}.card.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    capabilities = {**document["capabilities"], **DETAILED["capabilities"]}
    return copy.deepcopy({**document, **DETAILED, "capabilities": capabilities})


@cache
def signed_example(dialect: str, profile: Profile, alg: Algorithm) -> Card:
    card = Card.from_document(example(dialect))
    assert str(card.dialect) == dialect
    return sign(card, key=KEYS[SIGNERS[alg]], kid=SIGNERS[alg], alg=alg, profile=profile)


def result_of(document: Any, dialect: str, profile: Profile) -> SignatureVerdict | None:
    """Return the result of the first signature; None without a signature."""
    try:
        card = Card.from_document(document, dialect=dialect)
    except MalformedDocument:
        return None
    results = verify(card, keys=TRUSTED, policy=replace(ROOMY, profiles=(profile,))).signatures
    return results[0] if results else None


def test_no_changed_header_or_signature_is_accepted() -> None:
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    count = 0
    for dialect, profile, alg in combinations():
        card = signed_example(dialect, profile, alg)
        entry = card.document["signatures"][0]
        assert result_of(card.document, dialect, profile).verified  # type: ignore[union-attr] # it has one
        for _ in range(round(MUTATIONS_PER_EXAMPLE * settings().max_examples)):
            changed = changed_entry(chance, entry, alg)
            if changed == entry:
                continue
            count += 1
            result = result_of({**card.document, "signatures": [changed]}, dialect, profile)
            assert result is None or not result.verified, (dialect, profile, alg, changed)
    assert count >= 25 * settings().max_examples


def test_a_changed_card_is_accepted_only_if_equivalent_or_the_change_is_named() -> None:
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    count = accepted = 0
    for dialect, profile, alg in combinations():
        card = signed_example(dialect, profile, alg)
        original = result_of(card.document, dialect, profile)
        assert original is not None
        for _ in range(round(MUTATIONS_PER_EXAMPLE * settings().max_examples)):
            document = copy.deepcopy(card.document)
            pointers = mutate(chance, document)
            if alike(document, card.document):
                continue
            result = result_of(document, dialect, profile)
            count += 1
            if result is None or not result.verified:
                continue
            accepted += 1
            uncovered = (*result.uncovered, *original.uncovered)
            for pointer in pointers:
                assert says_the_same(dialect, profile, card.document, document, pointer) or any(
                    pointer == one or pointer.startswith(f"{one}/") for one in uncovered
                ), (dialect, profile, pointer, uncovered)
    assert count >= 25 * settings().max_examples
    assert 0 < accepted < count / 2


def test_the_signature_of_one_card_is_invalid_for_any_other() -> None:
    for dialect, profile, alg in combinations():
        card = signed_example(dialect, profile, alg)
        other = {**card.document, "name": "Another"}
        assert not result_of(other, dialect, profile).verified  # type: ignore[union-attr] # it has one
        for stranger in SIGNED:
            if stranger != dialect:
                mixed = {**example(stranger), "signatures": card.document["signatures"]}
                assert not result_of(mixed, stranger, profile).verified  # type: ignore[union-attr] # it has one


@pytest.mark.parametrize("dialect", SIGNED)
@given(data=st.data())
def test_a_signed_card_verifies_and_only_gains_a_signature(dialect: str, data: st.DataObject) -> None:
    whole = lifelike(dialect) | cards(dialect) if DIALECTS[dialect].schema_id else lifelike(dialect)
    card = Card.from_document(data.draw(whole), dialect=dialect)
    alg: Algorithm = data.draw(st.sampled_from(["ES256", "EdDSA"]))
    if not card.valid:
        with pytest.raises(InvalidCard):
            sign(card, key=KEYS[SIGNERS[alg]], kid=SIGNERS[alg], alg=alg)
        return
    before = canonical_bytes(card.document)
    for profile in signable(dialect):
        try:
            signed = sign(card, key=KEYS[SIGNERS[alg]], kid=SIGNERS[alg], alg=alg, profile=profile)
        except NoCanonicalForm:
            assert profile == "sdk"
            continue
        except InvalidCard:
            assert aged(card)
            continue
        afresh = Card.from_document(signed.document, dialect=dialect)

        assert canonical_bytes(card.document) == before
        assert signed.violations == afresh.violations
        assert signed.violations == card.violations or aged(card)
        assert signed.document["signatures"][:-1] == card.document.get("signatures", [])
        last = verify(afresh, keys=TRUSTED, policy=replace(ROOMY, profiles=(profile,))).signatures[-1]
        assert last.profile == profile, last.reason
        assert verify(afresh, keys=TRUSTED, policy=ROOMY).verified


@pytest.mark.parametrize("dialect", [*SIGNED, "a2a-0.2", "beach-1.0"])
@given(data=st.data())
def test_verifying_raises_only_card_errors(dialect: str, data: st.DataObject) -> None:
    document = data.draw(mutants(dialect))
    document["signatures"] = data.draw(JSON | st.lists(ENTRIES, max_size=3))
    card = Card.from_document(document, dialect=dialect)

    result = verify(card, keys=TRUSTED, policy=ROOMY)

    assert not result.verified
    assert all(one.reason.isprintable() for one in result.signatures)
    for profile in PROFILES:
        try:
            list(explain(card, profile))
        except CardError as error:
            assert str(error)


@given(keys=JSON | st.fixed_dictionaries({"keys": st.lists(JSON | ODD_KEYS, max_size=3)}))
def test_any_key_set_raises_only_card_errors(keys: Any) -> None:
    card = signed_example("a2a-1.0", "spec", "ES256")
    try:
        result = verify(card, keys=keys, policy=ROOMY) if keys is not None else verify(card)
    except CardError as error:
        assert str(error)
    else:
        assert all(signature.verified or signature.reason for signature in result.signatures)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 200_000,
        b'{"a":' * 1000,
        b"\xff" * 100,
        b"\0" * 100,
        b"9" * 5000,
        b'{"alg":' + b"[" * 5000,
        b"{}",
    ],
    ids=lambda text: f"{text[:8]!r}",
)
def test_a_huge_header_is_refused_with_a_short_reason(text: bytes) -> None:
    card = signed_example("a2a-1.0", "spec", "ES256")
    entry = {**card.document["signatures"][0], "protected": encoded(text)}
    # Past what a card may have of bytes, so that the header alone is to blame.
    monstrous = replace(card, document={**card.document, "signatures": [entry]})

    (result,) = verify(monstrous, keys=TRUSTED, policy=ROOMY).signatures

    assert not result.verified
    assert len(result.reason) < 400


@pytest.mark.parametrize("dialect", SIGNED)
@given(data=st.data())
def test_canonicalization_is_idempotent_and_independent_of_order(dialect: str, data: st.DataObject) -> None:
    document = data.draw(mutants(dialect))
    card = Card.from_document(document, dialect=dialect)
    turned = Card.from_document(reversed_fields(document), dialect=dialect)
    for profile in PROFILES:
        try:
            body = canonical_form(card, profile=profile)
        except NoCanonicalForm:
            assert profile == "sdk"
            continue
        assert canonical_form(turned, profile=profile) == body
        assert sorted(form_of(turned, profile).uncovered) == sorted(form_of(card, profile).uncovered)
        try:
            again = decode(body)
        except CardError:
            # RFC 8785 writes a whole double past 2^53 - 1 as an integer, which is read as no card.
            continue
        reduced = Card.from_document(again, dialect=dialect)
        assert canonical_form(reduced, profile=profile) == body


@pytest.mark.parametrize("dialect", SIGNED)
@given(data=st.data())
def test_a_card_without_the_explained_omissions_is_its_canonical_form(
    dialect: str, data: st.DataObject
) -> None:
    whole = cards(dialect) if DIALECTS[dialect].schema_id else lifelike(dialect)
    document = data.draw(whole | mutants(dialect))
    card = Card.from_document(document, dialect=dialect)

    for profile in PROFILES:
        try:
            steps = list(explain(card, profile))
        except NoCanonicalForm:
            continue
        # The SDKs read a field by either of two names and write it by one.
        if profile == "sdk" and any("_" in step.pointer for step in steps if step.is_kept):
            continue
        signed = copy.deepcopy(card.document)
        # From the end, so that the places of what stands before are still right.
        for step in reversed(steps):
            if not step.is_kept:
                remove(signed, step.pointer)
        assert canonical_bytes(signed) == canonical_form(card, profile=profile)


def remove(document: Any, pointer: str) -> None:
    *inner, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    node = document
    for step in inner:
        node = node[int(step) if isinstance(node, list) else step]
    del node[int(last) if isinstance(node, list) else last]


# --- what is changed


def combinations() -> Iterator[tuple[str, Profile, Algorithm]]:
    for dialect in SIGNED:
        for profile in signable(dialect):
            for alg in ALGORITHMS:
                yield dialect, profile, alg


def signable(dialect: str) -> tuple[Profile, ...]:
    """Return the profiles by which a dialect is signed: the SDKs verify another card than one of 0.3."""
    return tuple(profile for profile in PROFILES if profile != "sdk" or dialect != "a2a-0.3")


def changed_entry(chance: random.Random, entry: dict[str, str], alg: Algorithm) -> dict[str, Any]:
    """Return an entry with one change to its header or its signature."""
    name = chance.choice(["protected", "signature"])
    text = entry[name]
    at = chance.randrange(len(text))
    match chance.randrange(10):
        case 0:
            new = text[:at] + chance.choice(_ALPHABET) + text[at + 1 :]
        case 1:
            raw = bytearray(_bytes_of(text))
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
            new = encoded(bytes(raw))
        case 2:
            new = text + chance.choice(["=", "==", "A", "AA", "AAAA", " ", "\n", ".", "-"])
        case 3:
            new = text[:at] + chance.choice([" ", "\n", "\t", "\r\n", "=", ".", "\x00", "é"]) + text[at:]
        case 4:
            new = text.replace("-", "+").replace("_", "/")
        case 5:
            # Another last character: unused bits, or another byte.
            new = text[:-1] + _ALPHABET[_ALPHABET.index(text[-1]) ^ chance.choice([1, 2, 4, 8])]
        case 6:
            new = text[:at]
        case 7:
            new = encoded(chance.randbytes(len(_bytes_of(text))))
        case 8:
            return {**entry, name: chance.choice([None, 1, [], {}, "", text.lower(), [text], text * 2])}
        case _:
            return {**entry, "protected": _other_header(chance, entry["protected"], alg)}
    return {**entry, name: new}


def _other_header(chance: random.Random, protected: str, alg: Algorithm) -> str:
    header: dict[str, Any] = json.loads(_bytes_of(protected))
    match chance.randrange(6):
        case 0:
            header["alg"] = chance.choice(
                [other for other in (*ALGORITHMS, "none", "HS256", "RS384") if other != alg]
            )
        case 1:
            header["kid"] = chance.choice([kid for kid in KEYS if kid != header["kid"]])
        case 2:
            header = dict(reversed(header.items()))
        case 3:
            header[chance.choice(["crit", "b64", "jku", "x", "jwk"])] = chance.choice(
                [None, [], {}, False, "x"]
            )
        case 4:
            del header[chance.choice(sorted(header))]
        case _:
            return encoded(json.dumps(header, indent=chance.randrange(3)).encode())
    return encoded(json.dumps(header, separators=(",", ":")).encode())


def _bytes_of(text: str) -> bytes:
    from base64 import urlsafe_b64decode

    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def mutate(chance: random.Random, document: dict[str, Any]) -> list[str]:
    """Change one place of a card, its signatures aside; return pointers to what changed."""
    node: Any = document
    pointer = ""
    while True:
        below = [
            (step, item)
            for step, item in _steps(node)
            if isinstance(item, (dict, list)) and item and step != "signatures"
        ]
        if not below or chance.random() < 0.25:
            break
        step, node = chance.choice(below)
        pointer += f"/{step}"
    if isinstance(node, dict):
        return [f"{pointer}/{name}" for name in _mutate_object(chance, node)]
    return [f"{pointer}/{index}" for index in _mutate_list(chance, node)]


def _mutate_object(chance: random.Random, node: dict[str, Any]) -> tuple[str, ...]:
    name = chance.choice([name for name in node if name != "signatures"])
    match chance.randrange(5):
        case 0:
            del node[name]
            return (name,)
        case 1:
            node[name] = _other_value(chance, node[name])
            return (name,)
        case 2:
            new = chance.choice(_NAMES)
            if new not in node:
                node[new] = copy.deepcopy(chance.choice(_JUNK))
            return (new,)
        case 3:
            # A name in its proto spelling, or its value under that as well.
            snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
            node[snake] = copy.deepcopy(node[name]) if chance.random() < 0.5 else node.pop(name)
            return (name, snake)
        case _:
            node[f"{name}2"] = copy.deepcopy(node[name])
            return (f"{name}2",)


def _mutate_list(chance: random.Random, node: list[Any]) -> tuple[int, ...]:
    at = chance.randrange(len(node))
    match chance.randrange(5):
        case 0:
            del node[at]
        case 1:
            node[at] = _other_value(chance, node[at])
        case 2:
            node.insert(at, copy.deepcopy(chance.choice(_JUNK)))
        case 3:
            node.insert(at, copy.deepcopy(node[at]))
        case _:
            other = chance.randrange(len(node))
            node[at], node[other] = node[other], node[at]
            return (at, other)
    return (at,)


def _other_value(chance: random.Random, value: Any) -> Any:
    if isinstance(value, str) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice("aZ0 é\u200b/") + value[at + 1 :]
    return copy.deepcopy(chance.choice(_JUNK))


def _steps(node: Any) -> list[tuple[Any, Any]]:
    if isinstance(node, dict):
        return list(node.items())
    return list(enumerate(node)) if isinstance(node, list) else []


# --- what a change means


def alike(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; in Python, False also equals 0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def says_the_same(dialect: str, profile: Profile, one: Any, other: Any, pointer: str) -> bool:
    """Whether a difference is insignificant: a field at its implicit default in place of none, here or below."""
    if profile == "as-received":
        return False
    values = (_at(one, pointer), _at(other, pointer))
    if all(type(value) is dict for value in values):
        differing = [
            f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            for name in {**values[0], **values[1]}
            if values[0].get(name, _ABSENT) != values[1].get(name, _ABSENT)
        ]
        return all(says_the_same(dialect, profile, one, other, below) for below in differing)
    rule = _rule_at(dialect, profile, pointer)
    return all(
        value is _ABSENT or (rule == "implicit" and (value is False or value in ("", [], {})))
        for value in values
    )


_ABSENT = object()


def _at(document: Any, pointer: str) -> Any:
    node = document
    for step in pointer.split("/")[1:]:
        if isinstance(node, dict):
            node = node.get(step.replace("~1", "/").replace("~0", "~"), _ABSENT)
        else:
            node = node[int(step)] if isinstance(node, list) and int(step) < len(node) else _ABSENT
    return node


def _rule_at(dialect: str, profile: Profile, pointer: str) -> str:
    """Return the presence rule of a field by its pointer, from the schema itself; empty without one."""
    name = "a2a-1.0" if profile == "sdk" or dialect == "a2a-hybrid" else dialect
    presence = DIALECTS[name].presence()
    shape, rule = presence.root, ""
    for step in pointer.split("/")[1:]:
        rule = ""
        if shape.kind == "message" and step in presence.messages[shape.message]:
            field = presence.messages[shape.message][step]
            shape, rule = field.shape, field.rule
        elif shape.kind in ("list", "map") and shape.of is not None:
            shape = shape.of
        else:
            return ""
    return rule


def aged(card: Card) -> bool:
    """Whether a hybrid's older half is another dialect once it has signatures."""
    signed = {**card.document, "signatures": []}
    return str(card.dialect) == "a2a-hybrid" and older_half(card.document) != older_half(signed)


def reversed_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: reversed_fields(item) for name, item in reversed(value.items())}
    return [reversed_fields(item) for item in value] if isinstance(value, list) else value
