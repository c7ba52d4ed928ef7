"""The generated pictures, by their path below `docs/pages/pictures`; they are in git, since the README shows one."""

from __future__ import annotations

from itertools import chain

from docs.sitegen.envelope_picture import envelope_picture
from docs.sitegen.picture import pictures


def all_pictures() -> dict[str, str]:
    """Return the text of every picture."""
    return dict(chain(pictures(), envelope_picture()))
