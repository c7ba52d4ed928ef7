"""What the distribution `cardwright` needs: its dependencies, and the models of the same version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Dependencies(MetadataHookInterface):
    """Adds `cardwright-models`: of the checkout, so that `pip install .` works, or by version in what is released."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies of the project."""
        models = Path(self.root, "generated")
        is_checkout = (models / "pyproject.toml").is_file() and "CARDWRIGHT_RELEASE" not in os.environ
        place = (
            f"cardwright-models @ {models.as_uri()}"
            if is_checkout
            else f"cardwright-models=={metadata['version']}"
        )
        metadata["dependencies"] = [*self.config["dependencies"], place]
