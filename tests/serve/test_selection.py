"""Which form of a card is served to whom: versions, paths and defaults."""

from __future__ import annotations

import pytest

from cardwright import Card, sign, well_known_agent_card
from cardwright.serve import BadForms
from cardwright.signing import new_key
from tests.serve.cards import DIALECTS, both, example, newer
from tests.serve.client import CARD_PATH, LEGACY_PATH, ask

# What is offered of each example, and what is served where no version is named.
OFFERED = {
    "a2a-0.1": (["0.1"], "a2a-0.1"),
    "a2a-0.2": (["0.2"], "a2a-0.2"),
    "a2a-0.3": (["0.3"], "a2a-hybrid"),
    "a2a-1.0": (["1.0"], "a2a-1.0"),
    "a2a-hybrid": (["1.0", "0.3"], "a2a-hybrid"),
    "beach-1.0": (["1.0"], "a2a-1.0"),
    "mcp-2024-11-05": ([], "mcp-2024-11-05"),
    "superx": (["0.3"], "a2a-hybrid"),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_each_version_gets_its_form_and_no_version_the_default(name: str) -> None:
    app = well_known_agent_card(example(name))
    offered, default = OFFERED[name]
    without = ask(app)
    assert Card.from_bytes(without.body, dialect=default).valid
    for version in ("1.0", "0.3", "0.2", "0.1"):
        for reply in (
            ask(app, headers={"A2A-Version": version}),
            ask(app, url=f"{CARD_PATH}?A2A-Version={version}"),
        ):
            assert reply.status == 200
            assert "A2A-Version" in reply.headers["vary"]
            # Every card can be written as 1.0; an older form would say that the agent has its version.
            if version in (*offered, "1.0"):
                assert Card.from_bytes(reply.body, dialect=f"a2a-{version}").valid
            else:
                assert reply.body == without.body


@pytest.mark.parametrize("version", ["2.0", "99.0", "0.4", "1", "newest", "1.0, 0.3", "<script>"])
def test_an_unknown_version_gets_the_default(version: str) -> None:
    app = well_known_agent_card(both())
    reply = ask(app, headers={"A2A-Version": version})
    assert (reply.status, reply.body) == (200, ask(app).body)


def test_the_1_0_form_lists_the_versions_of_the_agent() -> None:
    reply = ask(well_known_agent_card(example("a2a-0.3")), headers={"A2A-Version": "1.0"})
    assert {one["protocolVersion"] for one in reply.json["supportedInterfaces"]} == {"0.3"}


def test_the_legacy_path_gives_the_oldest_form_and_respects_a_version() -> None:
    app = well_known_agent_card(both())
    assert ask(app, url=LEGACY_PATH).json["protocolVersion"] == "0.3.0"
    assert "supportedInterfaces" not in ask(app, url=LEGACY_PATH).json
    assert "supportedInterfaces" in ask(app, url=f"{LEGACY_PATH}?A2A-Version=1.0").json


def test_the_publisher_may_choose_the_default_version() -> None:
    app = well_known_agent_card(newer(), default="0.2")
    assert ask(app).json["protocolVersion"] == "0.2.6"
    assert "supportedInterfaces" in ask(app, headers={"A2A-Version": "1.0"}).json
    written = well_known_agent_card(both(), default="as-written")
    assert "url" not in ask(written).json


def test_a_beach_card_has_its_extension_in_the_forms_of_a2a() -> None:
    app = well_known_agent_card(example("beach-1.0"))
    extensions = ask(app, headers={"A2A-Version": "1.0"}).json["capabilities"]["extensions"]
    assert "https://beach.cool-ai.io/extensions/v1" in [one["uri"] for one in extensions]


def test_a_patch_number_is_ignored() -> None:
    app = well_known_agent_card(both())
    assert ask(app, headers={"A2A-Version": "1.0.1"}).body == ask(app, headers={"A2A-Version": "1.0"}).body


def test_an_empty_version_is_absent() -> None:
    app = well_known_agent_card(both())
    assert ask(app, headers={"A2A-Version": ""}).body == ask(app).body
    assert ask(app, url=f"{CARD_PATH}?A2A-Version=").body == ask(app).body


def test_a_header_and_a_parameter_that_differ_are_ignored() -> None:
    app = well_known_agent_card(both())
    reply = ask(app, url=f"{CARD_PATH}?A2A-Version=0.3", headers={"A2A-Version": "1.0"})
    assert (reply.status, reply.body) == (200, ask(app).body)
    agreeing = ask(app, url=f"{CARD_PATH}?a2a-version=1.0.2", headers={"A2A-Version": "1.0"})
    assert agreeing.body == ask(app, headers={"A2A-Version": "1.0"}).body


def test_a_signed_card_is_served_unchanged() -> None:
    signed = sign(both(), key=new_key("EdDSA", "k1"), kid="k1", alg="EdDSA")
    app = well_known_agent_card(signed)
    assert ask(app).json == signed.document
    assert ask(app, headers={"A2A-Version": "1.0"}).json == signed.document
    assert "signatures" not in ask(app, headers={"A2A-Version": "0.3"}).json


def test_a_form_that_has_errors_is_left_out_unless_it_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    # As a compatibility form may fail, and must not take the agent with it.
    broken = Card.from_document({"name": "A", "protocolVersion": "0.3.0"})

    def convert(card: Card, *, to: str, checks: object = None) -> tuple[Card, None]:
        del card, to, checks
        return broken, None

    monkeypatch.setattr("cardwright.serve.forms.convert", convert)
    app = well_known_agent_card(both())
    assert ask(app).json["supportedInterfaces"]
    assert ask(app, headers={"A2A-Version": "0.3"}).body == ask(app).body
    with pytest.raises(BadForms, match=r"cannot be converted to A2A 0\.3: \d+ error"):
        well_known_agent_card(both(), default="0.3")


def test_an_unknown_default_is_refused_by_name() -> None:
    with pytest.raises(BadForms, match="unknown default 'newest'"):
        well_known_agent_card(newer(), default="newest")  # type: ignore[arg-type]
