"""The pytest plugin: fixtures for agent cards, and `--cardwright-cards` to test card files.

It imports cardwright when a fixture or the option is used.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardwright.card import Card
    from cardwright.testing import LoopbackAgent

_FILES: pytest.StashKey[frozenset[Path]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("cardwright", "agent cards")
    group.addoption(
        "--cardwright-cards",
        action="append",
        default=[],
        metavar="GLOB",
        help="also test the agent cards that match this pattern, relative to the root folder; can be repeated",
    )
    group.addoption(
        "--cardwright-strict",
        action="store_true",
        help="fail the agent cards of --cardwright-cards with warnings",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Add the card files to what is collected.

    Raises:
        UsageError: If a pattern matches no file.
    """
    patterns: list[str] = config.getoption("--cardwright-cards") or []
    if not patterns:
        return
    files: list[Path] = []
    for pattern in patterns:
        found = sorted(path for path in config.rootpath.glob(pattern) if path.is_file())
        if not found:
            raise pytest.UsageError(f"--cardwright-cards: no file in {config.rootpath} matches {pattern!r}")
        files += found
    config.stash[_FILES] = frozenset(files)
    config.args += [str(path) for path in files]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a card file."""
    if file_path not in parent.config.stash.get(_FILES, frozenset()):
        return None
    collector: pytest.Collector = CardFile.from_parent(parent, path=file_path)
    return collector


class CardFile(pytest.File):
    """A file with an agent card: one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the test."""
        yield CardItem.from_parent(self, name="card")


class CardItem(pytest.Item):
    """The test that an agent card is valid."""

    def runtest(self) -> None:
        """Validate the card.

        Raises:
            InvalidCardFile: If it is not valid.
        """
        from cardwright.testing import validity_of

        _, fault = validity_of(self.path, strict=bool(self.config.getoption("--cardwright-strict")))
        if fault:
            raise InvalidCardFile(fault)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the violations without a traceback."""
        if isinstance(excinfo.value, InvalidCardFile):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place and the name of the test."""
        return self.path, None, f"agent card {self.path.name}"


class InvalidCardFile(Exception):
    """A card file is not valid; the message has its violations."""


@pytest.fixture
def agent_card() -> Callable[..., Card]:
    """A function that fails the test unless an agent card is valid, and returns it: `assert_valid_card`."""
    from cardwright.testing import assert_valid_card

    return assert_valid_card


@pytest.fixture
def serve_agent() -> Iterator[Callable[..., LoopbackAgent]]:
    """A function that starts a `LoopbackAgent` until the end of the test: `serve_agent(card, replies=["Good day"])`."""
    from cardwright.testing import LoopbackAgent

    with ExitStack() as agents:

        def serve(card: Any = None, replies: Any = ()) -> LoopbackAgent:
            return agents.enter_context(LoopbackAgent(card, replies))

        yield serve
