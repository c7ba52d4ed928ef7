"""Build cards in Python: `build_a2a_card`, `build_beach_card`, and functions as skills and capabilities."""

from cardwright.builder.build import build_a2a_card, build_agent_card, build_beach_card
from cardwright.builder.decorators import capability, skill
from cardwright.builder.described import DescribedFunction

__all__ = [
    "DescribedFunction",
    "build_a2a_card",
    "build_agent_card",
    "build_beach_card",
    "capability",
    "skill",
]
