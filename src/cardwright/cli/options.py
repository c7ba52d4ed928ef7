"""Arguments and options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.checks import Checks, RuleSet
from cardwright.cli.option_groups import Group, described
from cardwright.cli.terminal import fail
from cardwright.errors import BadConfiguration
from cardwright_rules import DIALECTS, MESSAGES, ROWS, SERVERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.registries import Registries

# Defaults of `cardwright registry`: its database, and the files that list known agents.
STORE: Final = "agents.db"
FILES: Final = ("agents.yml", "agents.yaml", "agents.json")


def convertible_names() -> list[str]:
    """Return the dialects that `convert` reads and writes."""
    return [*DIALECTS, *SERVERS, *MESSAGES]


def _dialect(key: str, names: Callable[[], list[str]]) -> Any:
    """Return an option whose value is one of some dialects."""

    def known(name: str | None) -> str | None:
        if name is not None and name not in names():
            fail(f"unknown dialect {name!r}; known dialects: {', '.join(names())}")
        return name

    return described(key, callback=known, autocompletion=names, names=", ".join(names()))


Paths = Annotated[list[str], described("PATHS")]
PathsOrUrls = Annotated[list[str], described("PATHS|URLS")]
PathOrUrl = Annotated[str, described("PATH|URL")]
MaybePathOrUrl = Annotated[str | None, described("PATH|URL")]
Card = Annotated[str, described("PATH")]
Format = Annotated[Literal["text", "json"], described("--format")]
# SARIF is for code hosts and editors, JUnit for build servers.
CheckFormat = Annotated[
    Literal["text", "json", "github", "gitlab", "sarif", "junit"], described("check --format")
]
Excluded = Annotated[list[str] | None, described("--exclude")]
Keys = Annotated[list[str] | None, described("--keys")]
DialectName = Annotated[str | None, _dialect("--dialect", lambda: list(DIALECTS))]
AnyDialectName = Annotated[str | None, _dialect("--dialect", lambda: list(ROWS))]
ToDialect = Annotated[str | None, _dialect("convert --to", convertible_names)]
FromDialect = Annotated[str | None, _dialect("convert --from", convertible_names)]
RegistriesFile = Annotated[str | None, described("--registries")]


def registries_of(file: str | None) -> Registries | None:
    """Return the registries of a file, or of the nearest pyproject.toml; None for the canonical cores."""
    from cardwright.registries_file import find_registries, read_registries

    try:
        return find_registries(".") if file is None else read_registries(file)
    except BadConfiguration as error:
        fail(str(error))


@dataclass(frozen=True, slots=True)
class Given:
    """The limits of a document, and the file of registries, as given."""

    limits: Limits
    registries: str | None


# More than a gigabyte would exhaust memory; the maximum depth is canonical.MAX_DEPTH.
def _given(
    *,
    max_bytes: Annotated[int, described("--max-bytes")] = DEFAULT_LIMITS.max_bytes,
    max_depth: Annotated[int, described("--max-depth")] = DEFAULT_LIMITS.max_depth,
    max_members: Annotated[int, described("--max-members")] = DEFAULT_LIMITS.max_members,
    max_values: Annotated[int, described("--max-values")] = DEFAULT_LIMITS.max_values,
    registries: RegistriesFile = None,
) -> Given:
    return Given(Limits(max_bytes, max_depth, max_members, max_values), registries)


def _limits(*, given: Annotated[Given, Group(_given)]) -> Checks:
    return Checks(limits=given.limits, registries=registries_of(given.registries))


Rules = Annotated[RuleSet | None, described("--rules")]


def _rules(*, limited: Annotated[Checks, Group(_limits)], rules: Rules = None) -> Checks:
    return replace(limited, rules=(rules,) if rules else ())


@dataclass(frozen=True, slots=True)
class Allowed:
    """The network addresses that options allow, and the header fields to send."""

    private: bool = False
    networks: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    headers: tuple[str, ...] = ()


def _network(
    *,
    allow_private: Annotated[bool, described("--allow-private")] = False,
    allow: Annotated[list[str] | None, described("--allow")] = None,
    allow_port: Annotated[list[int] | None, described("--allow-port")] = None,
) -> Allowed:
    return Allowed(allow_private, tuple(allow or ()), tuple(allow_port or ()))


def _with_headers(
    *,
    guarded: Annotated[Allowed, Group(_network)],
    header: Annotated[list[str] | None, described("--header")] = None,
) -> Allowed:
    return replace(guarded, headers=tuple(header or ()))


@dataclass(frozen=True, slots=True)
class Registry:
    """The registry that a command opens.

    Attributes:
        store: The database; None for the default.
        config: The file that lists known agents; None for the default.
        allowed: The network addresses that may be requested.
        keys: Files of trusted keys.
        will_fetch: Whether the command sends requests at all.
        registries: The names that cards may use; None for the canonical cores.
    """

    store: str | None = None
    config: str | None = None
    allowed: Allowed = Allowed()
    keys: tuple[str, ...] = ()
    will_fetch: bool = False
    registries: Registries | None = None


def _registry(
    *,
    store: Annotated[str | None, described("registry --store", file=STORE)] = None,
    config: Annotated[str | None, described("registry --config", files=" or ".join(FILES))] = None,
) -> Registry:
    return Registry(store, config)


def _asking_registry(
    *,
    registry: Annotated[Registry, Group(_registry)],
    allowed: Annotated[Allowed, Group(_network)],
    keys: Keys = None,
    registries: RegistriesFile = None,
) -> Registry:
    return replace(
        registry,
        allowed=allowed,
        keys=tuple(keys or ()),
        will_fetch=True,
        registries=registries_of(registries),
    )


GivenLimits = Annotated[Given, Group(_given)]
Limited = Annotated[Checks, Group(_limits)]
LimitedAndRules = Annotated[Checks, Group(_rules)]
Network = Annotated[Allowed, Group(_network)]
Reachable = Annotated[Allowed, Group(_with_headers)]
KnownAgents = Annotated[Registry, Group(_registry)]
RequestedAgents = Annotated[Registry, Group(_asking_registry)]
