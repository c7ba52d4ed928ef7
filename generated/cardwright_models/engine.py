"""The run-time judge: one dialect's schema, rules and lints, compiled once and asked many times.

Nothing here opens a socket: every `$ref` is in the package, and a foreign one is refused.
Patterns run on an engine without backtracking, so no text can make one slow.
"""

from __future__ import annotations

import json
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from cardwright_models.explain import explain, spec_at
from cardwright_models.violation import Rule, Violation, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    Vocabularies = Mapping[str, Container[str]]
    Structural = Callable[[dict[str, Any], list[Violation], Vocabularies], None]

# One document may be wrong in a million places; nobody reads past these (ours).
MAX_VIOLATIONS: Final = 1_000


def refuse(uri: str) -> Any:
    """Refuse to fetch a schema: validation opens no connection (ours; reliability, 0 sockets)."""
    msg = f"the schema {uri!r} is not bundled, and validation fetches nothing"
    raise LookupError(msg)


def compile_schema(schema: Any, *, formats: bool = False) -> jsonschema_rs.Validator:
    """Compile a JSON Schema (2020-12 unless it says otherwise) as the judge uses it.

    Args:
        schema: A JSON Schema; it may come from a stranger.
        formats: Whether `format` is asserted (JSON Schema 2020-12 Validation §7.2) or noted.

    Raises:
        ValueError: If it is no schema, or refers to one that is not bundled.
    """
    return jsonschema_rs.validator_for(
        schema,
        retriever=refuse,
        validate_formats=formats,
        pattern_options=jsonschema_rs.RegexOptions(),
    )


@cache
def load(package: str, name: str) -> Any:
    """Return a JSON file that ships in a dialect's package; callers must not change it."""
    return json.loads(resources.files(package).joinpath(name).read_bytes())


class Judge:
    """Judges documents of one dialect."""

    def __init__(
        self,
        package: str,
        rules: Mapping[str, Rule],
        structural: Structural,
        *,
        schema: bool = True,
    ) -> None:
        self._package = package
        self._rules = rules
        self._structural = structural
        self._has_schema = schema

    def violations(
        self,
        document: dict[str, Any],
        vocabularies: Vocabularies,
        *,
        unicode: bool = True,
        prose: bool = True,
    ) -> list[Violation]:
        """Return every violation of a document, errors and warnings, sorted by pointer and rule.

        Args:
            document: A decoded JSON object. It is not changed.
            vocabularies: The names each open registry knows, by the registry's name.
            unicode: Whether to look for hidden characters; plain ASCII has none.
            prose: Whether to look for text that instructs the reading model.
        """
        found: list[Violation] = []
        self._structural(document, found, vocabularies)
        if self._has_schema and not self._schema.is_valid(document):
            found.extend(self._schema_violations(document))
        if not self._always.is_valid(document):
            found.extend(self._lint_violations(self._always, document))
        if unicode and not self._unicode.is_valid(document):
            found.extend(self._lint_violations(self._unicode, document))
        if prose and not self._prose.is_valid(document):
            found.extend(self._lint_violations(self._prose, document))
        if len(found) > 1:
            return _sorted_once(found)
        return found

    @cached_property
    def _schema(self) -> jsonschema_rs.Validator:
        return compile_schema(load(self._package, "schema.json"))

    @cached_property
    def _always(self) -> jsonschema_rs.Validator:
        return compile_schema(load(self._package, "lints.json")["always"])

    @cached_property
    def _unicode(self) -> jsonschema_rs.Validator:
        return compile_schema(load(self._package, "lints.json")["unicode"])

    @cached_property
    def _prose(self) -> jsonschema_rs.Validator:
        return compile_schema(load(self._package, "lints.json")["prose"])

    def _schema_violations(self, document: dict[str, Any]) -> Iterator[Violation]:
        schema = load(self._package, "schema.json")
        for count, error in enumerate(self._schema.iter_errors(document)):
            if count == MAX_VIOLATIONS:
                return
            keyword, path, message, fix = explain(error, schema)
            spec = spec_at(schema, error.schema_path, keyword, path)
            yield Violation(f"schema/{keyword}", "error", pointer_of(path), message, spec, fix)

    def _lint_violations(
        self, validator: jsonschema_rs.Validator, document: dict[str, Any]
    ) -> Iterator[Violation]:
        for count, error in enumerate(validator.iter_errors(document)):
            if count == MAX_VIOLATIONS:
                return
            # Each rule is one definition of the lint schema, so the path names the rule.
            rule = self._rules[str(error.schema_path[1])]
            yield break_rule(rule, pointer_of(error.instance_path), error.instance)


def break_rule(rule: Rule, pointer: str, value: object, **words: str) -> Violation:
    """Return the violation of a rule by a value at a pointer; `words` fill the rule's message."""
    fix = rule.fix.at(pointer, value) if rule.fix else None
    message = rule.message.format(value=quote(value), **words)
    return Violation(rule.id, rule.severity, pointer, message, rule.spec, fix)


def _sorted_once(found: list[Violation]) -> list[Violation]:
    """Sort by pointer, then rule; say each (rule, pointer) once."""
    unique = {(v.pointer, v.rule): v for v in reversed(found)}
    return [unique[key] for key in sorted(unique)]
