"""a2a-sdk 1.3: its reader of cards, its conversion for clients of 0.3, its signatures, and the server's route."""

from __future__ import annotations

import copy
import json
from importlib.metadata import version
from typing import Any

from a2a.client.card_resolver import parse_agent_card
from a2a.compat.v0_3 import conversions
from a2a.compat.v0_3.types import AgentCard as OlderCard
from a2a.server.routes import create_agent_card_routes
from a2a.types import AgentCard
from a2a.utils.proto_utils import validate_proto_required_fields
from a2a.utils.signing import _canonicalize_agent_card, create_agent_card_signer, create_signature_verifier
from adapter import answer_lines, card_of, is_accepted, only, serve_asgi
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from jwt import PyJWK, PyJWTError
from starlette.applications import Starlette


def newer(document: dict[str, Any]) -> AgentCard:
    card = parse_agent_card(copy.deepcopy(document))
    validate_proto_required_fields(card)
    return card


def validate(given: dict[str, Any]) -> dict[str, Any]:
    document = only(given, "a2a-1.0", "a2a-0.3")
    return is_accepted(newer if given["dialect"] == "a2a-1.0" else OlderCard.model_validate, document)


def convert(given: dict[str, Any]) -> dict[str, Any]:
    document = card_of(given)
    if given["to"] == "a2a-1.0":
        return {"document": MessageToDict(conversions.to_core_agent_card(OlderCard.model_validate(document)))}
    older = conversions.to_compat_agent_card(parse_agent_card(copy.deepcopy(document)))
    return {"document": older.model_dump(mode="json", by_alias=True, exclude_none=True)}


def canonical(given: dict[str, Any]) -> dict[str, Any]:
    only({"dialect": given["profile"], "document": {}}, "spec", "sdk")
    document = only(given, "a2a-1.0")
    try:
        card = ParseDict(document, AgentCard(), ignore_unknown_fields=True)
    except ParseError:
        return {"bytes": None}
    return {"bytes": _canonicalize_agent_card(card)}


def sign(given: dict[str, Any]) -> dict[str, Any]:
    header: Any = {"kid": given["kid"], "alg": given["alg"], "typ": "JOSE"}
    signer = create_agent_card_signer(PyJWK(given["key"], given["alg"]), header)
    signature = signer(parse_agent_card(copy.deepcopy(given["document"]))).signatures[-1]
    return {"signature": {"protected": signature.protected, "signature": signature.signature}}


def verify(given: dict[str, Any]) -> dict[str, Any]:
    keys = {key.get("kid"): key for key in given["keys"]["keys"] if isinstance(key, dict)}

    def key_of(kid: str | None, _: str | None) -> PyJWK:
        if kid not in keys:
            raise PyJWTError("no such key")
        return PyJWK(keys[kid])

    algorithms = given["policy"].get("algorithms", ["ES256", "ES384", "EdDSA", "RS256", "PS256"])
    document = given["card"] if "card" in given else json.loads(given["card_text"])
    verifier = create_signature_verifier(key_of, algorithms)
    return {"verified": is_accepted(lambda card: verifier(parse_agent_card(card)), document)["valid"]}


def serve(given: dict[str, Any]) -> dict[str, Any]:
    card = parse_agent_card(copy.deepcopy(only(given, "a2a-1.0", "a2a-0.3")))
    return serve_asgi(Starlette(routes=create_agent_card_routes(card)))


if __name__ == "__main__":
    operations = (validate, convert, canonical, sign, verify, serve)
    answer_lines("a2a-sdk", version("a2a-sdk"), {one.__name__: one for one in operations})
