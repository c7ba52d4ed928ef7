"""What the operator says of callers: owners and their tokens, limits, tasks, webhooks, files, and what is told of it."""

from __future__ import annotations

import base64
import binascii
import ipaddress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.discovery.settings_file import filled_in
from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# BeeOS seed §7: five waits between six attempts.
SCHEDULE: Final = (60.0, 300.0, 1800.0, 7200.0, 43200.0)
_KEY_BYTES: Final = 32
# reliability.md 6: how long a process may be silent before it counts as gone.
LOST_SECONDS: Final = 45.0


@dataclass(frozen=True, slots=True)
class Owner:
    """An owner of agents.

    Attributes:
        id: What agents name.
        name: What cards call them.
        url: Their website; "" where it is not told.
        subject: What `sub` of their tokens is.
        issuer: The issuer of their tokens; "" where one alone is trusted.
    """

    id: str
    name: str
    url: str = ""
    subject: str = ""
    issuer: str = ""


@dataclass(frozen=True, slots=True)
class Issuer:
    """An issuer of users' tokens; `jwks` is a URL or an absolute path."""

    issuer: str
    audience: str
    jwks: str
    algorithms: tuple[str, ...] = ("ES256", "EdDSA", "RS256")


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """How many requests one caller may send one agent within a moving window; 0 for any number.

    `anonymous` says whether those without credentials are counted, by their addresses.
    """

    requests: int = 60
    seconds: int = 60
    redis: str | None = field(default=None, repr=False)
    processes: int = 1
    anonymous: bool = False


@dataclass(frozen=True, slots=True)
class WebhooksConfig:
    """How push notifications are delivered; the key has 32 bytes, or is None where one is made."""

    enabled: bool = True
    encryption_key: bytes | None = field(default=None, repr=False)
    allow: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    schedule_seconds: tuple[float, ...] = SCHEDULE
    timeout_seconds: float = 15.0
    concurrency: int = 4


@dataclass(frozen=True, slots=True)
class FilesConfig:
    """Files that invocations refer to."""

    max_bytes: int = 8 * 1024 * 1024
    owner_bytes: int = 256 * 1024 * 1024
    retention_seconds: float = 86400.0


@dataclass(frozen=True, slots=True)
class TelemetryConfig:
    """Where traces are sent."""

    otlp: str
    service: str = "cardwright-gateway"


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """All of it.

    Attributes:
        owners: By their ids.
        issuers: Those whose tokens are taken.
        retention_seconds: How long the gateway's own tasks are kept after they ended.
        lost_seconds: How long a process may be silent before the others take over what it had under way.
    """

    owners: Mapping[str, Owner] = field(default_factory=dict[str, Owner])
    issuers: tuple[Issuer, ...] = ()
    limits: LimitsConfig = LimitsConfig()
    retention_seconds: float = 86400.0
    lost_seconds: float = LOST_SECONDS
    webhooks: WebhooksConfig = WebhooksConfig()
    files: FilesConfig = FilesConfig()
    telemetry: TelemetryConfig | None = None
    log: Literal["text", "json"] = "text"


def read_platform(value: Mapping[str, Any], here: Path, environ: Mapping[str, str]) -> Platform:
    """Read what the schema has nothing against.

    Raises:
        BadConfiguration: If it contradicts itself.
    """
    issuers = tuple(_issuer(said, here) for said in value.get("jwt", ()))
    names = [one.issuer for one in issuers]
    if len(set(names)) < len(names):
        raise BadConfiguration("", "/jwt: an issuer stands there twice")
    owners = {name: _owner(name, said, names) for name, said in value.get("owners", {}).items()}
    _check_subjects(owners)
    limits = dict(value.get("limits", {}))
    if "redis" in limits:
        limits["redis"] = filled_in("/limits/redis", limits["redis"], environ)
    tasks = {name: float(seconds) for name, seconds in value.get("tasks", {}).items()}
    telemetry = value.get("telemetry")
    return Platform(
        owners=owners,
        issuers=issuers,
        limits=LimitsConfig(**limits),
        **tasks,
        webhooks=_webhooks(value.get("webhooks", {}), environ),
        files=replace(FilesConfig(), **value.get("files", {})),
        telemetry=None if telemetry is None else TelemetryConfig(**telemetry),
        log=value.get("log", "text"),
    )


def _owner(name: str, said: Mapping[str, Any], issuers: list[str]) -> Owner:
    issuer = said.get("issuer", "")
    if issuer and issuer not in issuers:
        raise BadConfiguration("", f"/owners/{name}/issuer: there is no such issuer in jwt")
    if not issuer and len(issuers) > 1:
        raise BadConfiguration(
            "", f"/owners/{name}: say its issuer: several are trusted, and each has a sub of its own"
        )
    return Owner(
        name, said["name"], said.get("url", ""), said.get("subject", name), issuer or "".join(issuers)
    )


def _check_subjects(owners: Mapping[str, Owner]) -> None:
    known: dict[tuple[str, str], str] = {}
    for owner in owners.values():
        other = known.setdefault((owner.issuer, owner.subject), owner.id)
        if other != owner.id:
            raise BadConfiguration("", f"/owners/{owner.id}: {other} has the same subject: give each its own")


def _issuer(said: Mapping[str, Any], here: Path) -> Issuer:
    place = said["jwks"]
    told = place if "://" in place else str(here / place)
    named = {"algorithms": tuple(said["algorithms"])} if "algorithms" in said else {}
    return Issuer(said["issuer"], said["audience"], told, **named)


def _webhooks(said: Mapping[str, Any], environ: Mapping[str, str]) -> WebhooksConfig:
    told = said.get("encryption_key")
    key = None if told is None else _key(filled_in("/webhooks/encryption_key", told, environ))
    kept = {name: said[name] for name in ("enabled", "timeout_seconds", "concurrency") if name in said}
    return WebhooksConfig(
        encryption_key=key,
        allow=tuple(_network(one, index) for index, one in enumerate(said.get("allow", ()))),
        ports=tuple(said.get("ports", ())),
        schedule_seconds=tuple(float(one) for one in said.get("schedule_seconds", SCHEDULE)),
        **kept,
    )


def _network(told: str, index: int) -> str:
    try:
        ipaddress.ip_network(told, strict=False)
    except ValueError:
        raise BadConfiguration("", f"/webhooks/allow/{index}: it is a network, such as 10.0.0.0/8") from None
    return told


def _key(told: str) -> bytes:
    try:
        # openssl writes the other alphabet (RFC 4648 §4).
        key = base64.b64decode(
            told.replace("-", "+").replace("_", "/") + "=" * (-len(told) % 4), validate=True
        )
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _KEY_BYTES:
        raise BadConfiguration(
            "",
            "/webhooks/encryption_key: it is 32 bytes in base64 or base64url, as `openssl rand -base64 32` makes them",
        )
    return key
