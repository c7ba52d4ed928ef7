"""Reference pages of the Python API: every public name with its signature and docstring."""

from __future__ import annotations

import importlib
import inspect
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import griffe

from docs.sitegen.markdown import code, page, prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator

# The packages whose public names (`__all__`) are documented, in the order of the index.
PACKAGES: Final = (
    "cardwright",
    "cardwright.builder",
    "cardwright.explanations",
    "cardwright.page",
    "cardwright.serve",
    "cardwright.signing",
    "cardwright.discovery",
    "cardwright.discovery.probe",
    "cardwright.store",
    "cardwright.guard",
    "cardwright.difference",
    "cardwright.a2a_sdk",
    "cardwright.errors",
    "cardwright_gateway",
    "cardwright_beach",
)
# Longer signatures have one parameter on each line.
MAX_COLUMNS: Final = 88
_STARS: Final[dict[Any, str]] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")
_DOCTEST: Final = re.compile(r"(?:^>>> .*\n?(?:(?!\s*$).*\n?)*)+", re.MULTILINE)


def python_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of each package, and of the index."""
    rows: list[tuple[str, str]] = []
    for name in PACKAGES:
        module = importlib.import_module(name)
        rows.append((f"[`{name}`]({name}.md)", _first_line(module)))
        yield f"python/{name}.md", page(name, prose(inspect.getdoc(module) or ""), *_names(module))
    introduction = "Every name below can be imported from the package that lists it. Names that no page lists are private."
    yield "python/index.md", page("Python API", introduction, table(("package", "contents"), rows))


def _names(module: Any) -> Iterator[str]:
    public = {name: getattr(module, name) for name in _public(module)}
    for name in sorted(public, key=lambda one: (one[0].islower(), one.lower())):
        value = public[name]
        yield f"## {name}"
        if inspect.isclass(value):
            yield from _class(name, value, public)
        elif callable(value) and hasattr(value, "__module__") and inspect.isroutine(value):
            yield from _function(name, value)
        else:
            yield _value(value)


def _public(module: Any) -> list[str]:
    """Return what a module lists in `__all__`, or else the public classes and functions that it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    defined = {
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    }
    return [name for name in defined if not name.startswith("_")]


def _class(name: str, value: Any, public: dict[str, Any]) -> Iterator[str]:
    yield _signature("class ", name, value)
    yield from _docstring(inspect.getdoc(value) if value.__doc__ else "")
    for base, other in public.items():
        if other in value.__bases__ and not issubclass(value, BaseException):
            yield f"It has everything that [`{base}`](#{base.lower()}) has, too."
    for member, below in sorted(vars(value).items()):
        if member.startswith("_"):
            continue
        yield from _member(name, member, below)


def _member(owner: str, name: str, below: Any) -> Iterator[str]:
    function = below.__func__ if isinstance(below, (classmethod, staticmethod)) else below
    if isinstance(function, property):
        yield f"### {owner}.{name}"
        yield from _docstring(inspect.getdoc(function) or "")
    elif inspect.isfunction(function) and inspect.getdoc(function):
        yield f"### {owner}.{name}()"
        yield _signature("async def " if inspect.iscoroutinefunction(function) else "def ", name, function)
        yield from _docstring(inspect.getdoc(function) or "")


def _function(name: str, value: Any) -> Iterator[str]:
    yield _signature("async def " if inspect.iscoroutinefunction(value) else "def ", name, value)
    yield from _docstring(inspect.getdoc(value) or "")


def _value(value: Any) -> str:
    # The order of a set of texts differs from process to process.
    shown = (
        f"frozenset({{{', '.join(sorted(map(repr, value)))}}})" if type(value) is frozenset else repr(value)
    )
    text = _ADDRESS.sub("", shown)
    return f"```python\n{text}\n```" if len(text) < 400 else f"A {type(value).__name__}."


def _signature(word: str, name: str, value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (ValueError, TypeError):
        return ""
    parameters = list(_parameters(signature))
    returns = _annotation(signature.return_annotation)
    end = f" -> {returns}" if returns and not word.startswith("class") else ""
    text = f"{word}{name}({', '.join(parameters)}){end}"
    if len(text) > MAX_COLUMNS:
        text = "\n".join([f"{word}{name}(", *(f"    {one}," for one in parameters), f"){end}"])
    return f"```python\n{text}\n```"


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    """Yield each parameter as it is written in source, without `self`."""
    bare = True
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and bare:
            yield "*"
        bare = bare and parameter.kind not in (
            inspect.Parameter.KEYWORD_ONLY,
            inspect.Parameter.VAR_POSITIONAL,
        )
        annotation = _annotation(parameter.annotation)
        text = f"{_STARS.get(parameter.kind, '')}{parameter.name}" + (f": {annotation}" if annotation else "")
        if parameter.default is not inspect.Parameter.empty:
            text += f" = {_default(parameter.default)}" if annotation else f"={_default(parameter.default)}"
        yield text


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    text = annotation if type(annotation) is str else inspect.formatannotation(annotation)
    return text.replace("typing.", "")


def _default(value: Any) -> str:
    """Return a default as a reader wants it: a plain value, or the name of a type or function."""
    if value is None or type(value) in (bool, int, float, str, bytes) or value in ((), frozenset()):
        return repr(value)
    if type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
        return "…"
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    return f"{type(value).__name__}(…)"


def _docstring(text: str | None) -> Iterator[str]:
    """Yield the parts of a Google-style docstring as Markdown."""
    if not text:
        return
    for section in griffe.Docstring(text, parser="google").parse(warnings=False):
        match section.kind.value:
            case "text":
                yield _DOCTEST.sub(
                    lambda match: f"```pycon\n{match[0].rstrip()}\n```", prose(str(section.value))
                )
            case "examples":
                for kind, example in section.value:
                    yield f"```pycon\n{example}\n```" if kind.value == "examples" else prose(str(example))
            case "parameters" | "attributes" | "other parameters" as kind:
                head = "attribute" if kind == "attributes" else "argument"
                yield table(
                    (head, "meaning"), [(code(one.name), prose(one.description)) for one in section.value]
                )
            case "raises" | "warns":
                yield table(
                    ("raises", "when"),
                    [(code(one.annotation), prose(one.description)) for one in section.value],
                )
            case "returns" | "yields" as kind:
                word = kind.capitalize()
                yield f"{word}: " + " ".join(prose(one.description) for one in section.value)
            case _:
                yield prose(str(getattr(section.value, "description", section.value)))


@cache
def _first_line(module: Any) -> str:
    return prose((inspect.getdoc(module) or "").partition("\n")[0])
