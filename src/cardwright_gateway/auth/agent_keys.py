"""Agent keys: issued by owners to callers, shown once, stored as a digest (BeeOS seed §2)."""

from __future__ import annotations

import hmac
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final

from sqlalchemy import func, select

from cardwright.errors import BadArgument
from cardwright_gateway.auth.secret_table import SecretRecord, SecretTable
from cardwright_gateway.auth.secret_values import KEY_PREFIX, new_secret
from cardwright_gateway.database.tables import KEYS
from cardwright_gateway.errors import UnknownKey

# A moving window stores a time for each of its requests (project decision).
MAX_QUOTA_REQUESTS: Final = 100_000
MAX_QUOTA_SECONDS: Final = 86_400
# How long the secret before a rotation may stay valid (project decision).
MAX_OVERLAP_SECONDS: Final = 604_800
# Valid keys of one agent (project decision).
MAX_KEYS: Final = 1_000
_K: Final = KEYS.c


@dataclass(frozen=True, slots=True)
class Quota:
    """A rate limit of a key, which replaces the gateway's own: requests per seconds; 0 requests for no limit."""

    requests: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRecord(SecretRecord):
    """A stored key.

    Attributes:
        agent_id: The agent that it is for.
        quota_requests: The requests of its own rate limit, or None.
        quota_seconds: The seconds of its own rate limit, or None.
        rotated_at: When its secret was last replaced.
        previous_digest: The digest of the secret before the last rotation, if that may still be valid.
        previous_until: Until when the secret before the last rotation is valid.
        paused_at: Since when it is paused.
    """

    shown: ClassVar[tuple[str, ...]] = (
        "id", "agent_id", "owner_id", "name", "prefix", "quota", "created_at", "rotated_at", "expires_at",
        "revoked_at", "previous_until", "paused_at", "last_used_at",
    )  # fmt: skip

    agent_id: str
    quota_requests: int | None = None
    quota_seconds: int | None = None
    rotated_at: float | None = None
    previous_digest: str | None = field(default=None, repr=False)
    previous_until: float | None = None
    paused_at: float | None = None

    @property
    def quota(self) -> Quota | None:
        """Its own rate limit, or None."""
        if self.quota_requests is None or self.quota_seconds is None:
            return None
        return Quota(self.quota_requests, self.quota_seconds)

    def state(self, now: float) -> str:
        """Return the state that lists show at a time."""
        state = SecretRecord.state(self, now)
        return "paused" if state == "valid" and self.paused_at is not None else state

    def accepts(self, digest: str, now: float) -> bool:
        """Return whether a secret with this digest is valid at a time: this one, or the one before a rotation."""
        previous = self.previous_until is not None and now < self.previous_until
        return SecretRecord.accepts(self, digest, now) or (
            previous and self.is_valid(now) and hmac.compare_digest(self.previous_digest or "", digest)
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object, as the API does: without the key and its digests."""
        quota = None if self.quota is None else asdict(self.quota)
        return SecretRecord.to_json(self) | {"quota": quota}


class AgentKeys(SecretTable[KeyRecord]):
    """The table of keys."""

    table = KEYS
    record = KeyRecord
    kind = "key"
    prefix = KEY_PREFIX
    id_prefix = "key_"
    digests = ("digest", "previous_digest")
    holders = ("agent_id", "owner_id")
    maximum = MAX_KEYS
    unknown = UnknownKey

    def issue(
        self,
        agent_id: str,
        owner_id: str,
        *,
        actor: str,
        name: str = "",
        quota: Quota | None = None,
        expires_at: float | None = None,
    ) -> tuple[KeyRecord, str]:
        """Issue a key, and return its record and its secret, which is not stored.

        Raises:
            BadArgument: If the name, the quota or the expiry is not valid.
            SecretsFull: If the agent has the maximum of valid keys.
        """
        return self._issue(
            agent_id=agent_id,
            owner_id=owner_id,
            actor=actor,
            name=name,
            expires_at=expires_at,
            **_columns(quota),
        )

    def rotate(
        self, key_id: str, *, holder: str, actor: str, overlap_seconds: float = 0
    ) -> tuple[KeyRecord, str]:
        """Replace the secret of a key, and return its record and the new secret.

        Its id stays the same, and so do the tasks of its caller.

        Args:
            key_id: The key.
            holder: Its agent.
            actor: Who rotates it, for the audit log.
            overlap_seconds: How long the old secret stays valid; 0 to make it invalid at once.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
            BadArgument: If the overlap is negative or too long.
        """
        if not 0 <= overlap_seconds <= MAX_OVERLAP_SECONDS:
            raise BadArgument("overlap_seconds", f"must be 0 to {MAX_OVERLAP_SECONDS:,} seconds (7 days)")
        now = self._clock()
        secret, values = new_secret(self.prefix)
        rotation = {
            "rotated_at": now,
            "previous_digest": _K.digest if overlap_seconds else None,
            "previous_until": now + overlap_seconds if overlap_seconds else None,
        }
        return self._change(key_id, holder, values | rotation, "rotate", actor), secret

    def change(self, key_id: str, *, holder: str, actor: str, **changes: Any) -> KeyRecord:
        """Change a valid key, and return its record.

        Args:
            key_id: The key.
            holder: Its agent.
            actor: Who changes it, for the audit log.
            changes: Any of `name`, `quota` (None for the gateway's limit), `expires_at` (None for never) and
                `paused`.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
            BadArgument: If a value is not valid.
        """
        now = self._clock()
        values: dict[str, Any] = {name: changes[name] for name in ("name", "expires_at") if name in changes}
        if "quota" in changes:
            values |= _columns(changes["quota"])
        if "paused" in changes:
            # A key that is paused already keeps its time.
            values["paused_at"] = func.coalesce(_K.paused_at, now) if changes["paused"] else None
        action = {True: "pause", False: "resume", None: "update"}
        only_paused = changes.get("paused") if set(changes) == {"paused"} else None
        return self._change(key_id, holder, values, action[only_paused], actor)

    def counted(self) -> dict[str, int]:
        """Return the number of valid keys by agent, for agents that have any."""
        query = select(_K.agent_id, func.count()).where(*self._valid(self._clock())).group_by(_K.agent_id)
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}


def _columns(quota: Quota | None) -> dict[str, int | None]:
    """Return the values of a quota in a row.

    Raises:
        BadArgument: If it is out of range.
    """
    if quota is None:
        return {"quota_requests": None, "quota_seconds": None}
    if not (0 <= quota.requests <= MAX_QUOTA_REQUESTS and 1 <= quota.seconds <= MAX_QUOTA_SECONDS):
        raise BadArgument(
            "quota",
            f"must be 0 to {MAX_QUOTA_REQUESTS:,} requests (0: no limit) in 1 to {MAX_QUOTA_SECONDS:,} seconds",
        )
    return {"quota_requests": quota.requests, "quota_seconds": quota.seconds}
