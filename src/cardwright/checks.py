"""`Checks`: the registries, limits and optional rule sets of a validation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.registries import Registries

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies

# Optional rule sets: `text` finds text that instructs the model which reads the card.
RuleSet: TypeAlias = Literal["text"]
RULE_SETS: Final[tuple[RuleSet, ...]] = get_args(RuleSet)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The registries, limits and optional rule sets that a card is validated with.

    Attributes:
        registries: The names that the application has registered; the canonical cores by default.
        limits: The maximum size of a document.
        rules: Optional rule sets to apply: `text` finds text that instructs the model which reads the card.

    >>> checks = Checks(limits=Limits(max_bytes=1024), rules=("text",))
    >>> checks.limits.max_depth
    64

    Raises:
        ValueError: If a rule set does not exist.
    """

    registries: Registries | None = None
    limits: Limits = DEFAULT_LIMITS
    rules: tuple[RuleSet, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an unknown rule set, which would check nothing."""
        for name in self.rules:
            if name not in RULE_SETS:
                raise ValueError(f"unknown rule set {name!r}; use {', '.join(RULE_SETS)}")

    @property
    def vocabularies(self) -> Vocabularies:
        """The known names of each open registry, by the registry's name."""
        return _canonical() if self.registries is None else self.registries.by_name()


DEFAULT_CHECKS: Final = Checks()
# For cards of others whose texts go to models: in a registry, its gateway and `discover` (project decision).
ADVISORY_CHECKS: Final = Checks(rules=RULE_SETS)


@cache
def _canonical() -> Vocabularies:
    # Frozen, so that no caller can make one validation depend on another.
    return {name: frozenset(registry) for name, registry in Registries().by_name().items()}
