"""The validation engine: a dialect's schema, rules and lints, compiled once and used many times.

Validation opens no connection: every `$ref` is in the package, and any other is refused.
Patterns run on an engine without backtracking, so that no text can make one slow.
"""

from __future__ import annotations

import json
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from cardwright_runtime.fix_rules import FixRules
from cardwright_runtime.messages import explain, hint_at, may_be_left_out, spec_at
from cardwright_runtime.signs import add_signs, sign_rules
from cardwright_runtime.spelling import merged
from cardwright_runtime.unions import explainable
from cardwright_runtime.violation import Rule, Violation, break_rule, pointer_of
from cardwright_runtime.violation_limit import MAX_VIOLATIONS, LimitedViolations, sorted_once

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from jsonschema_rs import ValidationError

    from cardwright_runtime.text import Text

    Vocabularies = Mapping[str, Container[str]]
    Structural = Callable[[dict[str, Any], list[Violation], Vocabularies], None]
    Names = Callable[[dict[str, Any], list[Violation]], None]


def refuse(uri: str) -> Any:
    """Refuse to fetch a schema: validation opens no connection (project decision)."""
    msg = f"the schema {uri!r} is not bundled; validation does not fetch schemas"
    raise LookupError(msg)


def compile_schema(
    schema: Any, *, formats: bool = False, resources: Iterable[tuple[str, Any]] = ()
) -> jsonschema_rs.Validator:
    """Compile a JSON Schema (2020-12 by default) with the engine's options.

    Args:
        schema: A JSON Schema; it may be untrusted.
        formats: Whether `format` is asserted (JSON Schema 2020-12 Validation §7.2) or only annotated.
        resources: Further schemas by the URI that a `$ref` may name.

    Raises:
        ValueError: If it is not a valid schema, or refers to one that is not bundled.
    """
    return jsonschema_rs.validator_for(
        schema,
        registry=jsonschema_rs.Registry(list(resources), retriever=refuse),
        validate_formats=formats,
        pattern_options=jsonschema_rs.RegexOptions(),
    )


@cache
def load(package: str, name: str) -> Any:
    """Return a JSON file that ships in a dialect's package; callers must not change it."""
    return json.loads(resources.files(package).joinpath(name).read_bytes())  # noqa: TID251 - a file of this package


@cache
def _schema_of(package: str) -> jsonschema_rs.Validator:
    """Compile the schema of a dialect once for all validators of it."""
    return compile_schema(load(package, "schema.json"))


@cache
def _shared(schema: str) -> jsonschema_rs.Validator:
    """Compile a schema of rules once for all dialects that use it."""
    return compile_schema(json.loads(schema))  # noqa: TID251 - a file of this package


class _Compiled(dict[str, jsonschema_rs.Validator]):
    """The validator of each phase, compiled at its first use."""

    def __init__(self, schema_of: Callable[[str], Any]) -> None:
        super().__init__()
        self._schema_of = schema_of

    def __missing__(self, phase: str) -> jsonschema_rs.Validator:
        validator = self[phase] = _shared(json.dumps(self._schema_of(phase)))
        return validator


class DialectValidator:
    """Validator of the documents of one dialect; `schema` is the package that has its schema, if it has one."""

    def __init__(
        self,
        package: str,
        rules: Mapping[str, Rule],
        structural: Structural,
        names: Names,
        *,
        schema: str = "",
        gated: bool = False,
        silences: frozenset[str] = frozenset(),
        beside: DialectValidator | None = None,
    ) -> None:
        self._package = package
        self._rules = rules
        self._structural = structural
        self._names = names
        self._schema = schema
        self._gated = gated
        self._silences = silences
        self._beside = beside

    def within(self, hybrid: DialectValidator, rules: frozenset[str]) -> DialectValidator:
        """Return the validator of one half of a hybrid: without some rules, and with the hybrid's fixes first."""
        return DialectValidator(
            self._package,
            self._rules,
            self._structural,
            self._names,
            schema=self._schema,
            gated=self._gated,
            silences=rules,
            beside=hybrid,
        )

    def violations(
        self,
        document: dict[str, Any],
        vocabularies: Vocabularies,
        *,
        text: Text | None = None,
        text_rules: bool = False,
        limit: int = MAX_VIOLATIONS,
    ) -> list[Violation]:
        """Return the violations of a document, errors and warnings, sorted by pointer and rule.

        Args:
            document: A decoded JSON object. It is not changed.
            vocabularies: The known names of each open registry, by the registry's name.
            text: The document as one text, if available.
            text_rules: Whether to look for text that instructs the reading model.
            limit: The maximum number of violations. If there are more, errors are kept before warnings, and the
                violation `limits/violations` says so.
        """
        violations = self._without_fixes(document, vocabularies, text, text_rules=text_rules, limit=limit)
        return self.fix_rules.attached(violations, document) if violations else violations

    def _without_fixes(
        self,
        document: dict[str, Any],
        vocabularies: Vocabularies,
        text: Text | None,
        *,
        text_rules: bool,
        limit: int,
    ) -> list[Violation]:
        validators = self._validators
        violations = LimitedViolations(limit)
        if self._gated and not validators["gate"].is_valid(document):
            self._add_lints(violations, "gate", document)
            return sorted_once(violations, limit, dropped=violations.dropped)
        self._structural(document, violations, vocabularies)
        # In most documents all names are known, which the schema tests faster.
        if not validators["names"].is_valid(document):
            self._names(document, violations)
        if self._silences and violations:
            silenced = LimitedViolations(limit)
            silenced.extend(violation for violation in violations if violation.rule not in self._silences)
            silenced.dropped = violations.dropped
            violations = silenced
        if self._schema and not validators["schema"].is_valid(document):
            self._add_schema_violations(violations, document, limit)
        if not validators["always"].is_valid(document):
            self._add_lints(violations, "always", document)
        for phase, may_match in self._text_filters:
            if may_match(text) and not validators[phase].is_valid(document):
                self._add_lints(violations, phase, document)
        if text_rules:
            add_signs(violations, self._rules, sign_rules(self._package.rpartition(".")[0]), document, text)
        if not violations:
            return violations
        return sorted_once(merged(violations), limit, dropped=violations.dropped)

    @cached_property
    def fix_rules(self) -> FixRules:
        """The fix rules of this dialect; those of a hybrid come before those of its half."""
        own = FixRules(load(self._package, "fixes.json"))
        return own.after(self._beside.fix_rules) if self._beside else own

    @cached_property
    def _lints(self) -> dict[str, Any]:
        lints: dict[str, Any] = load(self._package, "lints.json")["rules"]
        return lints

    def _lint_schema(self, phase: str) -> Any:
        """Return the schema of the rules of a phase."""
        schema = self._lints[phase]
        if not self._silences:
            return schema
        definitions = {name: name in self._silences or rule for name, rule in schema["$defs"].items()}
        return {**schema, "$defs": definitions}

    @cached_property
    def _validators(self) -> dict[str, jsonschema_rs.Validator]:
        """The validators of the schema and of each phase, compiled at their first use."""
        validators = _Compiled(self._lint_schema)
        if self._schema:
            validators["schema"] = _schema_of(self._schema)
        return validators

    @cached_property
    def _text_filters(self) -> list[tuple[str, Callable[[Text | None], bool]]]:
        """For each phase about texts, a quick test whether its rules can find anything in a document's text."""
        filters: dict[str, Any] = load(self._package, "lints.json")["filters"]
        return [(phase, _filter(patterns)) for phase, patterns in filters.items()]

    def _add_schema_violations(
        self, violations: LimitedViolations, document: dict[str, Any], limit: int
    ) -> None:
        schema = load(self._schema, "schema.json")
        errors = list(islice(self._validators["schema"].iter_errors(document), limit + 1))
        violations.dropped |= len(errors) > limit
        for error in explainable(errors[:limit]):
            if not violations.has_room("error"):
                return
            keyword, path, message, fix = explain(error)
            hint = hint_at(schema, error.schema_path)
            message = f"{message}. {hint}" if hint else message
            spec = spec_at(schema, error.schema_path, path)
            if fix and not may_be_left_out(schema, error):
                fix = None
            violations.append(Violation(f"schema/{keyword}", "error", pointer_of(path), message, spec, fix))

    def _add_lints(self, violations: LimitedViolations, phase: str, document: dict[str, Any]) -> None:
        schema = self._lint_schema(phase)
        for error in self._validators[phase].iter_errors(document):
            if violations.full:
                violations.dropped = True
                return
            rule = self._rules[_rule_id(schema, error, self._rules)]
            if not violations.has_room(rule.severity):
                continue
            if rule.explains or error.schema_path[-1] == "required":
                _, path, fault, _ = explain(error)
                violations.append(break_rule(rule, pointer_of(path), error.instance, fault=fault))
            else:
                violations.append(break_rule(rule, pointer_of(error.instance_path), error.instance))


def _filter(patterns: dict[str, str]) -> Callable[[Text | None], bool]:
    whole = _shared(json.dumps({"not": {"pattern": patterns["whole"]}}))
    beyond = _shared(json.dumps({"not": {"pattern": patterns["beyond"]}})) if "beyond" in patterns else None

    def may_match(text: Text | None) -> bool:
        if text is None:
            return True
        if beyond is not None and text.beyond and not beyond.is_valid(text.beyond):
            return True
        return not whole.is_valid(text.whole)

    return may_match


def _rule_id(schema: Any, error: ValidationError, rules: Mapping[str, Rule]) -> str:
    """Return the id of the rule whose definition contains an error: the first one on the error's path."""
    place = error.schema_path
    if place[0] == "$defs" and place[1] in rules:
        return str(place[1])
    # If a rule refers to another schema (a meta-schema), only the evaluation path names the rule.
    node = schema
    for step in error.evaluation_path:
        node = node[step]
        if step == "$ref":
            name = str(node).removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
            if name in rules:
                return name
            node = schema["$defs"][name]
    msg = f"no rule at {place}"
    raise LookupError(msg)
