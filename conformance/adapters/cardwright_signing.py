"""cardwright's signatures: canonical forms, signing and verifying."""

from __future__ import annotations

import json
from typing import Any

from cardwright import Card, Policy, sign, verify
from cardwright.errors import MalformedDocument, NoCanonicalForm
from cardwright.signing import form_of


def canonical(given: dict[str, Any]) -> dict[str, Any]:
    try:
        form = form_of(Card.from_document(given["document"], dialect=given["dialect"]), given["profile"])
    except NoCanonicalForm:
        return {"bytes": None}
    return {"bytes": form.body.decode()}


def signed(given: dict[str, Any]) -> dict[str, Any]:
    card = sign(Card.from_document(given["document"]), key=given["key"], kid=given["kid"], alg=given["alg"])
    return {"signature": card.document["signatures"][-1]}


def verified(given: dict[str, Any]) -> dict[str, Any]:
    settings = given["policy"]
    sets = {url: json.dumps(keys).encode() for url, keys in settings.get("key_sets", {}).items()}
    policy = Policy(
        profiles=tuple(settings["profiles"]),
        jku_origins=frozenset(settings.get("jku_origins", ())),
        origin=settings.get("card_origin"),
        fetch=sets.__getitem__,
        clock=lambda: float(settings["time"]),
        **({"algorithms": tuple(settings["algorithms"])} if "algorithms" in settings else {}),
    )
    try:
        text = given["card_text"].encode() if "card_text" in given else json.dumps(given["card"]).encode()
        result = verify(Card.from_bytes(text), keys=given["keys"], policy=policy)
    except MalformedDocument:
        return {"verified": False}
    names = ("verified", "profile", "uncovered")
    signatures = [{name: getattr(one, name) for name in names} for one in result.signatures]
    return {"verified": result.verified, "signatures": signatures}
