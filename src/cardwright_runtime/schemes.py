"""Conversion of security schemes between A2A 0.x and 1.0 (A2A 1.0 §4.5).

A table maps the known names of each kind of scheme to its default fields.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from cardwright_models.a2a_facts import SCHEME_FIELDS, SCHEME_WRAPPERS
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Table = Mapping[str, Any]
    Row = Mapping[str, Any]

# Fields of an A2A 0.1 `authentication` that are not part of the scheme; all others stay with the scheme.
_OWN_FIELDS: Final = frozenset({"schemes", "type", "credentials", "required"})


def scheme(value: Any, table: Table) -> dict[str, Any] | None:
    """Return a scheme in the shape of A2A 0.x, or None if its type is unknown; a text is its type."""
    if type(value) is str:
        value = {"type": value}
    if type(value) is not dict:
        return None
    flat: dict[str, Any] = {name: field for name, field in value.items() if field is not None}
    wrappers = [(kind, name) for kind, name in SCHEME_WRAPPERS.items() if type(flat.get(name)) is dict]
    if len(wrappers) == 1:
        ((kind, name),) = wrappers
        flat = {"type": kind, **flat.pop(name), **{other: flat[other] for other in flat if other != "type"}}
    known = table.get(folded(flat.get("type", flat.get("scheme", _implied(flat)))))
    if type(known) is not dict or "type" not in known:
        return None
    if _contradicts(flat, known):
        return None
    if known["type"] == "apiKey":
        flat = {("in" if name == "location" else name): field for name, field in flat.items()}
        if "type" not in flat:
            flat.pop("scheme", None)
    result: dict[str, Any] = {**known, **flat, "type": known["type"]}
    if type(result.get("flows")) is dict:
        result["flows"] = {name: _flow(flow) for name, flow in result["flows"].items() if flow is not None}
    return result


def _implied(fields: Row) -> str:
    """Return the type of a scheme that names none, if it has what one type alone requires."""
    named = {"in" if name == "location" else name for name in fields}
    return next(
        (kind for kind, required in SCHEME_FIELDS.items() if required and named.issuperset(required)), ""
    )


def _contradicts(fields: Row, known: Row) -> bool:
    """Return whether a scheme is both `bearer` and `basic`, or has two different places for its key."""
    names = {folded(row["scheme"]) for row in (fields, known) if row.get("scheme") is not None}
    places = {folded(fields[name]) for name in ("in", "location") if fields.get(name) is not None}
    return len(places) > 1 or ("scheme" in known and len(names) > 1)


def _flow(flow: Any) -> Any:
    """Return a flow with its required `scopes`, empty by default (OpenAPI 3.0.3)."""
    if type(flow) is not dict:
        return flow
    fields = {name: field for name, field in flow.items() if field is not None}
    return {**fields, "scopes": fields.get("scopes", {})}


def wrapped(value: Any, table: Table) -> dict[str, Any] | None:
    """Return a scheme in the shape of A2A 1.0, or None if its type is unknown."""
    flat = scheme(value, table)
    return None if flat is None else _wrapped(flat)


def _wrapped(flat: Row) -> dict[str, Any]:
    """Return a scheme of 0.x in the shape of A2A 1.0."""
    location = "location" if flat["type"] == "apiKey" else "in"
    inner = {location if name == "in" else name: field for name, field in flat.items() if name != "type"}
    return {SCHEME_WRAPPERS[flat["type"]]: inner}


def requirement(value: Any) -> dict[str, Any] | None:
    """Return one requirement in the shape of 1.0, or None if it has neither shape."""
    if type(value) is not dict:
        return None
    if type(value.get("schemes")) is dict:
        return value
    if not all(type(scopes) is list for scopes in value.values()):
        return None
    return {"schemes": {name: {"list": scopes} for name, scopes in value.items()}}


def schemes_agree(holder: Any, outer: Sequence[str]) -> Sequence[Row] | None:
    """Copy the security requirements of one half of a hybrid to the other half, which has none."""
    older, newer = holder.get("security"), holder.get("securityRequirements")
    if older and not newer:
        copied = [requirement(item) for item in older] if type(older) is list else [None]
        name = "securityRequirements"
    else:
        copied = [_older(item) for item in newer] if type(newer) is list and not older else [None]
        name = "security"
    if None in copied or not copied:
        return None
    op = "replace" if name in holder else "add"
    return [{"op": op, "path": pointer_of((*outer, name)), "value": copied}]


def _older(value: Any) -> dict[str, Any] | None:
    schemes = value.get("schemes") if type(value) is dict else None
    if type(schemes) is not dict:
        return None
    lists = {
        name: scopes.get("list", []) if type(scopes) is dict else None for name, scopes in schemes.items()
    }
    return lists if all(type(scopes) is list for scopes in lists.values()) else None


def declared(document: Any, name: str, table: Table, *, newer: bool) -> Sequence[Row] | None:
    """Declare a scheme that a requirement names, with the default fields of that name."""
    known = table.get(folded(name))
    if known is None:
        return None
    declaration = _wrapped(known) if newer else known
    if type(document.get("securitySchemes")) is dict:
        return [{"op": "add", "path": pointer_of(("securitySchemes", name)), "value": declaration}]
    return [{"op": "add", "path": "/securitySchemes", "value": {name: declaration}}]


def unneeded(document: Any, name: str, table: Table) -> Sequence[Row] | None:
    """Remove a scheme whose type means "no authentication", and its name from the requirements."""
    # jsonschema-rs leaves an empty field name out of a path, so the place may be that of another field.
    value = document["securitySchemes"].get(name)
    if type(value) is not dict or table.get(folded(value.get("type"))) != {}:
        return None
    if any(value[name] is not None for name in value.keys() - {"type", "description"}):
        return None  # a scheme with other fields requires something, whatever its type says
    requirements = document.get("security")
    patch: list[Row] = [{"op": "remove", "path": pointer_of(("securitySchemes", name))}]
    if type(requirements) is list and any(type(item) is dict and name in item for item in requirements):
        remaining = [
            {other: scopes for other, scopes in item.items() if other != name} if type(item) is dict else item
            for item in requirements
        ]
        patch.append({"op": "replace", "path": "/security", "value": remaining})
    return patch


def authentication(
    document: Any, table: Table, *, newer: bool = False, removes: bool = False
) -> Sequence[Row] | None:
    """Move the `authentication` of A2A 0.1 to the fields of later versions; with `removes`, remove it if it requires nothing."""
    requirements_field = "securityRequirements" if newer else "security"
    value = document.get("authentication")
    value = {"type": value} if type(value) is str else {} if value is None else value
    if type(value) is not dict or document.get("securitySchemes") or document.get(requirements_field):
        return None
    names = value.get("schemes", value.get("type", []))
    names = [names] if type(names) is str else names
    if type(names) is not list or value.get("required") is False:
        return None
    known = [table.get(folded(name)) for name in names]
    removal = {"op": "remove", "path": "/authentication"}
    if all(scheme == {} for scheme in known):
        # No scheme, or one that means "none": nothing is required. Remove it only if no other information is lost.
        lost = not value.keys() <= _OWN_FIELDS or value.get("credentials") or value.get("required")
        return [removal] if removes and not lost else None
    if removes:
        return None
    flat = {
        str(name): _with_details(scheme, value, alone=len(names) == 1)
        for name, scheme in zip(names, known, strict=True)
    }
    if None in flat.values() or len(flat) != len(names):
        return None
    schemes = {name: _wrapped(scheme) if newer else scheme for name, scheme in flat.items() if scheme}
    requirements: list[Any] = [{name: []} for name in flat]
    requirements = [requirement(item) for item in requirements] if newer else requirements
    return [
        {"op": "add", "path": "/securitySchemes", "value": schemes},
        {"op": "add", "path": f"/{requirements_field}", "value": requirements},
        removal,
    ]


def _with_details(known: Any, value: dict[str, Any], *, alone: bool) -> dict[str, Any] | None:
    """Return a scheme with the other fields of its `authentication`; None if information would be lost."""
    others = {name: field for name, field in value.items() if name not in _OWN_FIELDS}
    credentials = value.get("credentials")
    if not known or (not alone and (others or credentials)):
        return None
    if type(credentials) is str and credentials.strip():
        try:
            decoded = json.loads(credentials)  # noqa: TID251 - a string of a document with limits
        except (ValueError, RecursionError):
            decoded = {"description": credentials}
        others |= decoded if type(decoded) is dict else {"description": credentials}
    elif type(credentials) is dict:
        others |= credentials
    if known["type"] == "apiKey":
        header = others.pop("apiKeyHeader", others.get("header"))
        if type(header) is str and "name" not in others:
            others |= {"in": "header", "name": header}
    if _contradicts(others, known):
        return None
    result = {**known, **others, "type": known["type"]}
    return result if known["type"] != "apiKey" or type(result.get("name")) is str else None


def folded(name: Any) -> str:
    """Return a name as a key of the tables: lower case, without `_`, `-` and spaces."""
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold() if type(name) is str else ""
