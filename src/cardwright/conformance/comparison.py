"""What is compared of an answer: only what the answer says, and at least what its operation demands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright.conversion.notes import value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.conformance.kit import Case
    from cardwright_runtime.violation import JsonValue

Answer: TypeAlias = dict[str, Any]


def answer_fault(case: Case, answer: Answer) -> str:
    """Return why an answer is wrong; "" if it is right.

    `exchanges` checks the answer to `serve`, which is the address of a server.
    """
    return _FAULTS[case.operation](case.expect, answer)


def _decode(expect: Mapping[str, Any], answer: Answer) -> str:
    return _member(expect, answer, "accepted")


def _detect(expect: Mapping[str, Any], answer: Answer) -> str:
    return _member(expect, answer, "dialect")


def _validate(expect: Mapping[str, Any], answer: Answer) -> str:
    wrong = _member(expect, answer, "valid")
    found = answer.get("violations")
    if wrong or found is None:
        return wrong
    wanted = expect.get("violations", expect.get("includes", ()))
    # Of an implementation with rules of its own, only the places are compared.
    named = all("rule" in one for one in (*found, *wanted))
    lacking = _texts(wanted, named) - _texts(found, named)
    surplus = _texts(found, named) - _texts(wanted, named) if "violations" in expect else set()
    faults = [f"not reported: {', '.join(sorted(lacking))}"] if lacking else []
    faults += [f"reported: {', '.join(sorted(surplus))}"] if surplus else []
    return "; ".join(faults)


def _texts(violations: Iterable[dict[str, Any]], named: bool) -> set[str]:  # noqa: FBT001 - says which of two texts
    return {
        f"{one['rule']} at {one['pointer'] or '(root)'}" if named else one["pointer"] or "(root)"
        for one in violations
    }


def _convert(expect: Mapping[str, Any], answer: Answer) -> str:
    document = answer.get("document")
    if not isinstance(document, (dict, list)):
        return "the answer has no document"
    for pointer, value in expect.get("values", {}).items():
        found = value_at(document, pointer)
        if found is None:
            return f"{pointer}: nothing instead of {_shown(value)}"
        if not same(found[0], value):
            return f"{pointer}: {_shown(found[0])} instead of {_shown(value)}"
    for pointer in expect.get("present", ()):
        if value_at(document, pointer) is None:
            return f"{pointer}: is missing"
    for pointer in expect.get("absent", ()):
        found = value_at(document, pointer)
        if found is not None:
            return f"{pointer}: {_shown(found[0])}, which must not be there"
    if "lost" in answer:
        lost = [f"{pointer}/" for pointer in answer["lost"]]
        for pointer in expect.get("lost", ()):
            # A loss may be named as a whole, or by its parts.
            if not any(one.startswith(f"{pointer}/") or f"{pointer}/".startswith(one) for one in lost):
                return f"the loss of {pointer} is not reported"
    return ""


def _diff(expect: Mapping[str, Any], answer: Answer) -> str:
    wrong = _member(expect, answer, "bump")
    if wrong or "kinds" not in answer or "kinds" not in expect:
        return wrong
    return _member({"kinds": sorted(expect["kinds"])}, {"kinds": sorted(answer["kinds"])}, "kinds")


def _canonical(expect: Mapping[str, Any], answer: Answer) -> str:
    return _member({"bytes": expect.get("bytes")}, answer, "bytes")


def _sign(expect: Mapping[str, Any], answer: Answer) -> str:
    from cardwright.signing.header import Unacceptable, read_header
    from cardwright.signing.jws import holds
    from cardwright.signing.keys import Key

    try:
        header = read_header(answer.get("signature"))
    except Unacceptable as error:
        return str(error)
    if (header.alg, header.kid) != (expect["alg"], expect["kid"]):
        return f"the header names {header.alg} and {header.kid}, not {expect['alg']} and {expect['kid']}"
    if not holds(expect["payload"].encode(), Key.from_jwk(expect["key"]), header):
        return "the signature is not valid for the canonical bytes of the card"
    return ""


def _verify(expect: Mapping[str, Any], answer: Answer) -> str:
    # A document that is refused before its signatures are looked at verifies nothing.
    wrong = _member({"verified": expect.get("verified", False)}, answer, "verified")
    if wrong or "signatures" not in answer or "signatures" not in expect:
        return wrong
    found, wanted = answer["signatures"], expect["signatures"]
    if len(found) != len(wanted):
        return f"{len(found)} results for {len(wanted)} signatures"
    for index, (one, other) in enumerate(zip(found, wanted, strict=True)):
        for name in ("verified", "profile", "uncovered"):
            if name in one and name in other and _sorted(one[name]) != _sorted(other[name]):
                return f"signature {index}: {name} is {_shown(one[name])} instead of {_shown(other[name])}"
    return ""


_FAULTS: Final[dict[str, Callable[[Mapping[str, Any], Answer], str]]] = {
    "decode": _decode,
    "detect": _detect,
    "validate": _validate,
    "convert": _convert,
    "diff": _diff,
    "canonical": _canonical,
    "sign": _sign,
    "verify": _verify,
}


def _member(expect: Mapping[str, Any], answer: Answer, name: str) -> str:
    if name not in answer:
        return f"the answer has no {name}"
    if same(answer[name], expect[name]):
        return ""
    return f"{name} is {_shown(answer[name])} instead of {_shown(expect[name])}"


def same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are one JSON value: 1 and 1.0 are, 1 and true are not.

    >>> same({"a": 1, "b": []}, {"b": [], "a": 1.0}), same(1, True)
    (True, False)
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


# Longer values would hide what differs (project decision).
_LONGEST: Final = 160
