"""An outline of a card: what a person looks for, in words, whatever the dialect.

Every text has gone through `members.words`: one printable line each.
"""

from __future__ import annotations

from dataclasses import dataclass

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Interface:
    """One way to reach the agent; `note` says what is special about it."""

    url: str
    binding: str
    version: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way to prove who is calling."""

    name: str
    kind: str
    description: str


@dataclass(frozen=True, slots=True)
class Skill:
    """One thing that the agent can do; `note` says what it takes or needs."""

    id: str
    name: str
    description: str
    tags: str
    examples: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Extension:
    """One declared extension."""

    uri: str
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A card as a person wants to read it.

    Attributes:
        requirements: The alternatives of proving who calls; any one of them will do.
        facts: Whatever else is worth a line, as label and value.
        unknown: Names of top-level members that the dialect does not know.
    """

    name: str
    version: str
    description: str
    provider: str
    interfaces: tuple[Interface, ...] = ()
    capabilities: Facts = ()
    schemes: tuple[Scheme, ...] = ()
    requirements: tuple[str, ...] = ()
    facts: Facts = ()
    skills: tuple[Skill, ...] = ()
    extensions: tuple[Extension, ...] = ()
    unknown: tuple[str, ...] = ()
