"""`Checks`: what a card is validated with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.registries import Registries

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies

# Rules that apply only where they are asked for: `text` finds text that instructs the model which reads the card.
RuleSet: TypeAlias = Literal["text"]
RULE_SETS: Final[tuple[RuleSet, ...]] = get_args(RuleSet)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The registries, limits and optional rule sets that a card is validated with.

    Attributes:
        registries: The names that the application has registered; the canonical cores where None.
        limits: How much of a document is read.
        rules: Optional rule sets to apply: `text` finds text that instructs the model which reads the card.

    >>> checks = Checks(limits=Limits(max_bytes=1024), rules=("text",))
    >>> checks.limits.max_depth
    64

    Raises:
        ValueError: If there is no rule set of a name.
    """

    registries: Registries | None = None
    limits: Limits = DEFAULT_LIMITS
    rules: tuple[RuleSet, ...] = ()

    def __post_init__(self) -> None:
        """Raise for a rule set that does not exist: it would silently check nothing."""
        for name in self.rules:
            if name not in RULE_SETS:
                raise ValueError(f"there is no rule set {name!r}; known are {', '.join(RULE_SETS)}")

    @property
    def vocabularies(self) -> Vocabularies:
        """The names that each open registry knows."""
        return _canonical() if self.registries is None else self.registries.by_name()


DEFAULT_CHECKS: Final = Checks()


@cache
def _canonical() -> Vocabularies:
    # Frozen, so that no caller can make one validation depend on another.
    return {name: frozenset(registry) for name, registry in Registries().by_name().items()}
