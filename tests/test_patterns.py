"""Every regular expression of the packages takes time in proportion to the text, run the way it is used."""

from __future__ import annotations

import ast
import importlib
import itertools
import re
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
METHODS: Final = frozenset({"search", "match", "fullmatch", "findall", "finditer", "sub", "split"})
LENGTH: Final = 2_000
# What is repeated; then come pieces of the expression's own text.
PIECES: Final = (
    " ", "\n", "\t", "a", "A", "0", ".", "-", "/", "<", '"', "'", "\\", "a ", "a.", " a", "\r\n", "=", "%", "(", "[",
)  # fmt: skip
FORMS: Final = ("{}", "a{}!", "{}\n\n", "//<{}\n")


def uses() -> dict[tuple[str, str], set[str]]:
    """The methods that are called on each expression of a module, by module and name."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for folder in ("src", "generated"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(file.read_bytes())
            module = ".".join(file.relative_to(ROOT / folder).with_suffix("").parts).removesuffix(".__init__")
            names = {
                target.id
                for node in tree.body
                if isinstance(node, (ast.Assign, ast.AnnAssign)) and "compile" in ast.dump(node)
                for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(tree):
                if (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.value, ast.Name)
                    and node.value.id in names
                ):
                    found[module, node.value.id] |= METHODS & {node.attr}
    return {key: methods for key, methods in found.items() if methods}


def seconds(pattern: re.Pattern[Any], method: str, text: Any) -> float:
    run = getattr(pattern, method)
    began = time.process_time()
    if method == "sub":
        run(text[:0], text)
    elif method == "finditer":
        list(run(text))
    else:
        run(text)
    return time.process_time() - began


def test_every_expression_takes_time_in_proportion_to_the_text() -> None:
    slow: list[str] = []
    for (module, name), methods in uses().items():
        pattern = getattr(importlib.import_module(module), name)
        if not isinstance(pattern, re.Pattern):
            continue
        words = re.findall(r"[A-Za-z]{3,}", str(pattern.pattern))[:3]
        words += [f"-{word}" for word in words]
        for method, piece, form in itertools.product(methods, (*PIECES, *words), FORMS):
            texts: list[Any] = [form.format(piece * (LENGTH * times)) for times in (1, 8)]
            if isinstance(pattern.pattern, bytes):
                texts = [text.encode() for text in texts]
            once, more = (seconds(pattern, method, text) for text in texts)
            # Another process may have had the processor: the second measurement counts.
            if more > 24 * once + 0.05 and (more := seconds(pattern, method, texts[1])) > 24 * once + 0.05:
                slow.append(
                    f"{module}.{name}.{method}: {form!r} of {piece!r}: {once:.3f} s, then {more:.3f} s"
                )
    assert slow == []
