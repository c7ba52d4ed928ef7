"""What the distribution `cardwright` needs: its dependencies, and the other distributions of the same version."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# The folder of each other distribution, with the extra that installs it; the models are always installed.
_OTHERS = {
    "cardwright-models": ("generated", ""),
    "cardwright-beach": ("src/cardwright_beach", "beach"),
    "cardwright-gateway": ("src/cardwright_gateway", "gateway"),
}


class Dependencies(MetadataHookInterface):
    """Adds the other distributions: of the checkout, so that `pip install .` works, or by version in what is released."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies, and complete the extras."""
        needed = {"": [*self.config["dependencies"]]}
        needed |= {extra: [*listed] for extra, listed in self.config["optional-dependencies"].items()}
        for name, (folder, extra) in _OTHERS.items():
            if extra:
                # So that the requirements of an extra can be pinned.
                needed[extra] += self._of_others(folder)
            needed[extra] += self._place(name, folder, metadata["version"])
        metadata["dependencies"] = needed.pop("")
        metadata["optional-dependencies"] = needed

    def _of_others(self, folder: str) -> list[str]:
        """Return what a distribution needs of others."""
        text = Path(self.root, folder, "pyproject.toml").read_text(encoding="utf-8")
        listed: list[str] = tomllib.loads(text)["project"]["dependencies"]
        return [one for one in listed if not one.startswith("cardwright")]

    def _place(self, name: str, folder: str, version: str) -> list[str]:
        release = os.environ.get("CARDWRIGHT_RELEASE", "")
        if release == "pin" and name != "cardwright-models":
            # It requires cardwright, which no index has while its requirements are pinned.
            return []
        # What is built from a source distribution takes them by version, too: this file is not in it.
        checkout = release in ("", "pin") and Path(self.root, "generated/pyproject.toml").is_file()
        return [f"{name} @ {Path(self.root, folder).as_uri()}" if checkout else f"{name}=={version}"]
