"""The run-time judge: one dialect's schema, rules and lints, compiled once and asked many times.

Nothing here opens a socket: every `$ref` is in the package, and a foreign one is refused.
Patterns run on an engine without backtracking, so no text can make one slow.
"""

from __future__ import annotations

import json
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jsonschema_rs

from cardwright_runtime.fix_rules import Recipes
from cardwright_runtime.messages import explain, hint_at, may_be_left_out, once, spec_at
from cardwright_runtime.violation import Rule, Violation, clipped, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from jsonschema_rs import ValidationError

    Vocabularies = Mapping[str, Container[str]]
    Structural = Callable[[dict[str, Any], list[Violation], Vocabularies], None]

# One document may be wrong in a million places; nobody reads past these (ours).
MAX_VIOLATIONS: Final = 1_000


class Text(NamedTuple):
    """A document as one JSON text in which only what must be is escaped.

    What is not in the whole is in none of its parts, so that most documents need no walk through
    their texts. `beyond` is the text without its ASCII characters.
    """

    whole: str
    beyond: str


def refuse(uri: str) -> Any:
    """Refuse to fetch a schema: validation opens no connection (ours; reliability, 0 sockets)."""
    msg = f"the schema {uri!r} is not bundled, and validation fetches nothing"
    raise LookupError(msg)


def compile_schema(
    schema: Any, *, formats: bool = False, resources: Iterable[tuple[str, Any]] = ()
) -> jsonschema_rs.Validator:
    """Compile a JSON Schema (2020-12 unless it says otherwise) as the judge uses it.

    Args:
        schema: A JSON Schema; it may come from a stranger.
        formats: Whether `format` is asserted (JSON Schema 2020-12 Validation §7.2) or noted.
        resources: Further schemas by the URI that a `$ref` may name.

    Raises:
        ValueError: If it is no schema, or refers to one that is not bundled.
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
    return json.loads(resources.files(package).joinpath(name).read_bytes())


@cache
def _shared(schema: str) -> jsonschema_rs.Validator:
    """Compile a schema of rules once for all dialects that have it: the text rules hold 25 MiB."""
    return compile_schema(json.loads(schema))


class _Compiled(dict[str, jsonschema_rs.Validator]):
    """The lints of each phase, compiled when first asked: the text rules take a tenth of a second."""

    def __init__(self, schema_of: Callable[[str], Any]) -> None:
        super().__init__()
        self._schema_of = schema_of

    def __missing__(self, phase: str) -> jsonschema_rs.Validator:
        validator = self[phase] = _shared(json.dumps(self._schema_of(phase)))
        return validator


class Judge:
    """Judges documents of one dialect."""

    def __init__(
        self,
        package: str,
        rules: Mapping[str, Rule],
        structural: Structural,
        *,
        schema: bool = True,
        gated: bool = False,
        silences: frozenset[str] = frozenset(),
        beside: Judge | None = None,
    ) -> None:
        self._package = package
        self._rules = rules
        self._structural = structural
        self._has_schema = schema
        self._gated = gated
        self._silences = silences
        self._beside = beside

    def within(self, whole: Judge, rules: frozenset[str]) -> Judge:
        """Return a judge of one half of a hybrid: it does not ask these rules, and mends as the whole asks."""
        return Judge(
            self._package,
            self._rules,
            self._structural,
            schema=self._has_schema,
            gated=self._gated,
            silences=rules,
            beside=whole,
        )

    def violations(
        self,
        document: dict[str, Any],
        vocabularies: Vocabularies,
        *,
        text: Text | None = None,
        text_rules: bool = False,
        most: int = MAX_VIOLATIONS,
    ) -> list[Violation]:
        """Return every violation of a document, errors and warnings, sorted by pointer and rule.

        Args:
            document: A decoded JSON object. It is not changed.
            vocabularies: The names each open registry knows, by the registry's name.
            text: The document as one text, where it is at hand.
            text_rules: Whether to look for text that instructs the reading model.
            most: How many violations of the schema, and of the rules of each phase, are told.
        """
        found = self._found(document, vocabularies, text, text_rules=text_rules, most=most)
        return self.recipes.attached(found, document) if found else found

    def _found(
        self,
        document: dict[str, Any],
        vocabularies: Vocabularies,
        text: Text | None,
        *,
        text_rules: bool,
        most: int,
    ) -> list[Violation]:
        ask = self._validators
        if self._gated and not ask["gate"].is_valid(document):
            return _sorted_once(list(self._lint_violations("gate", document, most)))
        found: list[Violation] = []
        self._structural(document, found, vocabularies)
        if self._silences and found:
            found = [violation for violation in found if violation.rule not in self._silences]
        if self._has_schema and not ask["schema"].is_valid(document):
            found.extend(self._schema_violations(document, most))
        if not ask["always"].is_valid(document):
            found.extend(self._lint_violations("always", document, most))
        for phase, shown_in in self._text_filters:
            if shown_in(text) and not ask[phase].is_valid(document):
                found.extend(self._lint_violations(phase, document, most))
        if text_rules and not ask["text"].is_valid(document):
            found.extend(self._lint_violations("text", document, most))
        return _sorted_once(found) if len(found) > 1 else found

    @cached_property
    def recipes(self) -> Recipes:
        """The fixes for what this judge finds; a hybrid's come before those of its half."""
        own = Recipes(load(self._package, "fixes.json"))
        return own.after(self._beside.recipes) if self._beside else own

    @cached_property
    def _lints(self) -> dict[str, Any]:
        lints: dict[str, Any] = load(self._package, "lints.json")["rules"]
        return lints

    def _lint_schema(self, phase: str) -> Any:
        """Return the schema of the rules of a phase."""
        schema = self._lints[phase]
        # The text rules are large, the same for every dialect, and seldom asked for.
        definitions = (
            load(_models_package(self._package), "text.json") if phase == "text" else schema["$defs"]
        )
        if self._silences:
            definitions = {name: name in self._silences or rule for name, rule in definitions.items()}
        return {**schema, "$defs": definitions}

    @cached_property
    def _validators(self) -> dict[str, jsonschema_rs.Validator]:
        """The schema and the lints of each phase, compiled when first asked."""
        validators = _Compiled(self._lint_schema)
        if self._has_schema:
            validators["schema"] = compile_schema(load(self._package, "schema.json"))
        return validators

    @cached_property
    def _text_filters(self) -> list[tuple[str, Callable[[Text | None], bool]]]:
        """For each phase about texts, whether a document's text shows what its rules would refuse."""
        filters: dict[str, Any] = load(self._package, "lints.json")["filters"]
        return [(phase, _filter(patterns)) for phase, patterns in filters.items()]

    def _schema_violations(self, document: dict[str, Any], most: int) -> Iterator[Violation]:
        schema = load(self._package, "schema.json")
        errors = list(islice(self._validators["schema"].iter_errors(document), most + 1))
        if len(errors) > most:
            message = f"more than {most:,} places break the schema: only so many are told"
            yield Violation("limits/violations", "error", "", message, "ours")
        for error in once(errors[:most]):
            keyword, path, message, fix = explain(error)
            hint = hint_at(schema, error.schema_path)
            message = f"{message}. {hint}" if hint else message
            spec = spec_at(schema, error.schema_path, path)
            if fix and not may_be_left_out(schema, error):
                fix = None
            yield Violation(f"schema/{keyword}", "error", pointer_of(path), message, spec, fix)

    def _lint_violations(self, phase: str, document: dict[str, Any], most: int) -> Iterator[Violation]:
        schema = self._lint_schema(phase)
        for error in islice(self._validators[phase].iter_errors(document), most):
            rule = self._rules[_rule_id(schema, error, self._rules)]
            if rule.explains or error.schema_path[-1] == "required":
                _, path, fault, _ = explain(error)
                yield break_rule(rule, pointer_of(path), error.instance, fault=fault)
            else:
                yield break_rule(rule, pointer_of(error.instance_path), error.instance)


def _models_package(package: str) -> str:
    """Return the package of all dialects that a dialect's package lies in."""
    return package.rpartition(".")[0]


def _filter(patterns: dict[str, str]) -> Callable[[Text | None], bool]:
    whole = _shared(json.dumps({"not": {"pattern": patterns["whole"]}}))
    beyond = _shared(json.dumps({"not": {"pattern": patterns["beyond"]}})) if "beyond" in patterns else None

    def shown_in(text: Text | None) -> bool:
        if text is None:
            return True
        if beyond is not None and text.beyond and not beyond.is_valid(text.beyond):
            return True
        return not whole.is_valid(text.whole)

    return shown_in


def _rule_id(schema: Any, error: ValidationError, rules: Mapping[str, Rule]) -> str:
    """Return the rule whose definition an error lies in: the first one that its path enters."""
    place = error.schema_path
    if place[0] == "$defs" and place[1] in rules:
        return str(place[1])
    # Where a rule refers to another schema (a meta-schema), only the way there names the rule.
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


def break_rule(rule: Rule, pointer: str, value: object, **words: str) -> Violation:
    """Return the violation of a rule by a value at a pointer; `words` fill the rule's message."""
    message = rule.message
    if "{" in message:
        shown = {name: clipped(word) for name, word in words.items()}
        message = message.format(value=quote(value), **shown)
    return Violation(rule.id, rule.severity, pointer, message, rule.spec)


def _sorted_once(found: list[Violation]) -> list[Violation]:
    """Sort by pointer, then rule; say each (rule, pointer) once."""
    unique = {(v.pointer, v.rule): v for v in reversed(found)}
    return [unique[key] for key in sorted(unique)]
