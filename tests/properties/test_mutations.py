"""Example cards with a few bytes changed: nothing but `CardError` may come out, however odd the bytes."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import settings

from cardwright.card import Card
from cardwright.errors import CardError, MalformedDocument

EXAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parents[2] / "examples").rglob("*.json"))]
# Runs for each example that hypothesis would try: 50,000 in CI, half a million in `make nightly`.
RUNS_PER_EXAMPLE = 250
SEED = 2026
TOKENS = [
    b'"', b"{", b"}", b"[", b"]", b":", b",", b"null", b"true", b"-", b"1e999", b"9007199254740993", b"NaN",
    b"\\u0000", b"\\ud800", b"\\u202e", b"\\", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xf3\xa0\x81\x81", b"\x1b[31m",
    b'"url":"http://0.0.0.0"', b'"supportedInterfaces":[]', b'"protocolVersion":"1.0"', b'"signatures":[{"protected":"e30"}]',
    b'{"$ref":"#"}', b"[" * 70, b'"capabilities":[]', b'"schemaVersion":"9"', b'"skills":{}', b"sk-" + b"a" * 24,
]  # fmt: skip


def mutated(chance: random.Random, body: bytes) -> bytes:
    """Return bytes with one to four edits: a cut, a copy, a token put in, a byte flipped."""
    out = bytearray(body)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(out) + 1)
        match chance.randrange(4):
            case 0:
                del out[at : at + chance.randint(1, 40)]
            case 1:
                source = chance.choice(EXAMPLES)
                start = chance.randrange(len(source))
                out[at:at] = source[start : start + chance.randint(1, 200)]
            case 2:
                out[at:at] = chance.choice(TOKENS)
            case _:
                if at < len(out):
                    out[at] ^= 1 << chance.randrange(8)
    return bytes(out)


def test_changed_bytes_raise_only_card_errors() -> None:
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    runs = RUNS_PER_EXAMPLE * settings().max_examples
    read = 0
    for _ in range(runs):
        body = mutated(chance, chance.choice(EXAMPLES))
        try:
            card = Card.from_bytes(body)
        except MalformedDocument as error:
            assert error.rule.startswith("decode/")
        except CardError as error:
            assert str(error)
        else:
            read += 1
            assert all(violation.message.isprintable() for violation in card.violations)
    assert read > runs // 50, "hardly any run got past decoding"
