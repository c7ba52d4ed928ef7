"""The command line fixtures of `tests/cli`."""

from tests.cli.conftest import broken, card, checked, here, invalid, run, valid, warned

__all__ = ["broken", "card", "checked", "here", "invalid", "run", "valid", "warned"]
