"""The parts of an outline: the information of a card as text, the same for every dialect.

Every text comes from `fields.words` and is one printable line; only `prose`, from `fields.prose`, has several.
Schemas and params are the JSON values of the card, shared with its document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardwright.outline.fields import noted, words
from cardwright.view.fields import entries

Facts = tuple[tuple[str, str], ...]


def stated(*facts: tuple[str, str]) -> Facts:
    """Return the facts that have a value."""
    return tuple((label, value) for label, value in facts if value)


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface of the agent; `note` has further details, such as its tenant."""

    url: str
    binding: str
    version: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scheme:
    """One security scheme."""

    name: str
    kind: str
    description: str


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill of the agent.

    Attributes:
        prose: The description with its line breaks, shortened for a page.
        needs: Its own security requirements, as text.
        facts: Its media types and other details, as (label, value).
        input_schema: The JSON Schema of the input, or None.
        output_schema: The JSON Schema of the output, or None.
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
        """Its security requirements and the names of its parameters, in one line."""
        parameters = ", ".join(words(name) for name in entries(self.input_schema, "properties"))
        return noted(
            f"needs {self.needs}" if self.needs else "",
            f"parameters {parameters}" if parameters else "",
        )


@dataclass(frozen=True, slots=True)
class Extension:
    """One declared extension; `params` are its parameters, or None."""

    uri: str
    required: bool
    description: str
    params: Any = None


@dataclass(frozen=True, slots=True)
class Outline:
    """The information of a card as text.

    Attributes:
        recognised: The evidence for its dialect.
        prose: The description with its line breaks, shortened for a page.
        provider_url: The URL of the provider.
        requirements: The alternative security requirements.
        facts: Other details, as (label, value).
        signatures: The number of signatures, which are not verified here.
        unknown: Names of top-level fields that the dialect does not define.
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
