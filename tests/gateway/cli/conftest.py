"""The command line, as in `tests/cli`."""

from tests.cli.conftest import broken, card, checked, here, invalid, run, valid, warned

__all__ = ["broken", "card", "checked", "here", "invalid", "run", "valid", "warned"]
