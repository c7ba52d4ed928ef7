"""Lint rules of the rules files: kinds, messages, and that a dialect uses each rule once."""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from codegen.lint_rules.fixes import fix_problems
from codegen.shape import pointer_of
from codegen.sources import Problem, is_vocabulary
from codegen.structural import KINDS, PICKED, PLACES, SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, RuleSet, Tree

# A rule of this kind is checked by JSON Schema; all others are generated as calls.
SCHEMA_KIND: Final = "schema"
_SCHEMA_WORDS: Final = ("value", "fault")
# Phases whose rules refuse patterns in texts, and nothing else.
TEXT_PHASES: Final = ("anywhere", "unicode")
_ANCHOR: Final = re.compile(r"(^|[^\\(\[])\^|\$|\\[Az]")
# A character that JSON escapes, or a character class that contains one.
_ESCAPED: Final = re.compile(r"\\[snrtfvWDPB]|\\\\|\"|\[\^|\(\?[a-z]*s")
# An escaped character or a character class, in which * and + are no repetitions.
_LITERAL: Final = re.compile(r"\\.|\[(?:\\.|[^\]])*\]")
_UNBOUNDED: Final = re.compile(r"[*+]|,\}")
_ALL_KINDS: Final = sorted({SCHEMA_KIND, *KINDS})


def rule_problems(tree: Tree) -> Iterator[Problem]:
    """Yield each violation of a lint rule in the rules files of a tree."""
    used = {path for dialect in tree.dialects for path in dialect.rules}
    for path, rule_set in tree.rule_sets.items():
        if path not in used and not tree.problems:
            yield Problem(path, "", "no dialect uses this file")
        yield from (Problem(path, f"/{name}", message) for name, message in _filters(rule_set))
        yield from (Problem(path, at, message) for at, message in fix_problems(tree, rule_set))
        ids: set[str] = set()
        for index, rule in enumerate(rule_set.rules):
            if not isinstance(rule, dict):
                continue
            at = f"/rules/{index}"
            users = [dialect for dialect in tree.dialects if path in dialect.rules]
            yield from (Problem(path, at + pointer, message) for pointer, message in _rule(tree, users, rule))
            if (rule_set.phase == "text") is not (rule.get("kind") == SIGNS):
                yield Problem(path, f"{at}/kind", f"the phase text and the kind {SIGNS} need each other")
            if rule_set.phase in TEXT_PHASES:
                fault = _text_fault(rule_set, rule)
                yield from [Problem(path, f"{at}/schema", fault)] if fault else []
            rule_id = str(rule.get("id"))
            if rule_id in ids:
                yield Problem(path, f"{at}/id", "duplicate id in this file")
            ids.add(rule_id)
    for dialect in tree.dialects:
        yield from _repeated(tree, dialect)
        yield from _shared_filters(tree, dialect)


def patterns_of(rule: Any) -> list[str]:
    """Return the patterns that a text must not match; empty if the rule does more than that."""
    schema = rule.get("schema")
    refused = schema.get("not") if isinstance(schema, dict) and len(schema) == 1 else None
    if not isinstance(refused, dict) or refused.get("type") != "string":
        return []
    arms = refused.get("anyOf", [refused])
    if not isinstance(arms, list) or not all(isinstance(arm, dict) for arm in arms):
        return []
    patterns = [str(arm.get("pattern", "^")) for arm in arms]
    return [] if any(_ANCHOR.search(pattern) for pattern in patterns) else patterns


def _text_fault(rule_set: RuleSet, rule: Any) -> str:
    """Return why a rule's patterns cannot be searched in the whole document's text first, or ""."""
    patterns = patterns_of(rule)
    if not patterns:
        shape = '{"not": {"type": "string", "pattern": …}} (or "anyOf" of patterns), none with ^ or $'
        return f"a rule about texts must have the form {shape}"
    escaped = [match[0] for pattern in patterns if (match := _ESCAPED.search(pattern))]
    if escaped and rule_set.escapes is None:
        return f"JSON escapes {escaped[0]}, so the pattern never matches a document's text: add `escapes` and `beyond`"
    return ""


def _filters(rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    patterns = {"escapes": rule_set.escapes, "beyond": rule_set.beyond}
    for name, pattern in patterns.items():
        if pattern is None and any(patterns.values()):
            yield name, "`escapes` and `beyond` need each other"
        elif pattern is not None and rule_set.phase not in TEXT_PHASES:
            yield name, f"only allowed in the phases {', '.join(TEXT_PHASES)}"
        elif pattern is not None:
            yield from ((name, fault) for _, fault in _faults({"pattern": pattern}))


def _repeated(tree: Tree, dialect: Dialect) -> Iterator[Problem]:
    home: dict[str, str] = {}
    for index, path in enumerate(dialect.rules):
        rules = tree.rule_sets[path].rules if path in tree.rule_sets else ()
        for rule_id in {str(rule.get("id")) for rule in rules if isinstance(rule, dict)}:
            if home.setdefault(rule_id, path) != path:
                yield Problem(
                    dialect.path, f"/rules/{index}", f"{home[rule_id]} and {path} both define {rule_id}"
                )


def _shared_filters(tree: Tree, dialect: Dialect) -> Iterator[Problem]:
    """Yield further files of a phase with a filter of its own: the filter would skip their rules."""
    sets = [
        (index, tree.rule_sets[path]) for index, path in enumerate(dialect.rules) if path in tree.rule_sets
    ]
    for index, rule_set in sets:
        others = [other for at, other in sets if at < index and other.phase == rule_set.phase]
        if others and any(entry.beyond is not None for entry in [*others, rule_set]):
            message = (
                f"{others[0].path} and {rule_set.path} share the phase {rule_set.phase} and its only filter"
            )
            yield Problem(dialect.path, f"/rules/{index}", message)


def _rule(tree: Tree, users: list[Dialect], rule: Any) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) of each problem of a rule, except violations of its shape."""
    kind = rule.get("kind")
    words: tuple[str, ...]
    needs: tuple[str, ...]
    if kind == SCHEMA_KIND:
        yield from _schema_of(tree, rule)
        words, needs = _SCHEMA_WORDS, (SCHEMA_KIND,)
    elif isinstance(kind, str) and kind in KINDS:
        words, needs = KINDS[kind].words, KINDS[kind].needs
        yield from _places(kind, rule)
    else:
        yield "/kind", f"must be one of {', '.join(_ALL_KINDS)}"
        return
    yield from _signs(rule)
    if "where" in rule and kind != "registered":
        yield "/where", "only allowed in a rule of kind registered"
    for name in needs:
        if name not in rule:
            yield f"/{name}", f"a rule of kind {kind} requires {name}"
    message = rule.get("message")
    fault = _message_fault(message, words) if isinstance(message, str) else ""
    if fault:
        yield "/message", fault
    vocabulary = rule.get("vocabulary")
    if isinstance(vocabulary, str) and not is_vocabulary(tree, vocabulary):
        yield "/vocabulary", f"there is no vocabulary {vocabulary}"
    spec = rule.get("spec")
    if isinstance(spec, dict) and "*" not in spec:
        for name in sorted(user.name for user in users if user.name not in spec):
            yield pointer_of(["spec", name]), f"no section for {name}, and no default `*`"


def _signs(rule: Any) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) of each pattern of a sign that Python refuses or that a text can make slow."""
    signs = rule.get("signs")
    for name, patterns in signs.items() if isinstance(signs, dict) else ():
        for index, pattern in enumerate(patterns if isinstance(patterns, list) else ()):
            at = pointer_of(["signs", name, index])
            try:
                re.compile(str(pattern))
            except re.error as error:
                yield at, f"invalid pattern: {error}"
            if _UNBOUNDED.search(_LITERAL.sub("_", str(pattern))):
                yield at, "repeats without a bound: write {0,20} instead of * or +"


def _places(kind: str, rule: Any) -> Iterator[tuple[str, str]]:
    place = PLACES[KINDS[kind].place]
    pointers = rule.get("at")
    for index, pointer in enumerate(pointers if isinstance(pointers, list) else ()):
        if not place.pattern.fullmatch(str(pointer)):
            yield f"/at/{index}", f"a rule of kind {kind} accepts {place.words}"
        elif "where" in rule and kind == "registered" and not PICKED.match(str(pointer)):
            yield f"/at/{index}", "`where` selects items at the first *: use /a/*/b or /a/b/*/c"


def _schema_of(tree: Tree, rule: Any) -> Iterator[tuple[str, str]]:
    for index, pointer in enumerate(rule["at"] if isinstance(rule.get("at"), list) else ()):
        if "**" in str(pointer).split("/")[:-1]:
            yield f"/at/{index}", "** (every value below) is only allowed at the end"
    if "except" in rule and rule.get("at") != ["/**"]:
        yield "/except", "only allowed in a rule whose `at` is /**"
    if not isinstance(rule.get("schema"), (dict, bool)):
        return
    for place, fault in _faults(rule["schema"]):
        yield pointer_of(["schema", *place]), fault
    for steps, used in _uses(rule["schema"], ("schema",)):
        if used not in tree.schemas and not tree.is_broken(used):
            yield pointer_of(steps), f"there is no schema {used}"


def _faults(schema: Any) -> Iterator[tuple[list[str | int], str]]:
    """Yield (steps, message) of each part of a schema that jsonschema-rs refuses; its patterns differ from Python's."""
    try:
        jsonschema_rs.validator_for(schema, pattern_options=jsonschema_rs.RegexOptions(), offline=True)
    except jsonschema_rs.ValidationError as error:
        yield list(error.instance_path), error.message


def _uses(node: Any, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield (steps, path) of every `x-use` in a rule's schema."""
    pairs = enumerate(node) if isinstance(node, list) else node.items() if isinstance(node, dict) else ()
    for step, value in pairs:
        if step == "x-use":
            yield (*steps, step), str(value)
        else:
            yield from _uses(value, (*steps, step))


def _message_fault(message: str, words: tuple[str, ...]) -> str:
    try:
        names = [name for _, name, _, _ in Formatter().parse(message) if name is not None]
    except ValueError as error:
        return f"invalid placeholders ({error}); write {{{{ and }}}} for braces"
    # Of each value there is a length: that of a text in characters, of a list in items.
    unknown = [name for name in names if name not in (*words, "length")]
    return f"unknown placeholder {{{unknown[0]}}}; use {', '.join(words)}" if unknown else ""
