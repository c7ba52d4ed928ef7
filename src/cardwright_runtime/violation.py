"""Results of validation: rules, violations and fixes as frozen values.

A JSON Pointer is RFC 6901 text; a patch is a list of RFC 6902 operations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from cardwright_runtime.on_demand import OnDemand

JsonValue: TypeAlias = "None | bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue]"
# A decoded JSON object, and a read-only one; their values are JSON values.
JsonObject: TypeAlias = dict[str, Any]
JsonMapping: TypeAlias = Mapping[str, Any]
Severity: TypeAlias = Literal["error", "warning"]

# A message quotes at most this much of a value: enough to find it, too little to flood a terminal.
QUOTE_CHARACTERS: Final = 60
MESSAGE_CHARACTERS: Final = 400

# The userinfo of a URL and the prefixes of secrets: a message quotes the prefix of a secret at most.
_USERINFO: Final = re.compile(r"(://)[^/?#\s]*@")
_SECRET: Final = re.compile(
    r"(sk-|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|xox[abeprs]-|AIza|ya29\.|eyJ|-----BEGIN|npm_|hf_|bak_|[sr]k_(live|test)_|SG\.|gsk_|whsec_|pypi-AgEI|GOCSPX-|AGE-SECRET-KEY-)\S{8,}"
)
# The shortest secret: "hf_" or "sk-", and eight characters.
_SECRET_CHARACTERS: Final = 11
# Characters that Unicode calls printable and that are invisible: fillers, joiners and variation selectors.
# A single U+FE0F is allowed, because it selects an emoji.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
    "|\ufe0f(?=\ufe0f)|(?<=\ufe0f)\ufe0f"
)
_ESCAPE: Final = str.maketrans({"~": "~0", "/": "~1"})


@dataclass(frozen=True, slots=True)
class Fix:
    """A patch that fixes a violation.

    ``safe`` is true if the patch does not change the meaning of the card; otherwise it adds an assumption.
    ``invents`` is true if it writes a placeholder for what describes the agent, such as its name.
    """

    safe: bool
    description: str
    patch: tuple[Mapping[str, JsonValue], ...]
    invents: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the `schemas/rules` folder, as a dialect uses it."""

    id: str
    severity: Severity
    spec: str
    message: str

    @property
    def explains(self) -> bool:
        """Whether the message includes the explanation of the schema error."""
        return "{fault}" in self.message


@dataclass(frozen=True, slots=True)
class Violation(OnDemand):
    """One finding in a document: the rule, the place, the message and an optional fix, made when it is first read."""

    rule: str
    severity: Severity
    pointer: str
    message: str
    spec: str
    fix: Fix | None = None

    def with_fix(self, make: Callable[[Violation], Fix | None]) -> Violation:
        """Return this violation with the fix that `make` returns for it; it is called at the first use of the fix."""
        return self.on_demand(lambda: {"fix": make(self)}, **self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the violation as a JSON object, without its fix."""
        return {name: getattr(self, name) for name in ("rule", "severity", "pointer", "message", "spec")}


def pointer_of(path: Iterable[str | int]) -> str:
    """Return the JSON Pointer (RFC 6901 §3) of a path of field names and array indices."""
    pointer = ""
    for step in path:
        text = str(step)
        pointer += "/" + (text.translate(_ESCAPE) if "/" in text or "~" in text else text)
    return pointer


def steps_of(pointer: str) -> list[str]:
    """Return the field names and indices of a JSON Pointer, all as text."""
    if "~" in pointer:
        return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    return pointer.split("/")[1:]


def escaped(text: str) -> str:
    """Return text with each unprintable or invisible character as an escape sequence."""
    return unseen_as(text, _escape_sequence)


def unseen_as(text: str, form: Callable[[str], str]) -> str:
    """Return text with each unprintable or invisible character replaced by `form(character)`."""
    if text.isascii() and text.isprintable():
        return text
    visible = _INVISIBLE.sub(lambda match: form(match[0]), text)
    return "".join(c if c.isprintable() else form(c) for c in visible)


def _escape_sequence(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


def clipped(text: str) -> str:
    """Return text for a message: escaped, and at most `MESSAGE_CHARACTERS` long."""
    short = escaped(text[: MESSAGE_CHARACTERS + 1])
    return f"{short[:MESSAGE_CHARACTERS]}…" if len(short) > MESSAGE_CHARACTERS else short


def quote(value: object) -> str:
    """Return a short, printable form of a JSON value for a message, with secrets redacted."""
    match value:
        case str():
            text = value[: 4 * QUOTE_CHARACTERS]
            text = _USERINFO.sub(r"\1…@", text) if "@" in text else text
            text = _SECRET.sub(r"\1…", text) if len(text) >= _SECRET_CHARACTERS else text
            short = escaped(text[: QUOTE_CHARACTERS + 1])
            return f'"{short[:QUOTE_CHARACTERS]}…"' if len(short) > QUOTE_CHARACTERS else f'"{short}"'
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Mapping():
            return "an object" if value else "an empty object"
        case list() | tuple():
            return "an array" if value else "an empty array"
        case _:
            return repr(value)[:QUOTE_CHARACTERS]


def break_rule(rule: Rule, pointer: str, value: object, **words: str) -> Violation:
    """Return the violation of a rule by a value at a pointer; `words` fill the placeholders of its message."""
    message = rule.message
    if "{" in message:
        clipped_words = {name: clipped(word) for name, word in words.items()}
        length = f"{len(value):,}" if "{length}" in message and isinstance(value, (str, list)) else ""
        message = message.format(value=quote(value), length=length, **clipped_words)
    return Violation(rule.id, rule.severity, pointer, message, rule.spec)
