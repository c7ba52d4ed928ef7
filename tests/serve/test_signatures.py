"""Signatures are created once, stored, and never cover a URL from a request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card, sign, verify, well_known_agent_card
from cardwright.errors import BadKey, UnsignableCard
from cardwright.serve import BadSettings, SignatureFolder, SignatureKey, Signing, TrustedProxies
from cardwright.serve.rendered_card import published
from cardwright.serve.settings import Settings
from cardwright.signing import KeySet, new_key
from tests.serve.cards import both, example, newer
from tests.serve.client import ask

if TYPE_CHECKING:
    from pathlib import Path

KEY = new_key("ES256", "k1")
TRUSTED = KeySet.of([KEY])
FORMS = ("", "1.0", "0.3")


def served(app: Any) -> list[bytes]:
    return [ask(app, headers={"A2A-Version": version}).body for version in FORMS]


def test_every_form_is_signed_and_verifies(tmp_path: Path) -> None:
    app = well_known_agent_card(both(), signing=Signing(KEY, "k1", "ES256", store=SignatureFolder(tmp_path)))
    for body in served(app):
        result = verify(Card.from_bytes(body), keys=TRUSTED)
        assert result.covered
        assert result.signatures[0].profile == "spec"


def test_another_process_and_another_start_serve_the_same_signatures(tmp_path: Path) -> None:
    def app() -> Any:
        return well_known_agent_card(
            both(), signing=Signing(KEY, "k1", "ES256", store=SignatureFolder(tmp_path), processes=4)
        )

    assert served(app()) == served(app())
    assert len(list(tmp_path.iterdir())) == len(FORMS)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} <= {0o600, 0o644, 0o664}


def test_of_two_concurrent_signatures_the_first_is_kept(tmp_path: Path) -> None:
    store = SignatureFolder(str(tmp_path / "new" / "folder"))
    key = SignatureKey("sha256:0", "k1", "spec", "ES256")
    assert store.get(key) is None
    assert store.put(key, {"protected": "a", "signature": "b"}) == {"protected": "a", "signature": "b"}
    assert store.put(key, {"protected": "c", "signature": "d"}) == {"protected": "a", "signature": "b"}
    assert len(list((tmp_path / "new" / "folder").iterdir())) == 1


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b'{"protected":"e30","signature":"AA"}', b"{}"])
def test_an_invalid_stored_signature_is_replaced(tmp_path: Path, broken: bytes) -> None:
    signing = Signing(KEY, "k1", "ES256", store=SignatureFolder(tmp_path))
    well_known_agent_card(newer(), signing=signing)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(broken)
    app = well_known_agent_card(newer(), signing=signing)
    assert verify(Card.from_bytes(ask(app).body), keys=TRUSTED).covered
    assert json.loads(kept.read_bytes()) == ask(app).json["signatures"][0]


def test_a_stored_signature_of_another_card_is_not_used(tmp_path: Path) -> None:
    signing = Signing(KEY, "k1", "ES256", store=SignatureFolder(tmp_path))
    well_known_agent_card(newer(), signing=signing)
    app = well_known_agent_card(newer(version="3.2.0"), signing=signing)
    assert verify(Card.from_bytes(ask(app).body), keys=TRUSTED).covered
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("alg", ["EdDSA", "RS256"])
@pytest.mark.bulk
def test_without_a_store_a_deterministic_algorithm_gives_every_process_the_same(alg: Any) -> None:
    key = new_key(alg, "k1")
    signing = Signing(key, "k1", alg, processes=2)
    assert served(well_known_agent_card(both(), signing=signing)) == served(
        well_known_agent_card(both(), signing=signing)
    )


@pytest.mark.parametrize("alg", ["ES256", "ES384", "PS256"])
def test_without_a_store_any_other_algorithm_serves_from_one_process_only(alg: Any) -> None:
    with pytest.raises(UnsignableCard, match=r"--state DIR"):
        Signing(KEY, "k1", alg, processes=2)
    Signing(KEY, "k1", alg)


def test_a_dialect_without_signatures_is_served_as_it_is() -> None:
    signing = Signing(KEY, "k1", "ES256")
    app = well_known_agent_card(example("beach-1.0"), default="as-written", signing=signing)
    assert ask(app).json == example("beach-1.0").document
    assert verify(Card.from_bytes(ask(app, headers={"A2A-Version": "1.0"}).body), keys=TRUSTED).covered


def test_a_signed_card_gets_one_more_signature() -> None:
    other = new_key("EdDSA", "k0")
    signed = sign(newer(), key=other, kid="k0", alg="EdDSA")
    card = Card.from_bytes(ask(well_known_agent_card(signed, signing=Signing(KEY, "k1", "ES256"))).body)
    assert [one.verified for one in verify(card, keys=KeySet.of([KEY, other])).signatures] == [True, True]


def test_the_page_shows_a_valid_signature() -> None:
    app = well_known_agent_card(newer(), signing=Signing(KEY, "k1", "ES256"))
    page = ask(app, headers={"Accept": "text/html"}).body.decode()
    assert "k1" in page
    assert "ES256" in page


def test_a_public_key_or_another_id_is_refused() -> None:
    public = {name: KEY[name] for name in ("kty", "crv", "x", "y")}
    with pytest.raises(BadKey, match="signing needs a private key"):
        well_known_agent_card(newer(), signing=Signing(public, "k1", "ES256"))
    with pytest.raises(BadKey, match="use the key's kid"):
        well_known_agent_card(newer(), signing=Signing(KEY, "k2", "ES256"))


def test_a_signed_card_takes_no_url_from_a_request() -> None:
    proxies = TrustedProxies(["10.0.0.0/8"], ["https://agents.example.com"])
    with pytest.raises(BadSettings, match="set base_url"):
        well_known_agent_card(newer(), signing=Signing(KEY, "k1", "ES256"), base_url=proxies)
    signed = sign(newer(), key=KEY, kid="k1", alg="ES256")
    with pytest.raises(BadSettings, match="would make the signatures of the card invalid"):
        well_known_agent_card(signed, base_url="https://other.example")
    assert well_known_agent_card(signed, base_url="https://seeds.example.com")


def test_a_card_with_a_base_url_from_a_request_is_never_signed() -> None:
    settings = Settings(signing=Signing(KEY, "k1", "ES256"), base_url="https://public.example")
    with pytest.raises(UnsignableCard, match="comes from a request"):
        published("", newer(), settings, "https://told.example")
    assert published("", newer(), settings).rendered["public"] is not None


def test_a_signed_card_that_is_signed_here_may_move() -> None:
    signed = sign(newer(), key=new_key("EdDSA", "k0"), kid="k0", alg="EdDSA")
    signing = Signing(KEY, "k1", "ES256")
    app = well_known_agent_card(signed, base_url="https://other.example", signing=signing)
    (result,) = verify(Card.from_bytes(ask(app).body), keys=TRUSTED).signatures
    assert (result.kid, result.verified) == ("k1", True)


def test_a_store_of_invalid_signatures_is_refused() -> None:
    class Stubborn:
        def get(self, key: SignatureKey) -> dict[str, Any] | None:
            del key
            return {"protected": "e30", "signature": "AA"}

        def put(self, key: SignatureKey, signature: dict[str, Any], *, over: Any = None) -> dict[str, Any]:
            del signature, over
            return self.get(key) or {}

    with pytest.raises(UnsignableCard, match="an invalid signature"):
        well_known_agent_card(newer(), signing=Signing(KEY, "k1", "ES256", store=Stubborn()))


def test_an_entry_of_the_folder_that_is_no_file_is_reported(tmp_path: Path) -> None:
    signing = Signing(KEY, "k1", "ES256", store=SignatureFolder(tmp_path))
    well_known_agent_card(newer(), signing=signing)
    (kept,) = tmp_path.iterdir()
    kept.unlink()
    kept.mkdir()
    with pytest.raises(OSError, match="irectory"):
        well_known_agent_card(newer(), signing=signing)


def test_the_key_is_in_no_message() -> None:
    assert KEY["d"] not in repr(Signing(KEY, "k1", "ES256"))


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = SignatureFolder(tmp_path / "file" / "folder")
    with pytest.raises(NotADirectoryError):
        well_known_agent_card(newer(), signing=Signing(KEY, "k1", "ES256", store=store))
