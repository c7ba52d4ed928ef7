"""Wycheproof's JWS and JWK vectors, through the functions that verify a card."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections import Counter
from typing import Any

from cardwright.errors import CardError
from cardwright.signing.base64url import decoded
from cardwright.signing.header import Unacceptable, read_header
from cardwright.signing.jws import holds
from cardwright.signing.keyset import KeySet
from tests.shared import shared

NOW = 1_800_000_000.0
# What is valid there and refused here on purpose, by the algorithm of its header: five sign cards.
UNSUPPORTED = {
    "json_web_key_test.json": {"HS256": 2, "HS384": 1, "HS512": 1},
    "json_web_signature_test.json": {
        "HS256": 10, "RS384": 4, "RS512": 4, "PS384": 6, "PS512": 4, "ES512": 2,
    },
}  # fmt: skip
FIGURES = {"json_web_key_test.json": (5, 21), "json_web_signature_test.json": (46, 355)}


def refusal(keys: Any, jws: Any) -> str:
    """Return why a compact signature does not count; empty where it holds."""
    parts = jws.split(".") if isinstance(jws, str) else []
    if len(parts) != 3:
        return "it has not three parts"
    payload = decoded(parts[1])
    if payload is None:
        return "its payload is not base64url"
    try:
        header = read_header({"protected": parts[0], "signature": parts[2]})
        key = KeySet.from_jwks(keys).find(header.kid, header.alg, NOW)
    except (Unacceptable, CardError) as error:
        return str(error)
    return "" if holds(payload, key, header) else "it does not hold"


def vectors(name: str) -> list[tuple[Any, dict[str, Any]]]:
    """Return (key or key set, test) of every vector in a file."""
    groups = json.loads((shared("oracles", "jose") / name).read_text(encoding="utf-8"))["testGroups"]
    return [(group.get("public", group["private"]), test) for group in groups for test in group["tests"]]


def algorithm(test: dict[str, Any]) -> str:
    head = test["jws"].split(".")[0].replace("?", "")
    alg: str = json.loads(urlsafe_b64decode(head + "=="))["alg"]
    return alg


def test_every_invalid_vector_is_refused() -> None:
    for name, (_, count) in FIGURES.items():
        invalid = [(keys, test) for keys, test in vectors(name) if test["result"] == "invalid"]

        accepted = [test["tcId"] for keys, test in invalid if not refusal(keys, test["jws"])]

        assert accepted == []
        assert len(invalid) == count >= 21
    assert sum(count for _, count in FIGURES.values()) >= 60


def test_every_valid_vector_of_a_supported_algorithm_is_accepted() -> None:
    for name, (count, _) in FIGURES.items():
        valid = [(keys, test) for keys, test in vectors(name) if test["result"] == "valid"]

        refused = Counter(algorithm(test) for keys, test in valid if refusal(keys, test["jws"]))

        assert refused == UNSUPPORTED[name]
        assert len(valid) == count


def test_an_unsupported_algorithm_is_the_only_reason_of_its_refusal() -> None:
    for name in FIGURES:
        for keys, test in vectors(name):
            if test["result"] == "valid" and "?" not in test["jws"] and refusal(keys, test["jws"]):
                assert refusal(keys, test["jws"]).startswith(f'unsupported algorithm "{algorithm(test)}"')


def test_the_vectors_about_signatures_are_refused_as_invalid_signatures() -> None:
    flags = {"ModifiedPadding", "ModifiedSignature"}
    changed = [
        (keys, test)
        for keys, test in vectors("json_web_signature_test.json")
        if flags.intersection(test["flags"]) and algorithm(test) in ("RS256", "PS256")
    ]

    reasons = Counter(refusal(keys, test["jws"]) for keys, test in changed)

    assert reasons.pop("it does not hold") >= 240
    assert all("signature" in reason for reason in reasons), reasons
