"""Whatever a public function takes, returns or raises can be imported from a documented package."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import cardwright
import cardwright_beach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Packages whose public names the documentation lists.
DOCUMENTED = (
    "cardwright", "cardwright.builder", "cardwright.discovery", "cardwright.errors", "cardwright.guard",
    "cardwright.serve", "cardwright.signing", "cardwright.store", "cardwright_beach",
)  # fmt: skip
# The generated models are documented by their schemas, and a2a-sdk by itself.
ELSEWHERE = ("cardwright_models.", "a2a.")
# Two arguments of one kind, or what is done to what: their order says enough.
PAIRS = (
    "apply_set_state", "call_agent", "diff", "email_subject", "fold_surface", "merge", "read_email", "to_wire",
    "ui_action",
)  # fmt: skip


def functions() -> Iterator[Any]:
    for package in (cardwright, cardwright_beach):
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.isfunction(value):
                yield pytest.param(value, id=f"{package.__name__}.{name}")


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))


@cache
def public() -> frozenset[str]:
    return frozenset(name for package in DOCUMENTED for name in importlib.import_module(package).__all__)


def origin_of(module: str, name: str) -> str | ast.expr | None:
    """Return the module that a name comes from, or what it is an alias of; None of a name of Python."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
            return str(node.module)
        if isinstance(node, ast.ClassDef) and node.name == name:
            return module
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                return node.value
    return None


def classes_in(module: str, annotation: ast.expr) -> Iterator[str]:
    """Yield the classes of this project that an annotation names; aliases are followed."""
    for node in ast.walk(annotation):
        # The text of an alias; not the words of a Literal.
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "[" in node.value:
            yield from classes_in(module, ast.parse(f"({node.value})", mode="eval").body)
        if not isinstance(node, ast.Name) or node.id in public():
            continue
        match origin_of(module, node.id):
            case ast.expr() as alias:
                yield from classes_in(module, alias)
            case str() as origin if origin.startswith("cardwright") and not origin.startswith(ELSEWHERE):
                importlib.import_module(origin)
                found = origin_of(origin, node.id)
                if isinstance(found, ast.expr):
                    yield from classes_in(origin, found)
                elif not isinstance(found, str) or node.id[0].isupper():
                    yield node.id
            case _:
                pass


def definitions(function: Callable[..., Any]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the definition of a function, or its overloads, which are what it takes."""
    found = [
        node
        for node in tree_of(function.__module__).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function.__name__
    ]
    yield from found[:-1] or found


@pytest.mark.parametrize("function", list(functions()))
def test_argument_and_return_types_of_a_public_function_can_be_imported(function: Callable[..., Any]) -> None:
    for definition in definitions(function):
        arguments = definition.args
        named = [one.annotation for one in (*arguments.args, *arguments.kwonlyargs)]
        missing = {
            name
            for annotation in (*named, definition.returns)
            if annotation is not None
            for name in classes_in(function.__module__, annotation)
        }
        assert missing == set()
        assert arguments.kwarg is None


@pytest.mark.parametrize("function", list(functions()))
def test_errors_of_a_public_function_can_be_imported(function: Callable[..., Any]) -> None:
    _, _, section = (inspect.getdoc(function) or "").partition("Raises:\n")
    raised = re.findall(r"^    ([A-Z]\w+(?:, [A-Z]\w+)*):", section, re.MULTILINE)
    names = {name for line in raised for name in line.split(", ")}

    assert names <= public() | {"ValueError", "OSError"}


@pytest.mark.parametrize("function", list(functions()))
def test_a_public_function_has_one_positional_argument_and_only_typed_ones(
    function: Callable[..., Any],
) -> None:
    for definition in definitions(function):
        arguments = definition.args
        by_position = 2 if function.__name__ in PAIRS else 1
        assert len(arguments.args) <= by_position
        annotations = [one.annotation for one in (*arguments.args, *arguments.kwonlyargs)]
        assert None not in annotations
        assert not any(
            isinstance(node, ast.Name) and node.id == "Any"
            for annotation in (*annotations, definition.returns)
            if annotation is not None
            for node in ast.walk(annotation)
        )


@pytest.mark.parametrize("package", DOCUMENTED)
def test_every_public_name_of_a_package_is_there(package: str) -> None:
    module = importlib.import_module(package)

    assert [name for name in module.__all__ if getattr(module, name, None) is None] == []
