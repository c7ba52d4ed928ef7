"""Webhook signatures: the peer library verifies those of the gateway, and the gateway those of the library."""

from __future__ import annotations

import base64
import hashlib
import hmac
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from cardwright.errors import BadArgument
from cardwright_gateway import verify_webhook
from cardwright_gateway.errors import BadSignature
from cardwright_gateway.webhooks.signatures import secret_of, signed_fields

# A day in 2027; the same in every process that collects these tests.
NOW = 1_800_000_000
BEEOS = "beeos-secret"
STANDARD = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(range(1, 33))).decode()
BODY = b'{"task":{"id":"t"}}'
DIGEST = "body_" + hashlib.sha256(BODY).hexdigest()


def signed(*secrets: str, at: int = NOW, event_id: str = "evt_1", body: bytes = BODY) -> dict[str, str]:
    """The fields of a delivery."""
    known = [secret_of(text) for text in secrets]
    return signed_fields(event_id, at, body, [one for one in known if one is not None])


def verified(headers: object, *secrets: str, body: bytes = BODY, at: float = NOW) -> str:
    """Verify at a time."""
    return verify_webhook(body, headers, secrets, clock=lambda: at)  # type: ignore[arg-type] # tests pass what they like


def test_the_peer_verifies_a_thousand_random_deliveries() -> None:
    chance = random.Random(7)  # noqa: S311 - the same every time
    for _ in range(1_000):
        text = "whsec_" + base64.b64encode(chance.randbytes(chance.randint(24, 64))).decode()
        # The peer reads every body as JSON once it is verified.
        body = b'"' + chance.randbytes(chance.randint(0, 200)).hex().encode() + b'"'
        # The peer has the machine's own clock.
        now = int(datetime.now(UTC).timestamp())
        headers = signed(text, at=now, event_id=f"evt_{chance.randbytes(8).hex()}", body=body)
        Webhook(text).verify(body, headers)
        assert verified(headers, text, body=body, at=now) == headers["webhook-id"]


def test_signatures_of_the_peer_library_are_verified() -> None:
    at = datetime.fromtimestamp(NOW, UTC)
    signature = Webhook(STANDARD).sign("evt_9", at, BODY.decode())
    headers = {"Webhook-Id": "evt_9", "Webhook-Timestamp": str(NOW), "Webhook-Signature": signature}
    assert verified(headers, STANDARD) == "evt_9"


def test_beeos_signatures_are_hmac_sha256_of_time_and_body() -> None:
    headers = signed(BEEOS)
    digest = hmac.new(BEEOS.encode(), f"{NOW}.".encode() + BODY, hashlib.sha256).hexdigest()
    assert headers["X-BeeOS-Signature"] == f"t={NOW},v1={digest}"
    assert verified(headers, BEEOS) == DIGEST


@pytest.mark.parametrize("other", [{"webhook-id": "evt_2"}, {"webhook-id": "é"}, {}])
def test_an_unsigned_header_does_not_change_the_event_id(other: dict[str, str]) -> None:
    headers = signed(BEEOS)
    del headers["webhook-id"]

    assert verified({**headers, **other}, BEEOS) == DIGEST


def test_removing_the_stronger_signature_does_not_change_the_event_id() -> None:
    headers = signed(BEEOS, STANDARD)
    less = {name: value for name, value in headers.items() if name != "webhook-signature"}

    assert verified(headers, BEEOS, STANDARD) == verified({**less, "webhook-id": "evt_2"}, BEEOS, STANDARD)


def test_attempts_of_an_event_have_one_id_and_events_differ() -> None:
    assert verified(signed(BEEOS, at=NOW + 60), BEEOS, at=NOW + 60) == DIGEST
    assert verified(signed(BEEOS, body=b"{}"), BEEOS, body=b"{}") != DIGEST


def test_each_secret_adds_a_signature_and_one_is_enough() -> None:
    headers = signed(BEEOS, STANDARD, OTHER, "another-one")
    assert headers["webhook-signature"].count("v1,") == 2
    assert headers["X-BeeOS-Signature"].count("v1=") == 2
    for secret in (STANDARD, OTHER):
        assert verified(headers, secret) == "evt_1"
        assert verified(headers, "whsec_" + "A" * 32, secret) == "evt_1"
    for secret in (BEEOS, STANDARD, OTHER, "another-one"):
        assert verified(headers, "not-this-one", secret) == DIGEST


def test_without_a_secret_nothing_is_signed() -> None:
    assert signed() == {"webhook-id": "evt_1"}


@pytest.mark.parametrize("secret", [BEEOS, STANDARD])
@pytest.mark.parametrize(("late", "good"), [(300, True), (-300, True), (301, False), (-301, False)])
def test_a_delivery_is_valid_for_five_minutes(secret: str, late: int, good: bool) -> None:  # noqa: FBT001 - a case
    headers = signed(secret)
    if good:
        assert verified(headers, secret, at=NOW + late) == ("evt_1" if secret is STANDARD else DIGEST)
        return
    with pytest.raises(BadSignature) as caught:
        verified(headers, secret, at=NOW + late)
    assert caught.value.kind == "time"


@pytest.mark.parametrize("secret", [BEEOS, STANDARD])
@given(place=st.integers(0, len(BODY) - 1), bit=st.integers(0, 7))
def test_one_changed_bit_never_verifies(secret: str, place: int, bit: int) -> None:
    body = bytearray(BODY)
    body[place] ^= 1 << bit
    with pytest.raises(BadSignature) as caught:
        verified(signed(secret), secret, body=bytes(body))
    assert caught.value.kind == "signature"


def test_a_changed_id_or_time_never_verifies() -> None:
    for name, value in (("webhook-id", "evt_2"), ("webhook-timestamp", str(NOW + 1))):
        with pytest.raises(BadSignature) as caught:
            verified({**signed(STANDARD), name: value}, STANDARD)
        assert caught.value.kind == "signature"


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({}, "missing"),
        ({"webhook-signature": "v1,x", "webhook-timestamp": "1"}, "id"),
        ({"webhook-id": "evt_1"}, "missing"),
        ({"webhook-id": "", "webhook-signature": "v1,x", "webhook-timestamp": "1"}, "id"),
        ({"webhook-id": "evt_1", "webhook-signature": "v1,x"}, "time"),
        ({"webhook-id": "evt_1", "webhook-signature": "v1,x", "webhook-timestamp": "-1"}, "time"),
        ({"webhook-id": "evt_1", "webhook-signature": "v1,x", "webhook-timestamp": "१"}, "time"),
        ({"webhook-id": "evt_1", "webhook-signature": "v1,é\udc80", "webhook-timestamp": "1"}, "signature"),
        ({"webhook-id": "evt_1", "webhook-signature": "v1,x " * 20, "webhook-timestamp": "1"}, "signature"),
        ([("webhook-id", "evt_1"), ("Webhook-ID", "evt_1")], "duplicate"),
    ],
)
def test_missing_duplicate_or_malformed_headers_are_reported(headers: object, kind: str) -> None:
    with pytest.raises(BadSignature) as caught:
        verified(headers, STANDARD)
    assert caught.value.kind == kind


@pytest.mark.parametrize("value", ["", "v1=00", "t=1,t=1,v1=00", "t=x,v1=00", f"t={NOW}", f"t={NOW},v2=00"])
def test_malformed_beeos_signatures_are_refused(value: str) -> None:
    with pytest.raises(BadSignature):
        verified({"webhook-id": "evt_1", "x-beeos-signature": value}, BEEOS)


def test_a_beeos_signature_is_no_standard_webhooks_signature() -> None:
    headers = signed(BEEOS)
    with pytest.raises(BadSignature) as caught:
        verified(headers, STANDARD)
    assert caught.value.kind == "missing"


@pytest.mark.parametrize(
    "text",
    ["", "short", "x" * 257, "with blank", "ünïcode-secret", "whsec_", "whsec_!!!!",
     "whsec_" + base64.b64encode(bytes(23)).decode(), "whsec_" + base64.b64encode(bytes(65)).decode(), 7],
)  # fmt: skip
def test_an_invalid_secret_is_reported_without_quoting_it(text: object) -> None:
    assert secret_of(text) is None
    with pytest.raises(BadArgument) as caught:
        verify_webhook(BODY, signed(STANDARD), [STANDARD, text])  # type: ignore[list-item] # one is not a string
    assert not text or str(text) not in str(caught.value).replace("whsec_ followed by", "")


def test_the_repr_of_a_secret_hides_its_value() -> None:
    assert "beeos" not in repr(secret_of(BEEOS))


def test_the_system_clock_is_the_default() -> None:
    assert verify_webhook(BODY, signed(STANDARD, at=int(datetime.now(UTC).timestamp())), STANDARD) == "evt_1"
    old = int((datetime.now(UTC) - timedelta(hours=1)).timestamp())
    with pytest.raises(BadSignature):
        verify_webhook(BODY, signed(STANDARD, at=old), STANDARD)
