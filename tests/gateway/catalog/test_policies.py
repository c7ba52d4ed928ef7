"""Policies for invalid, signed and stale cards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card, CardError, sign, verify
from cardwright.signing import Key, new_key
from cardwright_gateway.catalog.served_card import PROVENANCE_URI
from tests.gateway.faulty_agents import CARD, served
from tests.gateway.faulty_agents import card as card_of
from tests.gateway.processes import in_process
from tests.peers import peer
from tests.serve.client import call
from tests.shared import SHARED, corpus_index, shared

if TYPE_CHECKING:
    from pathlib import Path

    from tests.peers import RecordedRequest, Reply


@pytest.mark.parametrize("policy", ["fix", "pass", "refuse"])
@pytest.mark.bulk
async def test_each_validation_policy_decides_whether_a_real_card_is_served(policy: str) -> None:
    shared("corpus")
    bodies = [(SHARED / "corpus" / row["file"]).read_bytes() for row in corpus_index()]

    def answer(request: RecordedRequest) -> Reply:
        index = int(request.path.split("/")[1].removeprefix("c"))
        return served(json.loads(bodies[index]))

    served_count = refused = 0
    async with peer(answer) as there:
        agents = {
            f"c{n}": {"url": there.origin, "card_url": f"{there.origin}/c{n}/card.json"}
            for n in range(len(bodies))
        }
        async with in_process(agents, invalid_cards=policy) as gateway:
            for name in agents:
                response = await call(gateway, "GET", f"/agents/{name}{CARD}")
                if response.status == 200:
                    served_count += 1
                    assert policy != "refuse" or _valid(bodies[int(name[1:])])
                else:
                    refused += 1
                    assert response.status == 502, response
                    assert response.reason == "UPSTREAM_INVALID", (name, response)
    assert served_count > len(bodies) // (4 if policy == "refuse" else 2)
    assert refused


def _valid(body: bytes) -> bool:
    try:
        return Card.from_bytes(body).valid
    except CardError:
        return False


@pytest.mark.parametrize("signs", [False, True])
async def test_a_signed_card_is_verified_stripped_and_signed_again_only_with_a_key(
    tmp_path: Path, *, signs: bool
) -> None:
    written, own = new_key("ES256", "theirs"), new_key("ES256", "ours")
    upstream_key = Key.from_jwk(written)
    public = {name: value for name, value in written.items() if name != "d"}
    trusted, private = tmp_path / "trusted.json", tmp_path / "own.json"
    trusted.write_text(json.dumps({"keys": [public]}))
    private.write_text(json.dumps(own))
    private.chmod(0o600)
    more: dict[str, Any] = {"keys": [str(trusted)]}
    if signs:
        more["signing"] = {"key": str(private), "alg": "ES256"}

    def answer(request: RecordedRequest) -> Reply:
        made = Card.from_document(card_of(f"http://{request.headers['host']}"))
        return served(sign(made, key=upstream_key, kid="theirs", alg="ES256").document)

    async with peer(answer) as there, in_process({"tides": {"url": there.origin}}, **more) as gateway:
        response = await call(gateway, "GET", f"/agents/tides{CARD}", (("A2A-Version", "1.0"),))
    document = response.json
    [provenance] = [one for one in document["capabilities"]["extensions"] if one["uri"] == PROVENANCE_URI]
    assert provenance["params"]["signature"] == "verified"
    assert ("signatures" in document) is signs
    if signs:
        assert verify(Card.from_document(document), keys=Key.from_jwk(own)).verified
        assert not verify(Card.from_document(document), keys=upstream_key).verified
