"""House rules of the rules: their kinds, their messages, and that a dialect asks each of them once."""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from codegen.lint_rules.fixes import fix_problems
from codegen.shape import pointer_of
from codegen.sources import Problem, is_vocabulary
from codegen.structural import KINDS, PICKED, PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, RuleSet, Tree

# A rule of this kind is judged by JSON Schema; all others are printed as calls.
SCHEMA_KIND: Final = "schema"
_SCHEMA_WORDS: Final = ("value", "fault")
# Phases whose rules refuse patterns in texts, and nothing else.
TEXT_PHASES: Final = ("anywhere", "unicode")
_ANCHOR: Final = re.compile(r"(^|[^\\(\[])\^|\$|\\[Az]")
# What JSON writes as an escape, or a class that holds such a character.
_ESCAPED: Final = re.compile(r"\\[snrtfvWDPB]|\\\\|\"|\[\^|\(\?[a-z]*s")
_ALL_KINDS: Final = sorted({SCHEMA_KIND, *KINDS})


def rule_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what breaks a house rule in any file of rules."""
    used = {path for dialect in tree.dialects for path in dialect.rules}
    for path, rule_set in tree.rule_sets.items():
        if path not in used and not tree.problems:
            yield Problem(path, "", "no dialect uses this file")
        yield from (Problem(path, f"/{name}", message) for name, message in _filters(rule_set))
        yield from (Problem(path, at, message) for at, message in fix_problems(tree, rule_set))
        seen: set[str] = set()
        for index, rule in enumerate(rule_set.rules):
            if not isinstance(rule, dict):
                continue
            at = f"/rules/{index}"
            users = [dialect for dialect in tree.dialects if path in dialect.rules]
            yield from (Problem(path, at + pointer, message) for pointer, message in _rule(tree, users, rule))
            if rule_set.phase in TEXT_PHASES:
                fault = _text_fault(rule_set, rule)
                yield from [Problem(path, f"{at}/schema", fault)] if fault else []
            rule_id = str(rule.get("id"))
            if rule_id in seen:
                yield Problem(path, f"{at}/id", "the id stands twice in this file")
            seen.add(rule_id)
    for dialect in tree.dialects:
        yield from _repeated(tree, dialect)
        yield from _crowded(tree, dialect)


def patterns_of(rule: Any) -> list[str]:
    """Return the patterns that a text must not show, or nothing where a rule says more than that."""
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
    """Return why a rule's patterns would not be found in the whole document's text, where they are looked for first."""
    patterns = patterns_of(rule)
    if not patterns:
        shape = '{"not": {"type": "string", "pattern": …}} (or "anyOf" of patterns), none with ^ or $'
        return f"a rule about texts must read {shape}"
    escaped = [found[0] for pattern in patterns if (found := _ESCAPED.search(pattern))]
    if escaped and rule_set.escapes is None:
        return f"{escaped[0]} is written as an escape in JSON, so no document would show it: write `escapes` and `beyond`"
    return ""


def _filters(rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    given = {"escapes": rule_set.escapes, "beyond": rule_set.beyond}
    for name, pattern in given.items():
        if pattern is None and any(given.values()):
            yield name, "`escapes` and `beyond` stand together"
        elif pattern is not None and rule_set.phase not in TEXT_PHASES:
            yield name, f"only files of the phases {', '.join(TEXT_PHASES)} have it"
        elif pattern is not None:
            yield from ((name, fault) for _, fault in _faults({"pattern": pattern}))


def _repeated(tree: Tree, dialect: Dialect) -> Iterator[Problem]:
    home: dict[str, str] = {}
    for index, path in enumerate(dialect.rules):
        rules = tree.rule_sets[path].rules if path in tree.rule_sets else ()
        for rule_id in {str(rule.get("id")) for rule in rules if isinstance(rule, dict)}:
            if home.setdefault(rule_id, path) != path:
                yield Problem(
                    dialect.path, f"/rules/{index}", f"{home[rule_id]} and {path} both give {rule_id}"
                )


def _crowded(tree: Tree, dialect: Dialect) -> Iterator[Problem]:
    """Yield further files of a phase that has a filter of its own: it would pass their rules over."""
    sets = [
        (index, tree.rule_sets[path]) for index, path in enumerate(dialect.rules) if path in tree.rule_sets
    ]
    for index, rule_set in sets:
        others = [other for at, other in sets if at < index and other.phase == rule_set.phase]
        if others and any(one.beyond is not None for one in [*others, rule_set]):
            message = f"{others[0].path} and {rule_set.path} share phase {rule_set.phase}, and one filter"
            yield Problem(dialect.path, f"/rules/{index}", message)


def _rule(tree: Tree, users: list[Dialect], rule: Any) -> Iterator[tuple[str, str]]:
    """Yield (pointer, fault) of a rule of any shape; what its shape forbids is told elsewhere."""
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
    if "where" in rule and kind != "registered":
        yield "/where", "only a rule of kind registered picks among items"
    for name in needs:
        if name not in rule:
            yield f"/{name}", f"a rule of kind {kind} must have it"
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
            yield pointer_of(["spec", name]), f"there is no section for {name}, and no `*`"


def _places(kind: str, rule: Any) -> Iterator[tuple[str, str]]:
    place = PLACES[KINDS[kind].place]
    pointers = rule.get("at")
    for index, pointer in enumerate(pointers if isinstance(pointers, list) else ()):
        if not place.pattern.fullmatch(str(pointer)):
            yield f"/at/{index}", f"a rule of kind {kind} looks at {place.words}"
        elif "where" in rule and kind == "registered" and not PICKED.match(str(pointer)):
            yield f"/at/{index}", "`where` picks among the items at the first *: /a/*/b or /a/b/*/c"


def _schema_of(tree: Tree, rule: Any) -> Iterator[tuple[str, str]]:
    for index, pointer in enumerate(rule["at"] if isinstance(rule.get("at"), list) else ()):
        if "**" in str(pointer).split("/")[:-1]:
            yield f"/at/{index}", "** stands at the end: it is every value below"
    if "except" in rule and rule.get("at") != ["/**"]:
        yield "/except", "only a rule that looks everywhere, at /**, looks past some places"
    if not isinstance(rule.get("schema"), (dict, bool)):
        return
    for place, fault in _faults(rule["schema"]):
        yield pointer_of(["schema", *place]), fault
    for steps, used in _uses(rule["schema"], ("schema",)):
        if used not in tree.schemas and not tree.is_broken(used):
            yield pointer_of(steps), f"there is no schema {used}"


def _faults(schema: Any) -> Iterator[tuple[list[str | int], str]]:
    """Yield (steps, why) where the judge would refuse a schema; its patterns are not quite Python's."""
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
        asked = [name for _, name, _, _ in Formatter().parse(message) if name is not None]
    except ValueError as error:
        return f"write {{{{ and }}}} for braces: {error}"
    unknown = [name for name in asked if name not in words]
    return f"has no word {{{unknown[0]}}}; its words are {', '.join(words)}" if unknown else ""
