"""What sign refuses, what a policy accepts, and how often key sets are fetched."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from cardwright.errors import BadKey, InvalidCard, NoCanonicalForm, UnsignableCard
from cardwright.signing import KeySet, Policy, RecentKeySets, form_of, sign, verify, wanted_key_sets
from cardwright.signing.base64url import encoded
from cardwright.signing.header import Unacceptable, read_header
from tests.signing.test_keys import JWKS, public

if TYPE_CHECKING:
    from pathlib import Path

JKU = "https://keys.example.com/jwks.json"
KEY: dict[str, Any] = JWKS["es256"]
DAY = 24 * 3600.0


def example(root: Path, dialect: str) -> Card:
    return Card.from_bytes((root / "examples" / f"{dialect}.card.json").read_bytes())


@pytest.fixture
def card(root: Path) -> Card:
    return example(root, "a2a-1.0")


def test_an_algorithm_must_be_named(card: Card) -> None:
    with pytest.raises(TypeError):
        sign(card, KEY, "es256")  # type: ignore[call-arg] # that is the point


@pytest.mark.parametrize(
    ("key", "kid", "more", "message"),
    [
        (KEY, "es256", {"alg": "HS256"}, 'unsupported algorithm "HS256"'),
        (KEY, "es256", {"alg": "none"}, 'unsupported algorithm "none"'),
        (KEY, "es256", {"alg": "ES512"}, 'unsupported algorithm "ES512"'),
        (KEY, "es256", {"alg": "ES384"}, "ES384 needs a key"),
        (public("es256"), "es256", {}, "public"),
        (KEY, "other", {}, "use the key's kid"),
        ({**KEY, "kid": "\n"}, "\n", {}, "printable"),
        (KEY, "", {}, "printable"),
        ({**KEY, "kid": "k" * 1025}, "k" * 1025, {}, "printable"),
        (KEY, "es256", {"jku": "http://keys.example.com"}, "https"),
        (KEY, "es256", {"jku": "https://u@keys.example.com"}, "https"),
        (KEY, "es256", {"jku": "https://keys.example.com/" + "x" * 8192}, "8,192"),
        (b"nonsense", "es256", {}, "expected a JSON Web Key or PEM"),
    ],
)
def test_sign_refuses_a_key_or_a_header_that_would_not_verify(
    card: Card, key: Any, kid: str, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadKey, match=message):
        sign(card, key=key, kid=kid, alg=more.get("alg", "ES256"), jku=more.get("jku"))


def test_sign_refuses_an_invalid_card_and_one_whose_dialect_has_no_signatures(root: Path, card: Card) -> None:
    with pytest.raises(InvalidCard):
        sign(Card.from_document({**card.document, "skills": 1}), key=KEY, kid="es256", alg="ES256")
    for dialect in ("a2a-0.1", "a2a-0.2", "beach-1.0"):
        with pytest.raises(UnsignableCard, match="does not support signatures"):
            sign(example(root, dialect), key=KEY, kid="es256", alg="ES256")


def test_sign_refuses_a_seventeenth_signature(card: Card) -> None:
    for _ in range(16):
        card = sign(card, key=JWKS["eddsa"], kid="eddsa", alg="EdDSA")

    assert all(one.verified for one in verify(card, keys=KeySet.of([public("eddsa")])).signatures)
    with pytest.raises(UnsignableCard, match="16"):
        sign(card, key=JWKS["eddsa"], kid="eddsa", alg="EdDSA")


def test_a_signed_hybrid_is_validated_again_when_its_older_half_changes() -> None:
    # Without signatures the older half reads as A2A 0.2; 0.2 has none, so with them it reads as 0.3.
    hybrid = Card.from_document({
        "name": "Seed Bank", "description": "Knows which seeds are in store.", "version": "3.1.0",
        "protocolVersion": "1.0", "url": "https://seeds.example.com/a2a", "capabilities": {},
        "supportedInterfaces": [
            {"url": "https://seeds.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        ],
        "defaultInputModes": ["text"], "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "stock", "name": "Stock", "description": "Counts seeds.", "tags": ["seeds"]}],
    })  # fmt: skip
    assert hybrid.valid
    assert str(hybrid.dialect) == "a2a-hybrid"

    signed = sign(hybrid, key=KEY, kid="es256", alg="ES256")

    assert signed.violations == Card.from_document(signed.document).violations != hybrid.violations


def test_a_field_in_its_proto_spelling_is_uncovered_in_both_profiles() -> None:
    schemes = [{"schemes": {"k": {"list": ["s"]}}}]
    for document, uncovered in (
        ({"securityRequirements": schemes}, set[str]()),
        ({"security_requirements": schemes}, {"/security_requirements", "/securityRequirements"}),
        ({"securityRequirements": schemes, "security_scheme": None}, {"/security_scheme"}),
    ):
        card = Card.from_document({"name": "A", **document}, dialect="a2a-1.0")
        form = form_of(card, "sdk")
        assert b'"securityRequirements"' in form.body
        assert set(form.uncovered) == uncovered


def test_two_spellings_of_one_field_have_no_canonical_form() -> None:
    document: dict[str, Any] = {"name": "A", "securityRequirements": [], "security_requirements": None}
    with pytest.raises(NoCanonicalForm):
        form_of(Card.from_document(document, dialect="a2a-1.0"), "sdk")


def test_a_card_of_0_3_is_not_signed_for_the_sdks_which_verify_another(root: Path) -> None:
    with pytest.raises(UnsignableCard, match="use the profile spec"):
        sign(example(root, "a2a-0.3"), key=KEY, kid="es256", alg="ES256", profile="sdk")


@pytest.mark.parametrize("length", [8192, 8193])
def test_a_header_is_read_up_to_8192_characters(length: int) -> None:
    text = '{"alg":"ES256","kid":"k","x":""}'
    # Four characters for three bytes; 8,193 is no length of base64url, and 8,194 the next that is.
    fill = (length if length % 4 != 1 else length + 1) * 3 // 4 - len(text)
    protected = encoded(text.replace('""', f'"{"a" * fill}"').encode())
    entry = {"protected": protected, "signature": encoded(bytes(range(64)))}

    if length == 8192:
        assert len(protected) == 8192
        assert read_header(entry).kid == "k"
    else:
        for longer in (protected, protected[:8193]):
            with pytest.raises(Unacceptable, match="longer than 8,192"):
                read_header({**entry, "protected": longer})


@pytest.mark.parametrize(
    "bad",
    [
        {"profiles": ("canonical",)}, {"profiles": "spec"}, {"algorithms": ("HS256",)}, {"algorithms": ("none",)},
        {"jku_origins": frozenset({"http://keys.example.com"})}, {"jku_origins": frozenset({"keys.example.com"})},
        {"jku_origins": "https://keys.example.com"},
    ],
    ids=str,
)  # fmt: skip
def test_an_invalid_policy_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"unknown|expected an https origin"):
        Policy(**bad)


def test_the_key_sets_to_fetch_are_those_that_verify_would_fetch(card: Card) -> None:
    signed = sign(card, key=KEY, kid="es256", alg="ES256", jku=JKU)
    signed = sign(signed, key=JWKS["eddsa"], kid="eddsa", alg="EdDSA", jku=JKU + "?2")
    trusting = Policy(jku_origins=frozenset({"https://keys.example.com"}))

    assert wanted_key_sets(signed, KeySet(), trusting) == (JKU, JKU + "?2")
    assert wanted_key_sets(signed, KeySet.of([public("es256")]), trusting) == (JKU + "?2",)
    assert wanted_key_sets(signed, KeySet(), replace(trusting, algorithms=("EdDSA",))) == (JKU + "?2",)
    assert wanted_key_sets(signed, KeySet(), Policy()) == ()
    assert wanted_key_sets(replace(signed, document={"signatures": 1}), KeySet(), trusting) == ()


def test_an_invalid_key_set_is_refused_and_an_unusable_response_is_a_reason(card: Card) -> None:
    signed = sign(card, key=KEY, kid="es256", alg="ES256", jku=JKU)
    with pytest.raises(BadKey):
        verify(signed, keys={})
    for answer in (b"", b"{}", b"[1]", b'{"keys":[{"kid":"es256","kty":"EC","crv":[]}]}'):
        policy = Policy(origin="https://keys.example.com", fetch={JKU: answer}.__getitem__)
        (result,) = verify(signed, policy=policy).signatures
        assert not result.verified
        assert "key" in result.reason


def test_ten_thousand_unknown_key_ids_cost_one_fetch_a_minute(card: Card) -> None:
    requests: list[float] = []
    now = [1000.0]

    def fetch(_: str) -> bytes:
        requests.append(now[0])
        return json.dumps({"keys": [public("es256")]}).encode()

    recent = RecentKeySets(fetch, clock=lambda: now[0])
    policy = Policy(jku_origins=frozenset({"https://keys.example.com"}), fetch=recent)
    signature = encoded(bytes(range(64)))
    for index in range(10_000):
        now[0] += 0.012
        header = {"alg": "ES256", "kid": f"k{index}", "jku": f"{JKU}?{index % 7}"}
        entry = {"protected": encoded(json.dumps(header).encode()), "signature": signature}
        assert not verify(
            replace(card, document={**card.document, "signatures": [entry]}), policy=policy
        ).verified

    assert 1 < len(requests) <= 3
    assert all(later - earlier >= 60 for earlier, later in pairwise(requests))


def test_after_a_failed_fetch_valid_keys_are_kept_for_a_day() -> None:
    good = json.dumps({"keys": [public("es256")]}).encode()
    now, answer = [0.0], [good]

    def fetch(_: str) -> bytes:
        if not answer[0]:
            raise OSError("no route")
        return answer[0]

    recent = RecentKeySets(fetch, clock=lambda: now[0])
    assert recent(JKU) == good
    # A page that says sorry is no key set either.
    for seconds, body in ((1.0, b""), (61.0, b""), (3600.0, b"<html>sorry</html>"), (DAY, b"{}")):
        now[0], answer[0] = seconds, body
        assert recent(JKU) == good
    now[0], answer[0] = DAY + 61, b""
    with pytest.raises(OSError, match="no route"):
        recent(JKU)
    with pytest.raises(LookupError):
        recent(JKU)


def test_failing_urls_do_not_keep_an_old_key_set() -> None:
    now, urls = [0.0], list[str]()

    def fetch(url: str) -> bytes:
        urls.append(url)
        if url != JKU:
            raise OSError("no such thing")
        return json.dumps({"keys": [public("es256")], "version": now[0]}).encode()

    recent = RecentKeySets(fetch, clock=lambda: now[0])
    ages = list[float]()
    recent(JKU)
    for minute in range(1, 31):
        now[0] = 60.0 * minute
        with pytest.raises((OSError, LookupError)):
            recent(f"{JKU}/{minute}")
        ages.append(now[0] - json.loads(recent(JKU))["version"])

    assert max(ages) <= 60
    assert urls.count(JKU) >= 15
    assert len(urls) <= 31


def test_an_old_key_set_expires_although_its_origin_is_rate_limited() -> None:
    now = [0.0]
    body = json.dumps({"keys": [public("es256")]}).encode()
    recent = RecentKeySets(lambda _: body, clock=lambda: now[0])
    recent(JKU)
    for minute in range(1, 62):
        now[0] = 60.0 * minute
        recent(f"{JKU}?")
    with pytest.raises(LookupError):
        recent(JKU)


@pytest.mark.parametrize("empty", [{"profiles": ()}, {"algorithms": ()}])
def test_a_policy_that_accepts_nothing_is_refused(empty: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="needs at least one"):
        Policy(**empty)


def test_a_key_revoked_in_the_trust_store_is_revoked_in_fetched_sets(card: Card) -> None:
    signed = sign(card, key=KEY, kid="es256", alg="ES256", jku=JKU)
    fetched = {JKU: json.dumps({"keys": [public("es256")]}).encode()}
    policy = Policy(jku_origins=frozenset({"https://keys.example.com"}), fetch=fetched.__getitem__)
    assert verify(signed, policy=policy).verified

    store = KeySet.from_jwks({"keys": [{**public("es256"), "kid": "stolen", "revoked": True}]})
    (result,) = verify(signed, keys=store, policy=policy).signatures
    assert "was revoked" in result.reason


def test_uncovered_fields_of_the_older_half_of_a_hybrid_are_named(root: Path) -> None:
    document = {**example(root, "a2a-hybrid").document, "securityRequirements": []}
    form = form_of(Card.from_document(document, dialect="a2a-hybrid"), "spec")
    assert "/securityRequirements" in form.uncovered


@pytest.mark.parametrize(
    ("requirements", "skill", "uncovered"),
    [
        ([{"schemes": {"o": {"list": ["s"]}}}], None, True),
        ([{"schemes": {"o": {"list": ["s"]}}}], [{"schemes": {"k": {"list": ["s"]}}}], False),
        ([{"schemes": {"o": {"list": ["s"]}, "k": {"list": ["s"]}}}], None, False),
        (None, None, True),
    ],
)
def test_an_unreferenced_scheme_may_have_been_required_before(
    *, requirements: Any, skill: Any, uncovered: bool, card: Card
) -> None:
    key_scheme = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}
    (first, *_) = card.document["skills"]
    document = {
        **card.document,
        "securitySchemes": {
            "o": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://o.example"}},
            "k": key_scheme,
        },
        "skills": [{**first, **({"securityRequirements": skill} if skill else {})}],
        **({"securityRequirements": requirements} if requirements else {}),
    }
    if not requirements:
        document.pop("securityRequirements", None)
    form = form_of(Card.from_document(document, dialect="a2a-1.0"), "sdk")

    assert ("/securityRequirements" in form.uncovered) == uncovered


def test_a_long_name_with_much_below_it_is_named_once() -> None:
    name = "n" * 100_000
    fields = {f"x{index}": 0 for index in range(4000)}
    document = {"name": "A", "securitySchemes": {name: fields}}
    form = form_of(Card.from_document(document, dialect="a2a-1.0"), "sdk")

    assert sum(map(len, form.uncovered)) < 2 * len(name)
    assert any(pointer.startswith("/securitySchemes") for pointer in form.uncovered)


def test_a_profile_without_a_form_signs_nothing(card: Card) -> None:
    with pytest.raises(NoCanonicalForm):
        form_of(Card.from_document({"name": 1}, dialect="a2a-1.0"), "sdk")
    with pytest.raises(ValueError, match="unknown profile"):
        sign(card, key=KEY, kid="es256", alg="ES256", profile="x")  # type: ignore[arg-type] # that is the point
