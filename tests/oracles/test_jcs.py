"""RFC 8785 by its author's own test data: documents, and the sequence of doubles as ES6 writes them."""

from __future__ import annotations

import hashlib
import json
import math
import os
import struct
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.jcs import canonical_bytes
from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS = json.loads((Path(__file__).parent / "es6-numbers.json").read_text(encoding="utf-8"))
CHECKSUMS = {int(lines): checksum for lines, checksum in NUMBERS["sha256"].items()}
LINES = 1_000_000 if os.environ.get("HYPOTHESIS_PROFILE") == "fuzz" else 100_000


@pytest.mark.parametrize("name", ["arrays", "french", "structures", "unicode", "values", "weird"])
def test_the_documents_of_rfc_8785_are_written_as_it_writes_them(name: str) -> None:
    data = shared("oracles", "jcs", "testdata")

    written = canonical_bytes(decode((data / "input" / f"{name}.json").read_bytes()))

    assert written == (data / "output" / f"{name}.json").read_bytes()
    assert written == bytes.fromhex((data / "outhex" / f"{name}.txt").read_text(encoding="ascii"))


@pytest.mark.bulk
def test_doubles_are_written_as_es6_writes_them_and_read_back() -> None:
    found: dict[int, str] = {}
    checksum = hashlib.sha256()
    for count, double in enumerate(islice(doubles(), LINES), start=1):
        number = canonical_bytes(double)
        (bits,) = struct.unpack("<Q", struct.pack("<d", double))
        checksum.update(f"{bits:x},{number.decode()}\n".encode())
        if count in CHECKSUMS:
            found[count] = checksum.hexdigest()
        assert read_back(number) == double
    assert found == {lines: checksum for lines, checksum in CHECKSUMS.items() if lines <= LINES}


def doubles() -> Iterator[float]:
    """Yield the doubles of the sequence: chosen ones, the least normal ones, then chained digests."""
    for bits in (*(int(digits, 16) for digits in NUMBERS["first"]), *range(2**52, 2**52 + 2000)):
        yield from struct.unpack("<d", struct.pack("<Q", bits))
    block = bytes(32)
    while True:
        block = hashlib.sha256(block).digest()
        yield from (double for double in struct.unpack("<4d", block) if double and math.isfinite(double))


def read_back(number: bytes) -> float:
    try:
        return float(decode(number))
    except MalformedDocument as error:
        # A whole double past 2^53 - 1 is written as an integer up to 1e21, which decode refuses.
        assert error.rule == "decode/integer-range"
        assert number.lstrip(b"-").isdigit()
        assert 2**53 <= abs(int(number)) < 10**21
        return float(number)
