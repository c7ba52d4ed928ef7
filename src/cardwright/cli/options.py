"""Arguments and options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.checks import Checks, RuleSet
from cardwright.cli.option_groups import Group, option
from cardwright.cli.terminal import fail
from cardwright.errors import BadConfiguration
from cardwright_rules import DIALECTS, MESSAGES, ROWS, SERVERS

if TYPE_CHECKING:
    from cardwright.registries import Registries

# Defaults of `cardwright registry`: its database, and the files that list known agents.
STORE: Final = "agents.db"
FILES: Final = ("agents.yml", "agents.yaml", "agents.json")


def _known(name: str | None) -> str | None:
    return _one_of(name, list(DIALECTS))


def _convertible(name: str | None) -> str | None:
    return _one_of(name, convertible_names())


def _known_or_catalog(name: str | None) -> str | None:
    return _one_of(name, list(ROWS))


def _one_of(name: str | None, dialects: list[str]) -> str | None:
    if name is not None and name not in dialects:
        fail(f"unknown dialect {name!r}; known dialects: {', '.join(dialects)}")
    return name


def _names() -> list[str]:
    return list(DIALECTS)


def convertible_names() -> list[str]:
    """Return the dialects that `convert` reads and writes."""
    return [*DIALECTS, *SERVERS, *MESSAGES]


def _all_names() -> list[str]:
    return list(ROWS)


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH", help="Files, folders (every *.json in them), glob patterns, or - for standard input."
    ),
]
PathsOrUrls = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH|URL",
        help="Files, folders (every *.json in them), glob patterns, - for standard input, or URLs of cards or agents."
        " For an agent, its well-known URLs are requested.",
    ),
]
PathOrUrl = Annotated[
    str,
    typer.Argument(
        metavar="PATH|URL", help="A card file, - for standard input, or the URL of a card or agent."
    ),
]
MaybePathOrUrl = Annotated[
    str | None,
    typer.Argument(
        metavar="PATH|URL", help="A card file, - for standard input, or the URL of a card or agent."
    ),
]
Card = Annotated[str, typer.Argument(metavar="PATH", help="A card file, or - for standard input.")]
Format = Annotated[Literal["text", "json"], option("--format", "The format of the report.")]
# SARIF is for code hosts and editors, JUnit for build servers.
CheckFormat = Annotated[
    Literal["text", "json", "github", "gitlab", "sarif", "junit"],
    option(
        "--format",
        "The format of the report: github has annotations of GitHub Actions, gitlab is a Code Quality report.",
    ),
]
Excluded = Annotated[
    list[str] | None,
    option(
        "--exclude",
        "Leave out what matches this pattern of gitignore in folders. Can be repeated.",
        "PATTERN",
    ),
]
Keys = Annotated[
    list[str] | None,
    option(
        "--keys",
        "A file of trusted keys that verify signatures: a JSON Web Key Set, a trust store, one JSON Web Key or PEM."
        " Can be repeated.",
        "JWKS",
    ),
]
DialectName = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        callback=_known,
        autocompletion=_names,
        help=f"Validate against this dialect instead of detecting it: {', '.join(DIALECTS)}.",
    ),
]
AnyDialectName = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        callback=_known_or_catalog,
        autocompletion=_all_names,
        help=f"Validate against this dialect instead of detecting it: {', '.join(ROWS)}.",
    ),
]
ToDialect = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="NAME",
        callback=_convertible,
        autocompletion=convertible_names,
        help=f"Convert to this dialect: {', '.join(convertible_names())}.",
    ),
]
FromDialect = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="NAME",
        callback=_convertible,
        autocompletion=convertible_names,
        help="Read the document as this dialect instead of detecting it.",
    ),
]
RegistriesFile = Annotated[
    str | None,
    option(
        "--registries",
        "A file that names further transports, auth types, part types and conversation states of Beach. Default: the"
        " nearest cardwright.toml, or table [tool.cardwright] of a pyproject.toml.",
        "FILE",
    ),
]


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
    max_bytes: Annotated[
        int, option("--max-bytes", "Reject larger documents.", "N", min=1, max=2**30)
    ] = DEFAULT_LIMITS.max_bytes,
    max_depth: Annotated[
        int, option("--max-depth", "Reject deeper nesting.", "N", min=1, max=128)
    ] = DEFAULT_LIMITS.max_depth,
    max_members: Annotated[
        int, option("--max-members", "Reject objects with more fields.", "N", min=1, max=2**30)
    ] = DEFAULT_LIMITS.max_members,
    max_values: Annotated[
        int, option("--max-values", "Reject documents with more values.", "N", min=1, max=2**30)
    ] = DEFAULT_LIMITS.max_values,
    registries: RegistriesFile = None,
) -> Given:
    return Given(Limits(max_bytes, max_depth, max_members, max_values), registries)


def _limits(*, given: Annotated[Given, Group(_given)]) -> Checks:
    return Checks(limits=given.limits, registries=registries_of(given.registries))


Rules = Annotated[
    RuleSet | None,
    option(
        "--rules", "Apply an additional rule set: text finds instructions to the model that reads the card."
    ),
]


def _rules(*, limited: Annotated[Checks, Group(_limits)], rules: Rules = None) -> Checks:
    return replace(limited, rules=(rules,) if rules else ())


@dataclass(frozen=True, slots=True)
class Allowed:
    """The network addresses that options allow, and the header fields to send."""

    private: bool = False
    networks: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    headers: tuple[str, ...] = ()


_GUARD: Final = "Network access"


def _network(
    *,
    allow_private: Annotated[
        bool,
        option(
            "--allow-private",
            "Also connect to loopback and private addresses (RFC 1918, RFC 4193).",
            panel=_GUARD,
        ),
    ] = False,
    allow: Annotated[
        list[str] | None,
        option("--allow", "Also connect to this network. Can be repeated.", "CIDR", panel=_GUARD),
    ] = None,
    allow_port: Annotated[
        list[int] | None,
        option(
            "--allow-port",
            "Also connect to this port of public addresses, besides 80 and 443. Can be repeated.",
            "N",
            panel=_GUARD,
            min=1,
            max=65535,
        ),
    ] = None,
) -> Allowed:
    return Allowed(allow_private, tuple(allow or ()), tuple(allow_port or ()))


def _with_headers(
    *,
    guarded: Annotated[Allowed, Group(_network)],
    header: Annotated[
        list[str] | None,
        option(
            "--header",
            "Send this 'Name: value' header, only to the origin of the URL. Can be repeated.",
            "FIELD",
            panel=_GUARD,
        ),
    ] = None,
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
    store: Annotated[
        str | None,
        option("--store", f"The database: a file, or postgresql://… Default: {STORE}.", "FILE|URL"),
    ] = None,
    config: Annotated[
        str | None,
        option(
            "--config",
            f"The file that lists known agents. Default: {' or '.join(FILES)} in this folder.",
            "FILE",
        ),
    ] = None,
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
