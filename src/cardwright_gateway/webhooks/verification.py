"""What receivers of webhooks check: that a delivery is from who shares the secret, and is fresh."""

from __future__ import annotations

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
# A sender has few secrets at once: two while one takes over from another.
_MOST_SIGNATURES: Final = 16


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    clock: Callable[[], float] = time.time,
) -> str:
    """Return the id of the event that a delivery tells; the same event has the same id in every delivery.

    Where both signatures stand there, the one of Standard Webhooks counts if a `whsec_` secret is given: it
    covers the id, too. BeeOS's covers the time and the body alone.

    Args:
        body: The bytes as they came, before anything reads them as JSON.
        headers: Header fields, in whatever case.
        secrets: One or more; one that matches is enough, so that secrets can be exchanged.
        tolerance_seconds: How far the sender's clock may be from this one's.
        clock: Seconds since 1970.

    Raises:
        BadSignature: If the delivery is not to be trusted.
        BadArgument: If a secret is none.
    """
    known = _secrets((secrets,) if isinstance(secrets, str) else secrets)
    fields = _fields(headers)
    event_id = fields.get(ID)
    if event_id is None or not _EVENT_ID.fullmatch(event_id):
        raise BadSignature("id", f"there is no {ID} of at most 256 visible characters")
    standard = [one for one in known if one.standard]
    if standard and STANDARD in fields:
        seconds = _seconds(fields.get(TIMESTAMP))
        offered = fields[STANDARD].split(" ")
        expected = [standard_signature(event_id, seconds, body, one) for one in standard]
    elif len(standard) < len(known) and BEEOS in fields:
        seconds, offered = _beeos(fields[BEEOS])
        expected = [beeos_signature(seconds, body, one) for one in known if not one.standard]
    else:
        raise BadSignature("missing", "there is no signature of a kind that the secrets are for")
    if len(offered) > _MOST_SIGNATURES:
        raise BadSignature("signature", f"there are more than {_MOST_SIGNATURES} signatures")
    # Signatures first: of the clock nothing is told to who cannot sign.
    if not _any_equal(offered, expected):
        raise BadSignature("signature", "no signature is of one of the secrets")
    if abs(clock() - seconds) > tolerance_seconds:
        raise BadSignature("time", f"it was signed more than {tolerance_seconds:g} seconds ago, or ahead")
    return event_id


def _secrets(texts: Iterable[str]) -> list[Secret]:
    found = [secret_of(text) for text in texts]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        raise BadArgument(
            "secrets", "is one or more of whsec_ and base64 of 24 to 64 bytes, or 8 to 256 visible characters"
        )
    return known


def _fields(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> dict[str, str]:
    fields: dict[str, str] = {}
    # A mapping is iterable, too, and a type checker takes the two for one.
    lines: Any = headers.items() if isinstance(headers, Mapping) else headers
    for name, value in lines:
        lower = name.lower()
        if lower not in _READ:
            continue
        if lower in fields:
            raise BadSignature("duplicate", f"{lower} stands there twice")
        fields[lower] = value
    return fields


def _seconds(text: str | None) -> int:
    if text is None or not _SECONDS.fullmatch(text):
        raise BadSignature("time", f"there is no {TIMESTAMP} in seconds since 1970")
    return int(text)


def _beeos(value: str) -> tuple[int, list[str]]:
    pairs = [part.partition("=") for part in value.split(",")]
    times = [text for name, _, text in pairs if name == "t"]
    if len(times) != 1 or not _SECONDS.fullmatch(times[0]):
        raise BadSignature("time", "x-beeos-signature has no single t= in seconds since 1970")
    return int(times[0]), [text for name, _, text in pairs if name == "v1"]


def _any_equal(offered: list[str], expected: list[str]) -> bool:
    found = False
    for one in offered:
        for other in expected:
            # Every pair is compared, so that the time taken tells of none.
            found |= hmac.compare_digest(one.encode(errors="replace"), other.encode())
    return found
