"""An outline of a card: what a person looks for, in words, whatever the dialect.

Every text has gone through `members.words`: one printable line each; only `prose`, `members.prose`, has several.
Schemas and params are JSON values as the card has them, shared with its document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardwright.outline.members import entries, words

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
    """One thing that the agent can do.

    Attributes:
        prose: The description with its line breaks, as far as a page has room.
        needs: What it asks of the caller besides what the card asks, in words.
        facts: Its modes, and whatever else is worth a line, as label and value.
        input_schema: The JSON Schema of what it takes, or None.
        output_schema: The JSON Schema of what it gives, or None.
    """

    id: str = ""
    name: str = ""
    description: str = ""
    prose: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    needs: str = ""
    facts: Facts = ()
    input_schema: Any = None
    output_schema: Any = None

    @property
    def note(self) -> str:
        """What it needs, and the names of what it takes, in one line."""
        takes = ", ".join(words(name) for name in entries(self.input_schema, "properties"))
        told = (f"needs {self.needs}" if self.needs else "", f"takes {takes}" if takes else "")
        return "; ".join(filter(None, told))


@dataclass(frozen=True, slots=True)
class Extension:
    """One declared extension; `params` is what it is declared with, or None."""

    uri: str
    required: bool
    description: str
    params: Any = None


@dataclass(frozen=True, slots=True)
class Outline:
    """A card as a person wants to read it.

    Attributes:
        recognised: Why the card is read as its dialect.
        prose: The description with its line breaks, as far as a page has room.
        provider_url: Where the provider is found.
        requirements: The alternatives of proving who calls; any one of them will do.
        facts: Whatever else is worth a line, as label and value.
        signatures: How many there are; none of them is verified here.
        unknown: Names of top-level members that the dialect does not know.
    """

    name: str
    version: str
    description: str
    provider: str
    provider_url: str = ""
    prose: str = ""
    recognised: str = ""
    interfaces: tuple[Interface, ...] = ()
    capabilities: Facts = ()
    schemes: tuple[Scheme, ...] = ()
    requirements: tuple[str, ...] = ()
    facts: Facts = ()
    skills: tuple[Skill, ...] = ()
    extensions: tuple[Extension, ...] = ()
    signatures: int = 0
    unknown: tuple[str, ...] = ()
