"""Header fields in settings files, for requests to a peer."""

from __future__ import annotations

import re
from typing import Final

from cardwright.errors import BadConfiguration
from cardwright.guard import OWN_FIELDS

# The characters of a header field value (RFC 9110 §5.5), after variables are filled in.
_FIELD_VALUE: Final = re.compile(r"[\x20-\x7e]*")


def check_header(pointer: str, name: str, value: str) -> None:
    """Check a header field for requests to a peer, with its variables filled in.

    Raises:
        BadConfiguration: If the client sets the field itself, or the value is not valid.
    """
    if name.lower() in OWN_FIELDS:
        raise BadConfiguration("", f"{pointer}: remove the header {name}; the HTTP client sets it")
    if not _FIELD_VALUE.fullmatch(value):
        raise BadConfiguration(
            "", f"{pointer}: the value of the header {name}, with variables filled in, is not printable ASCII"
        )
