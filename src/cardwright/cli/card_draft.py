"""The draft of the card that `cardwright init` creates, and the validation of each answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.builder import build_agent_card
from cardwright.errors import CardError, InvalidCard

if TYPE_CHECKING:
    from cardwright.card import Card

A2A: Final = "a2a-1.0"
BEACH: Final = "beach-1.0"
DIALECTS: Final = (A2A, BEACH)

_SKILL: Final = re.compile(r"\s*([^\s:]+)\s*:\s*(.*?)((?:\s+#\S+)*)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of the agent.

    Attributes:
        id: Its id.
        description: What it does.
        tags: Keywords for catalogs; if empty, the id is used, since A2A requires one.
    """

    id: str
    description: str
    tags: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Skill | None:
        """Return the skill in the form `id: description #tag #tag`, or None if the form is wrong.

        >>> Skill.read("times: Finds times of high water. #sea")
        Skill(id='times', description='Finds times of high water.', tags=('sea',))
        """
        match = _SKILL.fullmatch(text)
        if match is None or not match[2]:
            return None
        return cls(match[1], match[2], tuple(tag.removeprefix("#") for tag in match[3].split()))

    def to_wire(self, dialect: str) -> dict[str, Any]:
        """Return the skill as a card contains it; in a Beach card it is a capability."""
        if dialect == BEACH:
            return {"id": self.id, "description": self.description}
        name = re.sub(r"[-_.]+", " ", self.id).strip() or self.id
        tags = list(self.tags or (self.id,))
        return {
            "id": self.id,
            "name": name[:1].upper() + name[1:],
            "description": self.description,
            "tags": tags,
        }


@dataclass(frozen=True, slots=True)
class Draft:
    """The answers so far; the defaults make a card without errors."""

    dialect: str = A2A
    name: str = "Agent"
    description: str = "An agent."
    version: str = "0.1.0"
    url: str = "https://agent.example.com/a2a"
    skills: tuple[Skill, ...] = (Skill("skill", "It does a thing."),)
    provider: str = ""
    provider_url: str = ""
    streaming: bool = False
    id: str = ""

    @property
    def slug(self) -> str:
        """The id of a Beach card: as given, or derived from the name."""
        return self.id or re.sub(r"[^a-z0-9]+", "-", self.name.casefold()).strip("-") or "agent"

    def card(self) -> Card:
        """Return the card.

        Raises:
            CardError: If the card would have errors.
        """
        skills = [skill.to_wire(self.dialect) for skill in self.skills]
        if self.dialect == BEACH:
            provider = {"name": self.provider, "url": self.provider_url}
            return build_agent_card(
                id=self.slug,
                name=self.name,
                description=self.description,
                version=self.version,
                capabilities=skills,
                transports=[{"protocol": "a2a", "version": "1.0", "endpoint": self.url}],
                provider={name: value for name, value in provider.items() if value} or None,
            )
        return build_agent_card(
            name=self.name,
            description=self.description,
            version=self.version,
            url=self.url,
            skills=skills,
            provider={"organization": self.provider, "url": self.provider_url} if self.provider else None,
            streaming=self.streaming,
        )


def fault(dialect: str, **answers: Any) -> str | None:
    """Return the error that answers cause in an otherwise valid card, or None."""
    for value in answers.values():
        if isinstance(value, str) and not value.strip():
            return "a value is required"
    try:
        replace(Draft(dialect=dialect), **answers).card()
    except InvalidCard as error:
        errors = (violation for violation in error.violations if violation.severity == "error")
        return next(violation.message for violation in errors)
    except CardError as error:
        return str(error)
    return None
