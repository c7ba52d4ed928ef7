"""Card synthesised from an MCP session: its rules, and the judge that asks them.

Generated from schemas/mcp/2024-11-05/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_models.engine import Judge
from cardwright_models.violation import Rule

if TYPE_CHECKING:
    from cardwright_models.engine import Vocabularies
    from cardwright_models.violation import Violation

RULES: Final[dict[str, Rule]] = {}


def structural(document: dict[str, Any], found: list[Violation], vocabularies: Vocabularies) -> None:
    """Add what breaks the rules that JSON Schema cannot say."""
    del document, found, vocabularies


JUDGE: Final = Judge(__package__ or "", RULES, structural)
