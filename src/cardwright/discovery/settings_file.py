"""Files of settings: YAML or JSON, read strictly, judged by a schema of ours, filled from the environment."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, copied, decode
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.guard import OWN_FIELDS
from cardwright_runtime.messages import explain, once
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jsonschema_rs import Validator

# Of a file with a million peers (ours).
LIMITS: Final = Limits(max_bytes=512 * 1024 * 1024, max_depth=16)
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# What a field of a header may hold (RFC 9110 §5.5), after variables were put in.
_FIELD_VALUE: Final = re.compile(r"[\x20-\x7e]*")
_MOST_TOLD: Final = 5


def read_settings(file: Path, limits: Limits = LIMITS) -> Any:
    """Return the JSON value of a file; anything that does not end in `.json` is read as YAML.

    Raises:
        BadConfiguration: If it cannot be read, or is neither.
    """
    try:
        body = file.read_bytes()
        return decode(body, limits) if file.suffix == ".json" else yaml_value(body, limits)
    except OSError as error:
        raise BadConfiguration(str(file), f"it cannot be read: {error.strerror or error}") from None
    except MalformedDocument as error:
        raise BadConfiguration(str(file), str(error)) from None


def yaml_value(body: bytes, limits: Limits = LIMITS) -> Any:
    """Return the JSON value of a YAML document, read strictly: no aliases, no tags, no member twice.

    Raises:
        MalformedDocument: If it is no such document; the message says where.
    """
    import yaml

    try:
        for event in yaml.parse(body, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise MalformedDocument("settings/yaml", f"line {line} has an alias: write it out")
        return copied(yaml.load(body, Loader=_strict_loader()), limits)  # noqa: S506 - a safe loader made stricter
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        told = getattr(error, "problem", None) or "it is no YAML"
        raise MalformedDocument("settings/yaml", f"{at}{told}") from None
    except (RecursionError, ValueError) as error:
        raise MalformedDocument("settings/yaml", f"it cannot be read: {error}") from None


@cache
def _strict_loader() -> Any:
    import yaml

    class Loader(yaml.CSafeLoader):
        """Dates stay text, and a member stands once."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - yaml's own
            names = [self.construct_object(key, deep=True) for key, _ in node.value]
            for index, name in enumerate(names):
                if type(name) is not str or name in names[:index]:
                    problem = (
                        f"{name!r} stands twice" if type(name) is str else f"{name!r} is no text: quote it"
                    )
                    raise yaml.constructor.ConstructorError(
                        None, None, problem, node.value[index][0].start_mark
                    )
            return super().construct_mapping(node, deep)

    Loader.yaml_implicit_resolvers = {
        sign: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
        for sign, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }
    return Loader


def faults(value: Any, judge: Validator, more: Mapping[str, str] | None = None) -> list[str]:
    """Return what breaks a schema, each as a place and a sentence, at most five of them.

    Args:
        value: What was read.
        judge: The schema.
        more: What is said besides of a member, by its name.
    """
    found: list[str] = []
    for error in once(list(judge.iter_errors(value))):
        _, path, message, _ = explain(error)
        told = (more or {}).get(str(path[-1]), "") if path else ""
        found.append(f"{pointer_of(path) or '/'}: {message}{told}")
    left = [f"and {len(found) - _MOST_TOLD} more"] if len(found) > _MOST_TOLD else []
    return [*sorted(found)[:_MOST_TOLD], *left]


def filled_in(place: str, value: str, environ: Mapping[str, str]) -> str:
    """Return a text in which each `${NAME}` is what the environment has there.

    Raises:
        BadConfiguration: If it has nothing there.
    """
    missing = [one for one in _VARIABLE.findall(value) if one not in environ]
    if missing:
        told = f"{place} asks for {missing[0]}, which the environment does not have"
        raise BadConfiguration("", told)
    return _VARIABLE.sub(lambda match: environ[match[1]], value)


def header_value(place: str, name: str, value: str, environ: Mapping[str, str] | None) -> str:
    """Return the value of a header with its variables filled in, if there is somewhere to look them up.

    Raises:
        BadConfiguration: If it is a header that is not the operator's to set, or none that can be sent.
    """
    if name.lower() in OWN_FIELDS:
        raise BadConfiguration("", f"{place}: the header {name} is the client's own: leave it out")
    if environ is None:
        return value
    filled = filled_in(f"{place}: the header {name}", value, environ)
    if not _FIELD_VALUE.fullmatch(filled):
        raise BadConfiguration(
            "", f"{place}: the header {name}, filled from the environment, is not printable ASCII"
        )
    return filled
