"""`python -m codegen.npm_source FOLDER`: write what the npm package is built from, the bundled schemas and the rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from codegen.bundle import bundle
from codegen.explanations import explanations_of
from codegen.lint import sound_tree
from codegen.public_form import public_form
from codegen.render import rules_of

if TYPE_CHECKING:
    from codegen.sources import Dialect, Tree

ROOT: Final = Path(__file__).resolve().parents[1]


def npm_source(tree: Tree) -> dict[str, Any]:
    """Return JSON values by path: the bundled schema of each dialect, another for its types if it has one, and the rules of all."""
    files: dict[str, Any] = {
        f"schemas/{dialect.name}.schema.json": public_form(bundle(tree, dialect.schema, dialect.also))
        for dialect in tree.dialects
        if dialect.schema is not None
    }
    files |= {
        f"types/{dialect.name}.schema.json": _as_union(public_form(bundle(tree, dialect.schema)), dialect)
        for dialect in tree.dialects
        if dialect.schema is not None and dialect.documents
    }
    explanations = explanations_of(tree)["rules"]
    files["rules.json"] = {
        dialect.name: [
            {
                "id": rule["id"],
                "severity": rule["severity"],
                "spec": rule["spec"],
                "title": explanations[rule["id"]]["title"],
                "why": explanations[rule["id"]]["why"],
                "how": explanations[rule["id"]]["how"],
            }
            for _, rule in rules_of(tree, dialect)
        ]
        for dialect in tree.dialects
    }
    return files


def _as_union(schema: Any, dialect: Dialect) -> Any:
    """Return a schema of messages for TypeScript, which has no conditions: a union of what they distinguish."""
    names = dict.fromkeys(["Request", "Response", *(one["type"] for one in dialect.documents)])
    conditions = ("if", "then", "else", "type")
    return {
        **{keyword: value for keyword, value in schema.items() if keyword not in conditions},
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in names],
    }


def main(folder: Path) -> None:
    """Write the files."""
    for path, value in npm_source(sound_tree(ROOT / "schemas")).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
