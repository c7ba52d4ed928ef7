"""The packages of models: a module of types for each schema, envelopes, methods, and what each package exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.envelopes import envelopes_of
from codegen.methods import methods_of
from codegen.models import classes_of, model_source
from codegen.sources import BrokenTree, Problem
from codegen.texts import from_template, header_of, json_text

if TYPE_CHECKING:
    from codegen.sources import Dialect, Messages, Tree

MODELS: Final = "cardwright_models"


def typed_files(
    tree: Tree, manifest: Dialect | Messages, bundled: Any, module: str = "models"
) -> dict[str, str]:
    """Return a bundled schema and its models, as files of a package."""
    folder, schema = f"{MODELS}/{manifest.package}", str(manifest.schema)
    models = model_source(bundled, str(bundled["title"]), schema)
    header = header_of(tree, schema)
    return {
        f"{folder}/{'schema' if module == 'models' else f'{module}.schema'}.json": json_text(bundled),
        f"{folder}/{module}.py": f'"""{manifest.title}: typed models.\n\n{header}\n"""\n\n{models}',
    }


def _envelopes(tree: Tree, files: dict[str, str]) -> dict[str, str]:
    """Return a module of JSON-RPC requests, responses and errors for each version whose operations name them."""
    made: dict[str, str] = {}
    for path, document in tree.operations.items():
        for dialect in tree.dialects:
            rows = [one["versions"].get(dialect.version, {}) for one in document["operations"]]
            if dialect.family != path.partition("/")[0] or not any("type" in row for row in rows):
                continue
            folder = f"{MODELS}/{dialect.package}"
            modules = {
                name: f"{folder.replace('/', '.')}.{module}"
                for module, names in _classes(files, folder).items()
                for name in names
            }
            schema = envelopes_of(document, dialect.version, modules)
            if taken := sorted(modules.keys() & schema["$defs"].keys()):
                words = f"{dialect.package} has a class {', '.join(taken)} already: change `type`"
                raise BrokenTree([Problem(path, "/operations", words)])
            title = f"{dialect.family.upper()} {dialect.version} requests, responses and errors of JSON-RPC"
            made[f"{folder}/jsonrpc.py"] = (
                f'"""{title}: typed models.\n\n{header_of(tree, path)}\n"""\n\n'
                + model_source(schema, str(schema["title"]), path)
            )
    return made


def _classes(files: dict[str, str], folder: str) -> dict[str, list[str]]:
    """Return the classes of each module of a package."""
    paths = [path for path in sorted(files) if path.startswith(f"{folder}/") and path.endswith(".py")]
    return {path.removeprefix(f"{folder}/").removesuffix(".py"): classes_of(files[path]) for path in paths}


def packages(tree: Tree, files: dict[str, str]) -> dict[str, str]:
    """Return what follows from all models: envelopes, the `__init__` of each package, which exports its classes, and methods.

    Args:
        tree: The tree of schemas.
        files: The modules of models by their path.

    Raises:
        BrokenTree: If an operation names a type that no package has, or its requests have the name of a type.
    """
    envelopes = _envelopes(tree, files)
    files = files | envelopes
    titles: dict[str, list[str]] = {}
    manifests: tuple[Dialect | Messages, ...] = (*tree.dialects, *tree.messages)
    for manifest in manifests:
        titles.setdefault(f"{MODELS}/{manifest.package}", []).append(manifest.title)
    modules = {folder: _classes(files, folder) for folder in titles}
    exported = {
        folder.removeprefix(f"{MODELS}/"): {name for names in classes.values() for name in names}
        for folder, classes in modules.items()
    }
    methods = {
        f"{MODELS}/{path.partition('/')[0]}_methods.py": from_template(
            "methods.py.jinja", header=header_of(tree, path), **methods_of(tree, path, exported)
        )
        for path in tree.operations
    }
    return (
        envelopes
        | methods
        | {
            f"{folder}/__init__.py": from_template(
                "package.py.jinja",
                title=" and ".join(titles[folder]),
                header=header_of(tree),
                package=folder.replace("/", "."),
                modules=classes,
            )
            for folder, classes in modules.items()
            if classes
        }
    )
