"""All files of `generated/` as text by path, before they are written."""

from __future__ import annotations

import tomllib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from codegen.bundle import bundle
from codegen.detection import condition_of, expression, patterns_in, signs_of
from codegen.documents import components_schema, settings_schema
from codegen.explanations import explanations_of
from codegen.facts import facts_of
from codegen.fixes import fixes_of
from codegen.lint import PHASES, sound_tree
from codegen.lint_rules.mappings import family_mapping_path, mapping_path
from codegen.lint_rules.rules import TEXT_PHASES, patterns_of
from codegen.lints import lint_schema, rare_sign, text_filter
from codegen.mappings import table
from codegen.models import (
    API_OPTIONS,
    SETTINGS_OPTIONS,
    document_source,
    for_models,
)
from codegen.packages import MODELS, packages, typed_files
from codegen.placing import rule_sets_of
from codegen.presence import presence_table, states_presence
from codegen.sources import (
    CHANGES,
    ID_BASE,
    OPENAPI_SUFFIX,
    SCHEMA_SUFFIX,
    SETTINGS,
    SYNONYMS,
    BrokenTree,
    Messages,
)
from codegen.spellings import grouped, names_schema, spellings_of, synonyms_of
from codegen.structural import SIGNS, calls, is_about_names
from codegen.texts import copied, formatted, from_template, header_of, json_text

if TYPE_CHECKING:
    from pathlib import Path

    from codegen.sources import Dialect, Problem, Tree
    from codegen.spellings import Names

# The packages: models alone, what validates and converts, and the models of the gateway's settings and API.
RULES: Final = "cardwright_rules"
GATEWAY: Final = "cardwright_gateway_models"
# Settings without models: the toolkit, which starts without pydantic, reads them.
READ_AS_JSON: Final = ("settings/agents.schema.json", "settings/project.schema.json")
# The tables of the index: the kind of its dialects, its name, and what it holds.
TABLES: Final = (
    ("card", "DIALECTS", "The dialects of agent cards, by name."),
    ("server", "SERVERS", "The dialects of descriptions of MCP servers, by name."),
    ("catalog", "CATALOGS", "The dialects of catalogues, which list agents and other resources, by name."),
    ("messages", "MESSAGES", "The dialects of what agents send each other, by name."),
)
# The modules of `cardwright_runtime` and the functions that generated code calls.
KIND_MODULES: Final = {
    "checks": ("declared", "dig", "jws_header", "listed", "mapping", "needs", "reach", "registered",
              "same", "scopes", "unique"),
    "spelling": ("spelling",),
    "streams": ("stream_chunks", "stream_end"),
    "violation": ("break_rule", "pointer_of"),
    "agreement": (
        "halves_extended", "halves_interfaces", "halves_security",
        "main_interface_agrees", "main_interface_listed",
    ),
    "identifiers": ("publisher",),
}  # fmt: skip


def render_tree(root: Path) -> dict[str, str]:
    """Return every generated file's text by its path below `generated/`.

    Raises:
        BrokenTree: With every problem found in the tree of schemas.
    """
    tree = sound_tree(root)
    problems: list[Problem] = []

    def package(manifest: Dialect | Messages) -> dict[str, str]:
        try:
            if isinstance(manifest, Messages):
                return _messages_files(tree, manifest)
            return _dialect_files(tree, manifest)
        except BrokenTree as broken:
            problems.extend(broken.problems)
            return {}

    with ThreadPoolExecutor(2) as pool:
        pending = pool.map(package, (*tree.dialects, *tree.messages))
        files = {path: text for package_files in pending for path, text in package_files.items()}
    if problems:
        raise BrokenTree(sorted(set(problems), key=str))
    files |= packages(tree, files) | _shared_files(tree)
    return dict(sorted(formatted(files).items()))


def rules_of(tree: Tree, dialect: Dialect) -> list[tuple[str, Any]]:
    """Return (phase, rule) of every rule that a dialect uses, with the dialect's own spec section, sorted by id."""
    rules = []
    for rule_set in rule_sets_of(tree, dialect):
        for rule in rule_set.rules:
            spec = rule["spec"]
            text = spec if isinstance(spec, str) else spec.get(dialect.name) or spec["*"]
            rules.append((rule_set.phase, {**rule, "spec": text}))
    return sorted(rules, key=lambda pair: str(pair[1]["id"]))


def _dialect_files(tree: Tree, dialect: Dialect) -> dict[str, str]:
    folder = f"{RULES}/{dialect.package}"
    header = header_of(tree, dialect.path)
    rules = rules_of(tree, dialect)
    bundled = bundle(tree, dialect.schema, dialect.also) if dialect.schema else {}
    files = {
        f"{folder}/__init__.py": f'"""{dialect.title}.\n\n{header}\n"""\n',
        f"{folder}/fixes.json": json_text(fixes_of(tree, dialect)),
        f"{folder}/lints.json": json_text(_lints(tree, dialect, rules, bundled)),
        f"{folder}/validators.py": _validators(tree, dialect, rules, bundled),
    }
    for name, mapping in (
        ("mapping", mapping_path(dialect.name)),
        ("family_mapping", family_mapping_path(dialect.name)),
    ):
        if mapping in tree.mappings:
            files[f"{folder}/{name}.py"] = from_template(
                "mapping.py.jinja", header=header_of(tree, mapping), **table(tree.mappings[mapping])
            )
    if dialect.schema is not None and states_presence(bundled):
        files[f"{folder}/presence.py"] = from_template(
            "presence.py.jinja",
            title=dialect.title,
            header=header_of(tree, dialect.schema),
            dialect=dialect.name,
            **presence_table(bundled, dialect.schema),
        )
    if dialect.schema is not None and not dialect.typed:
        files[f"{folder}/schema.json"] = json_text(bundled)
    elif dialect.schema is not None:
        files |= typed_files(tree, dialect, bundled)
    return files


def _messages_files(tree: Tree, messages: Messages) -> dict[str, str]:
    roots = tuple(f"{messages.schema}#/$defs/{root}" for root in messages.roots)
    bundled = bundle(tree, messages.schema, (*messages.also, *roots))
    return typed_files(tree, messages, bundled, messages.module)


def _lints(tree: Tree, dialect: Dialect, rules: list[tuple[str, Any]], bundled: Any) -> Any:
    """Return the schemas of the rules of kind `schema` by phase and of the names of fields, and the filter of each text phase."""
    sets = {tree.rule_sets[path].phase: tree.rule_sets[path] for path in dialect.rules}
    schemas = {
        phase: lint_schema(
            [rule for when, rule in rules if when == phase and rule["kind"] == "schema"],
            lambda path: bundle(tree, path),
        )
        for phase in PHASES
    }
    schemas["names"] = names_schema(
        [rule for _, rule in rules if is_about_names(rule)],
        spellings_of([rule for _, rule in rules], bundled, dialect.path, _related_spellings(tree, dialect)),
    )
    return {
        "rules": schemas,
        "filters": {
            phase: text_filter(patterns, sets[phase].escapes, sets[phase].beyond)
            for phase in TEXT_PHASES
            if (patterns := [text for when, rule in rules if when == phase for text in patterns_of(rule)])
        },
    }


def _related_spellings(tree: Tree, dialect: Dialect) -> list[dict[str, Names]]:
    """Return the known field names of the other versions of a dialect."""
    return [
        spellings_of(
            [rule for _, rule in rules_of(tree, other)], bundle(tree, other.schema, other.also), other.path
        )
        for other in tree.dialects
        if other.family == dialect.family and other.name != dialect.name and other.schema
    ]


def _validators(tree: Tree, dialect: Dialect, rules: list[tuple[str, Any]], bundled: Any) -> str:
    all_rules = [rule for _, rule in rules]
    checked = [rule for rule in all_rules if rule["kind"] not in ("schema", SIGNS)]
    lines: dict[str, list[str]] = {"names": [], "structural": []}
    for rule in checked:
        part = "names" if is_about_names(rule) else "structural"
        lines[part] += calls(rule, tree.vocabularies)
    text = "\n".join(line for part in lines.values() for line in part)
    return from_template(
        "validators.py.jinja",
        dialect=dialect,
        package=RULES,
        header=header_of(tree, dialect.path),
        rules=all_rules,
        lines=lines,
        spellings=spellings_of(all_rules, bundled, dialect.path, _related_spellings(tree, dialect)),
        grouped=grouped,
        uses={
            module: [name for name in names if f"{name}(" in text] for module, names in KIND_MODULES.items()
        },
        gated=any(phase == "gate" for phase, _ in rules),
        uses_vocabularies="vocabularies[" in text,
    )


def _shared_files(tree: Tree) -> dict[str, str]:
    text_rules = [rule for rules in tree.rule_sets.values() if rules.phase == "text" for rule in rules.rules]
    files = {f"{RULES}/text.json": json_text([_sign_rule(rule) for rule in text_rules])}
    header = header_of(tree)
    rows = _dialect_rows(tree)
    vocabularies = [
        {**vocabulary, "constant": name.upper().replace("-", "_")}
        for name, vocabulary in sorted(tree.vocabularies.items())
    ]
    files[f"{RULES}/__init__.py"] = from_template(
        "index.py.jinja",
        header=header,
        tables=[(name, about, [row for row in rows if row["kind"] == kind]) for kind, name, about in TABLES],
    )
    files[f"{RULES}/detection.py"] = from_template(
        "detection.py.jinja",
        header=header,
        rules=_detection_rules(tree),
        patterns=_patterns(tree),
        messages=[
            {
                "name": dialect.name,
                "types": [
                    (one["type"], expression(one["when"]) if "when" in one else "")
                    for one in dialect.documents
                ],
            }
            for dialect in tree.dialects
            if dialect.documents
        ],
        neighbours=[{**one, "expression": expression(one["when"])} for one in tree.neighbours],
    )
    files[f"{RULES}/vocabulary.py"] = from_template(
        "vocabulary.py.jinja",
        header=header,
        vocabularies=vocabularies,
        rule_words={v["name"]: v["rules"] for v in vocabularies if "rules" in v},
    )
    files |= _package_files(header)
    files |= {
        f"{MODELS}/{dialect.family}_facts.py": from_template(
            "facts.py.jinja", header=header, **facts_of(tree, dialect)
        )
        for dialect in tree.dialects
        if dialect.halves
    }
    # The distribution of the models.
    files["pyproject.toml"] = from_template("models-pyproject.toml.jinja", version=_version(tree))
    files["README.md"] = from_template("models-readme.md.jinja", rows=[row for row in rows if row["model"]])
    files[f"{RULES}/explanations.json"] = json_text(explanations_of(tree))
    if tree.changes is not None:
        files[f"{RULES}/changes.py"] = from_template(
            "changes.py.jinja", header=header_of(tree, CHANGES), **tree.changes
        )
    files[f"{RULES}/synonyms.py"] = from_template(
        "synonyms.py.jinja",
        header=header_of(tree, SYNONYMS),
        title=tree.synonyms["title"],
        rows=synonyms_of(tree.synonyms["synonyms"]),
    )
    files[f"{RULES}/platforms.json"] = json_text({"profiles": tree.profiles, "places": tree.places})
    return files | _settings_files(tree) | _api_files(tree) | _operations_files(tree)


def _dialect_rows(tree: Tree) -> list[dict[str, Any]]:
    """Return the row of each dialect in the index of the package."""
    return [
        {
            "name": dialect.name,
            "family": dialect.family,
            "version": dialect.version,
            "title": dialect.title,
            "package": dialect.package,
            "kind": dialect.kind,
            "models": f"{MODELS if dialect.typed else RULES}.{dialect.package}" if dialect.schema else None,
            "model": tree.schemas[dialect.schema].document["title"]
            if dialect.schema and dialect.typed
            else None,
            "schema_id": ID_BASE + dialect.schema if dialect.schema else None,
            "halves": dialect.halves,
            "well_known": dialect.well_known,
            "silences": dialect.silences,
            "presence": dialect.schema is not None and states_presence(tree.schemas[dialect.schema].document),
            "mapped": mapping_path(dialect.name) in tree.mappings,
        }
        for dialect in tree.dialects
    ]


def _package_files(header: str) -> dict[str, str]:
    """Return the first files of each package, and the modules that are copied from this one."""
    about = {
        MODELS: "Typed models of agent cards, catalogues and messages, one package a dialect. They need pydantic alone.",
        GATEWAY: "Typed models of the settings and the HTTP API of the gateway.",
    }
    files = {f"{package}/__init__.py": f'"""{text}\n\n{header}\n"""\n' for package, text in about.items()}
    files |= {f"{package}/py.typed": "" for package in (MODELS, RULES, GATEWAY)}
    files |= {f"{MODELS}/{module}.py": copied(module, MODELS) for module in ("base", "proto", "wire_names")}
    files[f"{GATEWAY}/documents_base.py"] = copied("documents_base", GATEWAY)
    files |= {
        f"{RULES}/{module}.py": copied(module, RULES)
        for module in ("mapping_tables", "presence_tables", "public_form")
    }
    return files


def _version(tree: Tree) -> str:
    """Return the version of the project that a tree of schemas belongs to; "0" for a tree alone."""
    project = tree.root.parent / "pyproject.toml"
    return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"]) if project.is_file() else "0"


def _sign_rule(rule: Any) -> Any:
    """Return a rule of kind `signs` with one pattern for each sign, and one that precedes them."""
    signs = ["|".join(f"(?:{pattern})" for pattern in patterns) for patterns in rule["signs"].values()]
    first = rare_sign(list(rule["signs"].values())[: len(signs) + 1 - rule["least"]])
    return {"id": rule["id"], "at": rule["at"], "least": rule["least"], "first": first, "signs": signs}


def _settings_files(tree: Tree) -> dict[str, str]:
    """Return the schemas of settings files and their models."""
    paths = [path for path in tree.schemas if path.startswith(SETTINGS)]
    rules, models = f"{RULES}/{SETTINGS}", f"{GATEWAY}/{SETTINGS}"
    files = {
        f"{rules}__init__.py": f'"""Settings files: schemas.\n\n{header_of(tree)}\n"""\n',
        f"{models}__init__.py": f'"""Settings files: models.\n\n{header_of(tree)}\n"""\n',
    }
    for path in paths:
        name = path.removeprefix(SETTINGS).removesuffix(SCHEMA_SUFFIX)
        bundled = bundle(tree, path)
        files[f"{rules}{name}.json"] = json_text(bundled)
        if path in READ_AS_JSON:
            continue
        source = document_source(settings_schema(bundled), path, SETTINGS_OPTIONS)
        title = f"Settings, {bundled['title']}: typed models"
        files[f"{models}{name}.py"] = f'"""{title}.\n\n{header_of(tree, path)}\n"""\n\n{source}'
    return files if paths else {}


def _api_files(tree: Tree) -> dict[str, str]:
    """Return the OpenAPI descriptions unchanged, and models of their components."""
    folder = f"{GATEWAY}/api/"
    files = {
        f"{folder}__init__.py": f'"""HTTP APIs: descriptions and models of their components.\n\n{header_of(tree)}\n"""\n'
    }
    for path, document in tree.apis.items():
        name = path.rpartition("/")[2].removesuffix(OPENAPI_SUFFIX)
        models = document_source(for_models(components_schema(document)), path, API_OPTIONS)
        title = f"{document['info']['title']}: typed models"
        files[f"{folder}{name}.json"] = json_text(document)
        files[f"{folder}{name}.py"] = f'"""{title}.\n\n{header_of(tree, path)}\n"""\n\n{models}'
    return files if tree.apis else {}


def _operations_files(tree: Tree) -> dict[str, str]:
    """Return a table for each protocol with the names of its operations in each version."""
    return {
        f"{RULES}/{path.removesuffix('.json').replace('/', '_')}.py": from_template(
            "operations.py.jinja", header=header_of(tree, path), **document
        )
        for path, document in tree.operations.items()
    }


def _detection_rules(tree: Tree) -> list[dict[str, Any]]:
    rules = [(rule, dialect) for dialect in tree.dialects for rule in dialect.detection_rules]
    return [
        {
            "candidates": [dialect.name, *rule.get("leavesOpen", ())],
            "evidence": rule["evidence"],
            "expression": expression(condition_of(rule)),
            "signs": [(name, expression(sign)) for name, sign in signs_of(rule)],
        }
        for rule, dialect in sorted(rules, key=lambda pair: int(pair[0]["order"]))
    ]


def _patterns(tree: Tree) -> list[str]:
    rules = [condition_of(rule) for dialect in tree.dialects for rule in dialect.detection_rules]
    conditions = [*rules, *(one["when"] for one in tree.neighbours)]
    return sorted({pattern for condition in conditions for pattern in patterns_in(condition)})
