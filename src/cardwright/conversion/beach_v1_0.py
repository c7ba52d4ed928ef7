"""Beach 1.0: capabilities become skills, transports become interfaces; the rest is in the Beach extension."""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright.conversion import beach_transports, extensions, security
from cardwright.conversion.notes import Notes, below
from cardwright.conversion.tables import EMPTY, NULL, tables
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_runtime.checks import dig

NAME: Final = "beach-1.0"
DESCRIPTION: Final = "Data of a Beach card that an A2A card has no field for."
SCHEMA_VERSION: Final = "1.0"
# The extension's parameters by their place in a Beach card: root, envelope, extension block.
_ROOT: Final = ("schemaVersion", "id", "displayName", "contact", "generatedAt")
ENVELOPE: Final = {
    "envelopeParts": "parts",
    "envelopeConsumes": "consumes",
    "a2uiCatalog": "a2uiCatalog",
    "llmContextLanguage": "llmContextLanguage",
}
BEACH: Final = ("version", "respondToolSchemaVersion", "turnStates", "conversationStates")
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of a Beach card."""
    converter = tables(NAME, to_hub=True)
    hub = dict(converter.card(document, notes))
    params = {name: document[name] for name in _ROOT if document.get(name) is not None}
    for name in _ROOT:
        if name in document and document[name] is None:
            notes.lose(below("", name), NULL)
    _block(document, ("envelope",), ENVELOPE, params, notes)
    blocks = document.get("extensions")
    if type(blocks) is dict:
        _block(document, ("extensions", "beach"), {name: name for name in BEACH}, params, notes)
    elif "extensions" in document:
        notes.lose("/extensions", "it is not an object of extension blocks")
    others = beach_transports.to_hub(document, hub, notes)
    if others:
        params["transports"] = others
    if params:
        extensions.declare(hub, BEACH_EXTENSION_URI, DESCRIPTION, params)
    _others(hub, blocks if type(blocks) is dict else {}, notes)
    _moves(hub, params, notes)
    converter.settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the Beach card of a hub."""
    # The transports have assumptions of their own about authentication.
    hub = security.complete(hub, Notes())
    declared = extensions.params_of(hub, BEACH_EXTENSION_URI)
    index, params = declared or (-1, {})
    at = below("/capabilities/extensions", index, "params")
    out: dict[str, Any] = {}
    for name in _ROOT:
        if name in params:
            out[name] = params[name]
            notes.move(below("", name), below(at, name))
    out |= tables(NAME, to_hub=False).card(hub, notes)
    if "schemaVersion" not in out:
        out["schemaVersion"] = SCHEMA_VERSION
        notes.assume(
            "/schemaVersion",
            SCHEMA_VERSION,
            "a Beach card requires schemaVersion: the version of this format",
        )
    if "id" not in out:
        out["id"] = re.sub(r"[^a-z0-9]+", "-", str(hub.get("name", "")).casefold()).strip("-") or "agent"
        notes.assume("/id", out["id"], "a Beach card requires an id: derived from the name")
    beach_transports.from_hub(hub, out, params.get("transports"), at, notes)
    envelope = {own: params[name] for name, own in ENVELOPE.items() if name in params}
    if envelope:
        out["envelope"] = envelope
        for name, own in ENVELOPE.items():
            notes.move(below("/envelope", own), below(at, name))
    blocks = {name: params[name] for name in BEACH if name in params}
    if blocks:
        out["extensions"] = {"beach": blocks}
        notes.move("/extensions/beach", at)
    for name in params.keys() - {*_ROOT, *ENVELOPE, *BEACH, "transports"}:
        notes.lose(below(at, name), "the Beach extension has no such parameter")
    if declared:
        for name in ("description", "required"):
            notes.doubt(
                below("/capabilities/extensions", index, name),
                "a Beach card does not declare the Beach extension",
            )
    _extensions(hub, out, index, notes)
    return out


def _block(
    document: dict[str, Any],
    path: tuple[str, ...],
    names: dict[str, str],
    params: dict[str, Any],
    notes: Notes,
) -> None:
    """Copy the fields of one block to the extension's parameters."""
    block = dig(document, path)
    if block is None:
        if len(path) == 1 and path[0] in document:
            notes.lose(below("", *path), NULL)
        return
    if type(block) is not dict:
        notes.lose(below("", *path), "it is not an object")
        return
    if not block:
        notes.doubt(below("", *path), EMPTY)
    own = {inner: name for name, inner in names.items()}
    for inner, value in block.items():
        if inner in own and value is not None:
            params[own[inner]] = value
        else:
            notes.lose(below("", *path, inner), "the Beach extension of an A2A card has no such parameter")


def _moves(hub: dict[str, Any], params: dict[str, Any], notes: Notes) -> None:
    """Note the source of each parameter."""
    declared = extensions.params_of(hub, BEACH_EXTENSION_URI)
    if declared is None:
        return
    at = below("/capabilities/extensions", declared[0], "params")
    for name in params:
        if name in _ROOT:
            notes.move(below(at, name), below("", name))
        elif name in ENVELOPE:
            notes.move(below(at, name), below("/envelope", ENVELOPE[name]))
        elif name in BEACH:
            notes.move(below(at, name), below("/extensions/beach", name))


def _others(hub: dict[str, Any], blocks: dict[str, Any], notes: Notes) -> None:
    """Declare each other block as an extension; a block whose name is not a URI is lost."""
    declared = [*extensions.declared(hub)]
    before = len(declared)
    for name, block in blocks.items():
        source = below("/extensions", name)
        if name == "beach":
            continue
        if (
            not _URI.fullmatch(name)
            or type(block) is not dict
            or "uri" in block
            or name == BEACH_EXTENSION_URI
        ):
            notes.lose(source, "the name of an A2A extension must be a URI, and this block's name is not")
            continue
        notes.move(below("/capabilities/extensions", len(declared)), source)
        declared.append({"uri": name, **block})
    if len(declared) > before:
        hub["capabilities"] = {**hub.get("capabilities", {}), "extensions": declared}


def _extensions(hub: dict[str, Any], out: dict[str, Any], own: int, notes: Notes) -> None:
    """Write the hub's other extensions as blocks, and note capabilities that Beach does not have."""
    extensions.only(hub, notes, "a Beach card has no protocol capabilities")
    blocks = out.get("extensions", {})
    for index, item in enumerate(extensions.declared(hub)):
        if index == own:
            continue
        at = below("/capabilities/extensions", index)
        uri = item.get("uri") if type(item) is dict else None
        if type(uri) is not str or not _URI.fullmatch(uri) or uri in blocks or uri == BEACH_EXTENSION_URI:
            notes.lose(at, "a Beach card has one block for each extension, named by the extension's URI")
            continue
        blocks[uri] = {name: value for name, value in item.items() if name != "uri"}
        notes.move(below("/extensions", uri), at)
    if blocks:
        out["extensions"] = blocks
