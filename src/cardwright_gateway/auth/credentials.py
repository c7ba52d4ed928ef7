"""What a request has with it to say who sends it: only its form is looked at here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.serve.authentication import BadCredentials, fields
from cardwright_gateway.auth.agent_keys import FORM, PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright_gateway.auth.principal import Principal

# BeeOS seed §2.
KEY_HEADER: Final = "X-Agent-API-Key"
_KEY_FIELD: Final = KEY_HEADER.lower().encode()


@dataclass(frozen=True, slots=True)
class Credentials:
    """What was sent.

    Attributes:
        key: A key of an agent.
        token: What follows `Bearer` where that is no key of an agent: it may be a user's, or nothing of ours.
    """

    key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


def read_credentials(scope: Mapping[str, Any]) -> Credentials:
    """Read the header of a request.

    Raises:
        BadCredentials: If a field stands there twice, two keys differ, or a key is none by its form.
    """
    named = fields(scope, KEY_HEADER)
    sent = fields(scope, "Authorization")
    if len(named) > 1 or len(sent) > 1:
        raise BadCredentials("a field with credentials stands there twice: send it once")
    bearer = _bearer(sent[0]) if sent else None
    keys = set(named)
    if bearer is not None and bearer.startswith(PREFIX):
        keys.add(bearer)
        bearer = None
    if len(keys) > 1:
        raise BadCredentials(f"{KEY_HEADER} and Authorization have different keys: send one of them")
    key = next(iter(keys), None)
    if key is not None and not FORM.fullmatch(key):
        raise BadCredentials(
            "the agent key is none: it is bak_ and 43 characters, as it was told when issued"
        )
    return Credentials(key, bearer)


def strip(headers: Iterable[tuple[bytes, bytes]], principal: Principal) -> list[tuple[bytes, bytes]]:
    """Return the header of a request without what its sender was recognised by here.

    An Authorization that is the agent's own affair stays. The agent behind the gateway must not be able to
    call it, or others, in its caller's name.
    """
    return [(name, value) for name, value in headers if not _is_ours(name.lower(), value, principal)]


def _is_ours(name: bytes, value: bytes, principal: Principal) -> bool:
    if name == _KEY_FIELD:
        return True
    if name != b"authorization":
        return False
    bearer = _bearer(value.decode("latin-1").strip())
    return principal.kind == "user" or (bearer is not None and bearer.startswith(PREFIX))


def _bearer(value: str) -> str | None:
    """Return the token of an Authorization; None where it is of another scheme (RFC 6750 §2.1)."""
    kind, *rest = value.split(maxsplit=1) if value else ("",)
    return (rest[0].strip() if rest else "") if kind.lower() == "bearer" else None
