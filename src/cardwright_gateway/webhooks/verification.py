"""Verification for webhook receivers: the signature and the age of a delivery."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright_gateway.errors import BadSignature
from cardwright_gateway.webhooks.signatures import (
    BEEOS,
    ID,
    STANDARD,
    TIMESTAMP,
    Secret,
    beeos_signature,
    secret_of,
    standard_signature,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_READ: Final = frozenset({ID, TIMESTAMP, STANDARD, BEEOS})
_EVENT_ID: Final = re.compile(r"[!-~]{1,256}")
_SECONDS: Final = re.compile(r"[0-9]{1,12}")
# A sender has few secrets at once: two during a rotation.
_MAX_SIGNATURES: Final = 16


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    clock: Callable[[], float] = time.time,
) -> str:
    """Verify a delivery, and return the id of its event; an event has the same id in every delivery.

    Only what is signed identifies an event. The signature of Standard Webhooks covers the header `webhook-id`: with
    `whsec_` secrets alone, this is the id. BeeOS's signature covers only the time and the body, and anyone who recorded
    a delivery could send it again with another header: as soon as one secret is of this format, the id is `body_` and
    the SHA-256 of the body in hex. Every attempt of an event has the same body, which names the task and its state.

    If both signatures are present and a `whsec_` secret is given, the signature of Standard Webhooks is verified.

    Args:
        body: The bytes of the request body as received, not parsed and serialized again.
        headers: Header fields; names are case-insensitive.
        secrets: One or more secrets; one match is enough, so that secrets can be rotated.
        tolerance_seconds: Maximum difference between the sender's clock and this one.
        clock: Seconds since 1970.

    Raises:
        BadSignature: If the delivery cannot be trusted.
        BadArgument: If a secret is not valid.
    """
    keys = _secrets((secrets,) if isinstance(secrets, str) else secrets)
    fields = _fields(headers)
    standard = [key for key in keys if key.standard]
    if standard and STANDARD in fields:
        event_id = _event_id(fields.get(ID))
        seconds = _seconds(fields.get(TIMESTAMP))
        offered = fields[STANDARD].split(" ")
        expected = [standard_signature(event_id, seconds, body, key) for key in standard]
    elif len(standard) < len(keys) and BEEOS in fields:
        seconds, offered = _beeos(fields[BEEOS])
        expected = [beeos_signature(seconds, body, key) for key in keys if not key.standard]
    else:
        raise BadSignature("missing", "no signature header in the format of the given secrets")
    if len(offered) > _MAX_SIGNATURES:
        raise BadSignature("signature", f"more than {_MAX_SIGNATURES} signatures")
    # Check signatures first, so that a sender without the secret learns nothing about the clock.
    if not _any_equal(offered, expected):
        raise BadSignature("signature", "no signature matches one of the secrets")
    if abs(clock() - seconds) > tolerance_seconds:
        raise BadSignature(
            "time", f"its timestamp differs from the current time by more than {tolerance_seconds:g} seconds"
        )
    if len(standard) < len(keys):
        # Not only where BeeOS's signature was verified: a sender that removes the other one would get a second id.
        return f"body_{hashlib.sha256(body).hexdigest()}"
    return _event_id(fields.get(ID))


def _event_id(value: str | None) -> str:
    if value is None or not _EVENT_ID.fullmatch(value):
        raise BadSignature("id", f"the header {ID} is missing, or is not 1 to 256 visible ASCII characters")
    return value


def _secrets(texts: Iterable[str]) -> list[Secret]:
    parsed = [secret_of(text) for text in texts]
    valid = [secret for secret in parsed if secret is not None]
    if not valid or len(valid) < len(parsed):
        raise BadArgument(
            "secrets",
            "must be one or more secrets: whsec_ followed by base64 of 24 to 64 bytes, or 8 to 256 visible characters",
        )
    return valid


def _fields(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> dict[str, str]:
    fields: dict[str, str] = {}
    # `Any`, because a mapping is iterable too and type checkers cannot tell the two apart.
    lines: Any = headers.items() if isinstance(headers, Mapping) else headers
    for name, value in lines:
        lower = name.lower()
        if lower not in _READ:
            continue
        if lower in fields:
            raise BadSignature("duplicate", f"the header {lower} occurs twice")
        fields[lower] = value
    return fields


def _seconds(text: str | None) -> int:
    if text is None or not _SECONDS.fullmatch(text):
        raise BadSignature(
            "time", f"the header {TIMESTAMP} is missing, or is not a number of seconds since 1970"
        )
    return int(text)


def _beeos(value: str) -> tuple[int, list[str]]:
    pairs = [part.partition("=") for part in value.split(",")]
    times = [text for name, _, text in pairs if name == "t"]
    if len(times) != 1 or not _SECONDS.fullmatch(times[0]):
        raise BadSignature(
            "time", "x-beeos-signature must have exactly one t=, a number of seconds since 1970"
        )
    return int(times[0]), [text for name, _, text in pairs if name == "v1"]


def _any_equal(offered: list[str], expected: list[str]) -> bool:
    matched = False
    for signature in offered:
        for candidate in expected:
            # Compare all pairs, so that the duration reveals no match.
            matched |= hmac.compare_digest(signature.encode(errors="replace"), candidate.encode())
    return matched
