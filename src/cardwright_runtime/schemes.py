"""Security of A2A 0.x and of 1.0, each written as the other writes it (A2A 1.0 §4.5).

A table says by which names a kind of scheme is known, and what goes without saying of each.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Table = Mapping[str, Any]
    Row = Mapping[str, Any]

# A2A 1.0 §4.5.1: the member that a scheme's `type` became.
WRAPPERS: Final = {
    "apiKey": "apiKeySecurityScheme",
    "http": "httpAuthSecurityScheme",
    "oauth2": "oauth2SecurityScheme",
    "openIdConnect": "openIdConnectSecurityScheme",
    "mutualTLS": "mtlsSecurityScheme",
}
# What an `authentication` of A2A 0.1 says besides the scheme itself; all else is kept with the scheme.
_TOLD: Final = frozenset({"schemes", "type", "credentials", "required"})


def scheme(value: Any, table: Table) -> dict[str, Any] | None:
    """Return a scheme as A2A 0.x writes it, or None where it does not say what it is."""
    if type(value) is not dict:
        return None
    flat: dict[str, Any] = {name: member for name, member in value.items() if member is not None}
    wrappers = [(kind, name) for kind, name in WRAPPERS.items() if type(flat.get(name)) is dict]
    if len(wrappers) == 1:
        ((kind, name),) = wrappers
        flat = {"type": kind, **flat.pop(name), **{other: flat[other] for other in flat if other != "type"}}
    known = table.get(folded(flat.get("type", flat.get("scheme"))))
    if type(known) is not dict or "type" not in known:
        return None
    if _contradicts(flat, known):
        return None
    if known["type"] == "apiKey":
        flat = {("in" if name == "location" else name): member for name, member in flat.items()}
        if "type" not in flat:
            flat.pop("scheme", None)
    made: dict[str, Any] = {**known, **flat, "type": known["type"]}
    if type(made.get("flows")) is dict:
        made["flows"] = {name: _flow(flow) for name, flow in made["flows"].items() if flow is not None}
    return made


def _contradicts(said: Row, known: Row) -> bool:
    """Whether a scheme is called `bearer` and says `basic`, or says two things of where its key goes."""
    words = {folded(one["scheme"]) for one in (said, known) if one.get("scheme") is not None}
    places = {folded(said[name]) for name in ("in", "location") if said.get(name) is not None}
    return len(places) > 1 or ("scheme" in known and len(words) > 1)


def _flow(flow: Any) -> Any:
    """Return a flow that says which scopes there are: none, where it named none (OpenAPI 3.0.3)."""
    if type(flow) is not dict:
        return flow
    said = {name: member for name, member in flow.items() if member is not None}
    return {**said, "scopes": said.get("scopes", {})}


def wrapped(value: Any, table: Table) -> dict[str, Any] | None:
    """Return a scheme as A2A 1.0 writes it, or None where it does not say what it is."""
    flat = scheme(value, table)
    return None if flat is None else _wrapped(flat)


def _wrapped(flat: Row) -> dict[str, Any]:
    """Return a scheme of 0.x as A2A 1.0 writes it."""
    location = "location" if flat["type"] == "apiKey" else "in"
    inner = {location if name == "in" else name: member for name, member in flat.items() if name != "type"}
    return {WRAPPERS[flat["type"]]: inner}


def requirement(value: Any) -> dict[str, Any] | None:
    """Return one requirement of 0.x in the shape of 1.0, or itself where it has it already."""
    if type(value) is not dict:
        return None
    if type(value.get("schemes")) is dict:
        return value
    if not all(type(scopes) is list for scopes in value.values()):
        return None
    return {"schemes": {name: {"list": scopes} for name, scopes in value.items()}}


def schemes_agree(holder: Any, outer: Sequence[str]) -> Sequence[Row] | None:
    """Let the half of a hybrid that asks for nothing ask for what the other half asks."""
    older, newer = holder.get("security"), holder.get("securityRequirements")
    if older and not newer:
        made = [requirement(item) for item in older] if type(older) is list else [None]
        name = "securityRequirements"
    else:
        made = [_older(item) for item in newer] if type(newer) is list and not older else [None]
        name = "security"
    if None in made or not made:
        return None
    op = "replace" if name in holder else "add"
    return [{"op": op, "path": pointer_of((*outer, name)), "value": made}]


def _older(value: Any) -> dict[str, Any] | None:
    schemes = value.get("schemes") if type(value) is dict else None
    if type(schemes) is not dict:
        return None
    lists = {
        name: scopes.get("list", []) if type(scopes) is dict else None for name, scopes in schemes.items()
    }
    return lists if all(type(scopes) is list for scopes in lists.values()) else None


def declared(document: Any, name: str, table: Table, *, newer: bool) -> Sequence[Row] | None:
    """Declare a scheme that is asked for, as its name tells."""
    known = table.get(folded(name))
    if known is None:
        return None
    made = _wrapped(known) if newer else known
    if type(document.get("securitySchemes")) is dict:
        return [{"op": "add", "path": pointer_of(("securitySchemes", name)), "value": made}]
    return [{"op": "add", "path": "/securitySchemes", "value": {name: made}}]


def unneeded(document: Any, name: str, table: Table) -> Sequence[Row] | None:
    """Take out a scheme whose type is a word for none, and ask for nothing where it was asked for."""
    value = document["securitySchemes"][name]
    if type(value) is not dict or table.get(folded(value.get("type"))) != {}:
        return None
    if any(value[name] is not None for name in value.keys() - {"type", "description"}):
        return None  # what says how to authenticate asks for something, whatever it is called
    asked = document.get("security")
    patch: list[Row] = [{"op": "remove", "path": pointer_of(("securitySchemes", name))}]
    if type(asked) is list and any(type(item) is dict and name in item for item in asked):
        left = [
            {other: scopes for other, scopes in item.items() if other != name} if type(item) is dict else item
            for item in asked
        ]
        patch.append({"op": "replace", "path": "/security", "value": left})
    return patch


def authentication(document: Any, table: Table, *, newer: bool) -> Sequence[Row] | None:
    """Move the `authentication` of A2A 0.1 to where later versions look, or leave it out where it says nothing."""
    asks = "securityRequirements" if newer else "security"
    value = document.get("authentication")
    value = {"type": value} if type(value) is str else {} if value is None else value
    if type(value) is not dict or document.get("securitySchemes") or document.get(asks):
        return None
    names = value.get("schemes", value.get("type", []))
    names = [names] if type(names) is str else names
    if type(names) is not list or value.get("required") is False:
        return None
    known = [table.get(folded(name)) for name in names]
    gone = {"op": "remove", "path": "/authentication"}
    if all(one == {} for one in known):
        # No scheme, or one that is the word for none: nothing is asked for, and nothing else may be lost.
        lost = not value.keys() <= _TOLD or value.get("credentials") or value.get("required")
        return None if lost else [gone]
    made = {
        str(name): _told(one, value, alone=len(names) == 1) for name, one in zip(names, known, strict=True)
    }
    if None in made.values() or len(made) != len(names):
        return None
    schemes = {name: _wrapped(one) if newer else one for name, one in made.items() if one}
    asked: list[Any] = [{name: []} for name in made]
    asked = [requirement(item) for item in asked] if newer else asked
    return [
        {"op": "add", "path": "/securitySchemes", "value": schemes},
        {"op": "add", "path": f"/{asks}", "value": asked},
        gone,
    ]


def _told(known: Any, value: dict[str, Any], *, alone: bool) -> dict[str, Any] | None:
    """Return a scheme with what else an `authentication` tells of it; None where that would be lost."""
    others = {name: member for name, member in value.items() if name not in _TOLD}
    credentials = value.get("credentials")
    if not known or (not alone and (others or credentials)):
        return None
    if type(credentials) is str and credentials.strip():
        try:
            said = json.loads(credentials)
        except (ValueError, RecursionError):
            said = {"description": credentials}
        others |= said if type(said) is dict else {"description": credentials}
    elif type(credentials) is dict:
        others |= credentials
    if known["type"] == "apiKey":
        header = others.pop("apiKeyHeader", others.get("header"))
        if type(header) is str and "name" not in others:
            others |= {"in": "header", "name": header}
    if _contradicts(others, known):
        return None
    made = {**known, **others, "type": known["type"]}
    return made if known["type"] != "apiKey" or type(made.get("name")) is str else None


def folded(name: Any) -> str:
    """Return a name as tables write it: lower case, without what joins words."""
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold() if type(name) is str else ""
