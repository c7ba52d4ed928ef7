"""The implementations that `python -m conformance.results` runs: the command of each adapter."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ADAPTERS: Final = HERE / "adapters"
ENVIRONMENTS: Final = HERE.parent / ".venv-conformance"


@dataclass(frozen=True, slots=True)
class Implementation:
    """One adapter, and how it is run.

    Attributes:
        id: The name of its list of expected failures and of its report.
        adapter: The file of the adapter.
        environment: The environment below `.venv-conformance`; "" for this one, "node" for JavaScript.
    """

    id: str
    adapter: str
    environment: str = ""

    @property
    def command(self) -> tuple[str, ...] | None:
        """The command and its arguments; None if the implementation is not installed."""
        file = str(ADAPTERS / self.adapter)
        if self.environment == "node":
            node = shutil.which("node")
            return (node, file) if node and (ADAPTERS / "node_modules").is_dir() else None
        if not self.environment:
            return (sys.executable, file)
        python = ENVIRONMENTS / self.environment / "bin" / "python"
        return (str(python), file) if python.exists() else None


IMPLEMENTATIONS: Final = (
    Implementation("cardwright", "cardwright_adapter.py"),
    Implementation("a2a-sdk-1", "a2a_sdk_1_adapter.py", "a2a-sdk-1"),
    Implementation("a2a-sdk-0.3", "a2a_sdk_0_3_adapter.py", "a2a-sdk-0.3"),
    Implementation("a2a-js-1", "a2a_js_1_adapter.mjs", "node"),
    Implementation("a2a-js-0.3", "a2a_js_0_3_adapter.mjs", "node"),
    Implementation("google-adk", "google_adk_adapter.py", "google-adk"),
    Implementation("fasta2a", "fasta2a_adapter.py", "fasta2a"),
    Implementation("python-a2a", "python_a2a_adapter.py", "python-a2a"),
    Implementation("a2a-lint", "a2a_lint_adapter.py", "a2a-lint"),
    Implementation("check-jsonschema", "check_jsonschema_adapter.py", "check-jsonschema"),
)
