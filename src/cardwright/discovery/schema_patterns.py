"""The cost of the patterns in an untrusted schema.

The engine of jsonschema-rs does not backtrack, but its time is the size of the compiled pattern multiplied by the
length of the text, and the interpreter waits for it: a pattern of thirty characters can need minutes for a text of
one megabyte. So the size of each pattern is known before a schema is compiled, and its cost before it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jsonschema_rs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# The maximum of characters of all patterns of a schema: about 100 ms of compilation (measured; project decision).
MAX_PATTERN_TEXT: Final = 4_000
# The maximum of patterns: each keeps a cache of `_CACHE_BYTES` (project decision).
MAX_PATTERNS: Final = 200
# The maximum of all sizes, and of one; the engine refuses a larger pattern (project decision).
MAX_PATTERN_BYTES: Final = 2 * 1024 * 1024
_SIZES: Final = (512, 4 * 1024, 32 * 1024, 256 * 1024, 1024 * 1024)
_CACHE_BYTES: Final = 256 * 1024
# Size multiplied by characters: about 50 ms, measured with jsonschema-rs 0.60 at 0.2 ns each (project decision).
MAX_MATCHING: Final = 1 << 28


def pattern_options(size: int = _SIZES[-1]) -> jsonschema_rs.RegexOptions:
    """Return the options of the engine without backtracking, for patterns up to a size."""
    return jsonschema_rs.RegexOptions(size_limit=size, dfa_size_limit=_CACHE_BYTES)


class Patterns(NamedTuple):
    """The patterns of a schema.

    Attributes:
        sizes: The size of each compiled pattern, in bytes, rounded up; 0 if the engine refuses it.
        too_costly: Why they cannot be compiled; "" if they can.
    """

    sizes: Mapping[str, int]
    too_costly: str = ""


def patterns_of(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the patterns of one schema, without those of its subschemas."""
    if isinstance(schema.get("pattern"), str):
        yield schema["pattern"]
    named = schema.get("patternProperties")
    yield from named if isinstance(named, dict) else ()


def measured(patterns: Iterable[str]) -> Patterns:
    """Return the sizes of patterns; nothing is measured that exceeds a limit."""
    distinct = dict.fromkeys(patterns)
    if len(distinct) > MAX_PATTERNS:
        return Patterns({}, f"the schema has more than {MAX_PATTERNS} patterns")
    if sum(map(len, distinct)) > MAX_PATTERN_TEXT:
        return Patterns({}, f"the patterns of the schema have more than {MAX_PATTERN_TEXT:,} characters")
    sizes: dict[str, int] = {}
    total = 0
    for pattern in distinct:
        sizes[pattern] = _size(pattern)
        total += sizes[pattern]
        if total > MAX_PATTERN_BYTES:
            return Patterns({}, f"the compiled patterns of the schema exceed {MAX_PATTERN_BYTES:,} bytes")
    return Patterns(sizes)


def _size(pattern: str) -> int:
    for size in _SIZES:
        try:
            jsonschema_rs.Draft202012Validator(
                {"pattern": pattern}, validate_formats=False, pattern_options=pattern_options(size)
            )
        except jsonschema_rs.ValidationError:
            continue
        return size
    return 0
