"""Settings files: YAML, TOML or JSON, read strictly, validated by a schema, filled from the environment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, checked_copy, decode
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright_runtime.messages import annotation_at, explain, hint_at
from cardwright_runtime.unions import explainable
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jsonschema_rs import ValidationError, Validator

# Enough for a file with a million peers (project decision).
LIMITS: Final = Limits(max_bytes=512 * 1024 * 1024, max_depth=16, max_values=512 * 1024 * 1024)
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MAX_FAULTS: Final = 5
# A dotted key of TOML with many parts: bare ones, or strings.
_DEEP_KEY: Final = re.compile(
    rb"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}"""
)
_ONLY_IN_FILE: Final = "only the gateway's own configuration file may set this"


def read_settings(file: Path, limits: Limits = LIMITS) -> Any:
    """Return the JSON value of a file: `.json`, `.toml`, and YAML with any other suffix.

    Raises:
        BadConfiguration: If the file cannot be read, or is not valid.
    """
    try:
        with file.open("rb") as opened:
            # A device may have no end.
            body = opened.read(limits.max_bytes + 1)
        if file.suffix == ".json":
            return decode(body, limits)
        return toml_value(body, limits) if file.suffix == ".toml" else yaml_value(body, limits)
    except OSError as error:
        raise BadConfiguration(str(file), f"cannot be read: {error.strerror or error}") from None
    except MalformedDocument as error:
        raise BadConfiguration(str(file), str(error)) from None


def toml_value(body: bytes, limits: Limits = LIMITS) -> Any:
    """Return the JSON value of a TOML document.

    Raises:
        MalformedDocument: If the document is not valid, or has a value that JSON does not have, such as a date.
    """
    import tomllib

    if _DEEP_KEY.search(body):
        # tomllib would take memory with the square of the length of such a key.
        raise MalformedDocument("settings/toml", "a key has more than 64 parts")
    try:
        return checked_copy(tomllib.loads(body.decode("utf-8")), limits)
    except (ValueError, RecursionError) as error:
        raise MalformedDocument("settings/toml", f"not valid TOML: {error}") from None


def yaml_value(body: bytes, limits: Limits = LIMITS) -> Any:
    """Return the JSON value of a YAML document, read strictly: no aliases, no tags, no duplicate fields.

    Raises:
        MalformedDocument: If the document is not valid; the message has the position.
    """
    import yaml

    try:
        _check_events(body, limits)
        return checked_copy(yaml.load(body, Loader=_strict_loader()), limits)  # noqa: S506 - a safe loader made stricter
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise MalformedDocument("settings/yaml", f"{at}{problem}") from None
    except (RecursionError, ValueError) as error:
        raise MalformedDocument("settings/yaml", f"cannot be read: {error}") from None


def _check_events(body: bytes, limits: Limits) -> None:
    """Refuse aliases and deep nesting before any value exists: libyaml's composer calls itself for each level.

    Raises:
        MalformedDocument: With the line.
        yaml.YAMLError: If it is not YAML.
    """
    import yaml

    depth = 0
    for event in yaml.parse(body, Loader=yaml.CSafeLoader):
        problem = ""
        if isinstance(event, yaml.AliasEvent):
            problem = "aliases are not allowed; repeat the value"
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.max_depth:
                problem = f"the document has more than {limits.max_depth} levels of nesting"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if problem:
            line = event.start_mark.line + 1 if event.start_mark else 1
            raise MalformedDocument("settings/yaml", f"line {line}: {problem}")


@cache
def _strict_loader() -> Any:
    import yaml

    class Loader(yaml.CSafeLoader):
        """Loader that keeps dates as text and rejects duplicate fields."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - the signature of yaml
            names = [self.construct_object(key, deep=True) for key, _ in node.value]
            seen: set[str] = set()
            for index, name in enumerate(names):
                if type(name) is not str or name in seen:
                    problem = (
                        f"duplicate field {name!r}"
                        if type(name) is str
                        else f"field name {name!r} is not a text; quote it"
                    )
                    raise yaml.constructor.ConstructorError(
                        None, None, problem, node.value[index][0].start_mark
                    )
                seen.add(name)
            return super().construct_mapping(node, deep)

    Loader.yaml_implicit_resolvers = {
        first_character: [
            (tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"
        ]
        for first_character, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }
    return Loader


# Keywords whose messages quote the value.
_QUOTES: Final = frozenset({"const", "enum", "format", "maxLength", "pattern", "type"})


def _expected(error: ValidationError) -> Any:
    kind: Any = error.kind
    return kind.value


def faults(value: Any, validator: Validator, schema: Any) -> list[str]:
    """Return the violations of a schema, each as a JSON Pointer and a sentence; at most five.

    Args:
        value: The settings.
        validator: The compiled schema.
        schema: The schema itself, for its hints (`x-hint`).
    """
    violations: list[str] = []
    for error in explainable(list(validator.iter_errors(value))):
        keyword, path, message, _ = explain(error)
        if keyword in _QUOTES and annotation_at(schema, error.schema_path, "x-environment"):
            # A value from the environment may be a secret: it is not quoted.
            message = f"the value does not match the {keyword} {quote(_expected(error))}"
        if not path and keyword == "type" and isinstance(value, str):
            # The file may be something else, such as a key: it is not quoted.
            message = f"{message.partition(', found')[0]}, found a text"
        hint = hint_at(schema, error.schema_path)
        if hint:
            # A forbidden value may be a secret: only the hint is given.
            message = hint if keyword == "not" else f"{message}. {hint}"
        violations.append(f"{pointer_of(path) or '/'}: {message}")
    remainder = [f"and {len(violations) - _MAX_FAULTS} more"] if len(violations) > _MAX_FAULTS else []
    return [*sorted(violations)[:_MAX_FAULTS], *remainder]


@dataclass(frozen=True, slots=True)
class Place:
    """The context of settings in a file.

    Attributes:
        folder: The base of relative paths.
        environ: The variables for `${NAME}`; None for a file that was found, not named by its user: it
            may come from someone else, who must not receive a secret of this environment.
    """

    folder: Path
    environ: Mapping[str, str] | None = field(repr=False)


def resolve_settings(value: Any, node: Any, schema: Any, place: Place | None, pointer: str = "") -> Any:
    """Return settings with variables replaced and paths made absolute, where the schema says so.

    `x-environment` marks a text with `${NAME}`, `x-path` one with a path, and `x-only-in-file` a field that
    starts a process or runs code.

    Args:
        value: The settings, already validated.
        node: The subschema of these settings.
        schema: The whole schema.
        place: The context of the file; None for settings from the network, which must not use this machine.
        pointer: Their JSON Pointer, for messages.

    Raises:
        BadConfiguration: If a variable is missing, or settings from the network use this machine.
    """
    if "$ref" in node:
        node = {**schema["$defs"][node["$ref"].removeprefix("#/$defs/")], **node}
    if place is None and node.get("x-only-in-file"):
        raise BadConfiguration("", f"{pointer}: {_ONLY_IN_FILE}")
    if type(value) is str:
        return _text(value, node, place, pointer)
    if type(value) is list and "items" in node:
        return [
            resolve_settings(item, node["items"], schema, place, f"{pointer}/{index}")
            for index, item in enumerate(value)
        ]
    if type(value) is dict:
        known, others = node.get("properties", {}), node.get("additionalProperties") or {}
        return {
            name: resolve_settings(item, known.get(name, others), schema, place, f"{pointer}/{name}")
            for name, item in value.items()
        }
    return value


def _text(text: str, node: Any, place: Place | None, pointer: str) -> str:
    if "x-environment" in node and _VARIABLE.search(text):
        if place is None:
            raise BadConfiguration(
                "", f"{pointer}: ${{NAME}} uses the gateway's environment; {_ONLY_IN_FILE}"
            )
        environ, names = place.environ, _VARIABLE.findall(text)
        if environ is None:
            message = (
                f"{pointer} uses the environment variable {names[0]}, and this file was found in the working folder,"
                " not named: read it, and if you trust it, name it with --config"
            )
            raise BadConfiguration("", message)
        missing = [name for name in names if name not in environ]
        if missing:
            message = f"{pointer} uses the environment variable {missing[0]}, which is not set"
            raise BadConfiguration("", message)
        text = _VARIABLE.sub(lambda match: environ[match[1]], text)
    if "x-path" in node:
        if place is None:
            raise BadConfiguration("", f"{pointer}: a path on the gateway's machine; {_ONLY_IN_FILE}")
        if "://" not in text and text != ":memory:":
            text = str(place.folder / text)
    return text
