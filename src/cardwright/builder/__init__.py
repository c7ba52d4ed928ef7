"""Cards from Python: `build_agent_card`, and functions as skills and capabilities."""

from cardwright.builder.build import build_agent_card
from cardwright.builder.decorators import capability, skill
from cardwright.builder.described import DescribedFunction

__all__ = ["DescribedFunction", "build_agent_card", "capability", "skill"]
