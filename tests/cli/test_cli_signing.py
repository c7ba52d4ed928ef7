"""`cardwright keygen`, `jwks`, `sign`, `verify`, `canonicalize`: files, streams, exit statuses."""

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from cardwright import Card, canonical_form, sign, verify
from cardwright.cli.keyfiles import VARIABLE
from cardwright.signing import ALGORITHMS, Algorithm, Key, KeySet, new_key
from cardwright.signing.base64url import encoded
from tests.cli.command_line import EXAMPLES, Run

CARD = EXAMPLES / "a2a-1.0.card.json"
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows keeps the rights to a file elsewhere")
# A2A 1.0 §8.4.1.
WORKED = (
    '{"name": "Example Agent", "description": "", "capabilities": {"streaming": false,'
    ' "pushNotifications": false, "extensions": []}, "skills": []}'
)
WORKED_BYTES = (
    b'{"capabilities":{"pushNotifications":false,"streaming":false},"description":"",'
    b'"name":"Example Agent","skills":[]}'
)


def kept(path: Path, body: bytes | str, mode: int = 0o600) -> Path:
    path.write_bytes(body.encode() if isinstance(body, str) else body)
    path.chmod(mode)
    return path


@pytest.fixture
def key(here: Path) -> Path:
    """Write a private key with the id k1."""
    return kept(here / "k1.jwk", json.dumps(new_key("ES256", "k1")))


@pytest.fixture
def pem(here: Path) -> Path:
    """Write a private Ed25519 key in PEM."""
    made = ed25519.Ed25519PrivateKey.generate()
    body = made.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return kept(here / "ed.pem", body)


@pytest.fixture
def signed(key: Path, here: Path, run: Run) -> Path:
    """Sign the example by the key k1."""
    result = run("sign", "--key", key, "--kid", "k1", "--alg", "ES256", CARD)
    return kept(here / "signed.json", result.stdout)


@pytest.fixture
def jwks(key: Path, here: Path, run: Run) -> Path:
    """Write the public set of the key k1."""
    return kept(here / "jwks.json", run("jwks", key).stdout, 0o644)


# keygen


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_a_new_key_has_its_id_algorithm_and_use_and_signs(alg: Algorithm, here: Path, run: Run) -> None:
    result = run("keygen", "--alg", alg, "--kid", "2026-11", "--out", "new.jwk")

    made = json.loads((here / "new.jwk").read_bytes())
    assert result.exit_code == 0
    assert result.stdout == ""
    assert (made["kid"], made["alg"], made["use"]) == ("2026-11", alg, "sig")
    card = Card.from_bytes(CARD.read_bytes())
    assert verify(sign(card, key=made, kid="2026-11", alg=alg), keys=KeySet.of([made])).covered


@POSIX
def test_only_its_owner_can_read_a_new_key_whatever_the_umask(here: Path, run: Run) -> None:
    before = os.umask(0)
    try:
        run("keygen", "--alg", "EdDSA", "--kid", "k", "--out", "new.jwk")
    finally:
        os.umask(before)

    assert stat.S_IMODE((here / "new.jwk").stat().st_mode) == 0o600


def test_no_key_is_overwritten_and_no_symbolic_link_followed(here: Path, key: Path, run: Run) -> None:
    before = key.read_bytes()
    (here / "link.jwk").symlink_to(key)

    for name in ("k1.jwk", "link.jwk"):
        result = run("keygen", "--alg", "ES256", "--kid", "k2", "--out", name)
        assert result.exit_code == 2
        assert f"{name} already exists, and a key file is never overwritten" in result.stderr
    assert key.read_bytes() == before


def test_no_secret_is_printed(here: Path, key: Path, run: Run) -> None:
    secret = json.loads(key.read_bytes())["d"]
    runs = [
        run("keygen", "--alg", "ES256", "--kid", "k", "--out", "new.jwk"),
        run("jwks", key),
        run("sign", "--key", key, "--alg", "ES256", CARD),
        run("sign", "--key", key, "--alg", "RS256", CARD),
        run("sign", "--key", key, "--kid", "other", "--alg", "ES256", CARD),
    ]
    for one in (secret, json.loads((here / "new.jwk").read_bytes())["d"]):
        assert all(one not in run.stdout + run.stderr for run in runs)


@pytest.mark.parametrize("kid", ["", "a\nb", "x" * 1025])
def test_a_key_id_that_fits_no_header_is_refused(kid: str, here: Path, run: Run) -> None:
    result = run("keygen", "--alg", "ES256", "--kid", kid, "--out", "new.jwk")

    assert result.exit_code == 2
    assert not (here / "new.jwk").exists()


def test_a_folder_that_takes_no_key_is_named(here: Path, run: Run) -> None:
    result = run("keygen", "--alg", "ES256", "--kid", "k", "--out", "no/such/new.jwk")

    assert result.exit_code == 2
    assert "no/such/new.jwk cannot be written: no such file or directory" in result.stderr


# jwks


def test_a_public_key_set_has_no_private_field(key: Path, pem: Path, run: Run) -> None:
    keys = json.loads(run("jwks", key, pem).stdout)["keys"]

    assert [sorted(one) for one in keys] == [
        ["alg", "crv", "kid", "kty", "use", "x", "y"],
        ["crv", "kid", "kty", "use", "x"],
    ]


def test_a_pem_without_an_id_gets_its_thumbprint(pem: Path, run: Run) -> None:
    (jwk,) = json.loads(run("jwks", pem).stdout)["keys"]

    assert jwk["kid"] == Key.from_pem(pem.read_bytes()).thumbprint


def test_two_keys_with_one_id_are_refused_and_a_repeated_key_is_one(here: Path, key: Path, run: Run) -> None:
    other = kept(here / "other.jwk", json.dumps(new_key("ES384", "k1")))

    result = run("jwks", key, other)
    assert result.exit_code == 2
    assert 'another key already has the id "k1"' in result.stderr
    assert len(json.loads(run("jwks", key, key).stdout)["keys"]) == 1


def test_a_key_set_is_extended_and_keeps_its_other_fields(here: Path, key: Path, run: Run) -> None:
    older = {**Key.from_jwk(new_key("ES384", "k0")).to_jwk(), "exp": 1_900_000_000, "revoked": True}
    kept(here / "older.json", json.dumps({"keys": [older]}), 0o644)

    entries = json.loads(run("jwks", "older.json", key).stdout)["keys"]
    assert [one["kid"] for one in entries] == ["k0", "k1"]
    assert (entries[0]["exp"], entries[0]["revoked"]) == (1_900_000_000, True)


def test_a_key_without_an_id_is_published_by_the_id_that_signed(pem: Path, here: Path, run: Run) -> None:
    signed = run("sign", "--key", pem, "--kid", "zz", "--alg", "EdDSA", CARD)
    assert 'cardwright jwks --kid "zz" FILE' in signed.stderr
    kept(here / "signed.json", signed.stdout)
    kept(here / "jwks.json", run("jwks", "--kid", "zz", pem).stdout)

    assert run("verify", "--keys", "jwks.json", "signed.json").exit_code == 0
    assert run("jwks", "--kid", "zz", pem, pem).exit_code == 2


@pytest.mark.parametrize(
    "command",
    [
        ("jwks", "-"),
        ("sign", "--alg", "ES256", "--key", "-", str(CARD)),
        ("verify", "--keys", "-", str(CARD)),
    ],
)
def test_standard_input_is_for_the_card(command: tuple[str, ...], run: Run) -> None:
    assert "keys cannot be read from standard input" in run(*command).stderr
    assert run("keygen", "--alg", "ES256", "--kid", "k", "--out", "-").exit_code == 2


# Files of keys


@POSIX
@pytest.mark.parametrize("command", [("sign", "--alg", "ES256", str(CARD), "--key"), ("jwks",)])
def test_a_private_key_that_others_can_read_is_refused(command: tuple[str, ...], key: Path, run: Run) -> None:
    key.chmod(0o640)

    result = run(*command, "k1.jwk")
    assert result.exit_code == 2
    assert result.stderr == (
        "cardwright: k1.jwk: other users can read this private key; run: chmod 600 k1.jwk\n"
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "expected a JSON Web Key or PEM: the document is empty"),
        ("[]", "expected a JSON Web Key, which is a JSON object"),
        ('{"kty": "oct", "k": "c2VjcmV0", "kid": "k"}', "the key is symmetric"),
        ('{"keys": []}', "expected one key, found 0"),
        ("-----BEGIN CERTIFICATE-----\n", "expected a key, found a certificate"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "expected the PEM of one"),
        ("x" * 300_000, "larger than 262,144 bytes"),
    ],
)
def test_an_invalid_key_is_reported_in_one_line(body: str, reason: str, here: Path, run: Run) -> None:
    kept(here / "bad.key", body)

    result = run("sign", "--key", "bad.key", "--kid", "k", "--alg", "ES256", CARD)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"cardwright: bad.key: {reason}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["nowhere.jwk", "."])
def test_an_unreadable_key_is_reported_in_one_line(name: str, here: Path, run: Run) -> None:
    result = run("sign", "--key", name, "--kid", "k", "--alg", "ES256", CARD)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"cardwright: {name}: ")


def test_the_environment_may_hold_the_key(
    key: Path, pem: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    without = run("sign", "--kid", "k1", "--alg", "ES256", CARD)
    assert without.exit_code == 2
    assert VARIABLE in without.stderr

    monkeypatch.setenv(VARIABLE, key.read_text())
    assert run("sign", "--alg", "ES256", CARD).exit_code == 0
    monkeypatch.setenv(VARIABLE, pem.read_text())
    assert run("sign", "--kid", "ed", "--alg", "EdDSA", CARD).exit_code == 0
    # One line, as some stores of secrets keep it.
    monkeypatch.setenv(VARIABLE, pem.read_text().strip().replace("\n", "\\n"))
    assert run("sign", "--kid", "ed", "--alg", "EdDSA", CARD).exit_code == 0
    monkeypatch.setenv(VARIABLE, "no key")
    result = run("sign", "--kid", "ed", "--alg", "EdDSA", CARD)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith(f"cardwright: {VARIABLE}: ")


@POSIX
def test_a_key_may_come_through_a_pipe(key: Path, run: Run) -> None:
    reading, writing = os.pipe()
    os.write(writing, key.read_bytes())
    os.close(writing)
    try:
        assert run("sign", "--key", f"/dev/fd/{reading}", "--alg", "ES256", CARD).exit_code == 0
    finally:
        os.close(reading)


# sign


def test_a_signed_card_is_printed_whole_and_verifies(signed: Path, jwks: Path, run: Run) -> None:
    document = json.loads(signed.read_bytes())
    (signature,) = document.pop("signatures")
    assert document == json.loads(CARD.read_bytes())
    assert sorted(signature) == ["protected", "signature"]

    result = run("verify", "--keys", jwks, signed)
    assert result.exit_code == 0
    assert result.stdout.endswith(
        'signed.json: verified\n  signature 0: ES256 by "k1": valid for profile spec\n'
    )


def test_the_signed_fields_are_reported_on_standard_error(key: Path, run: Run) -> None:
    result = run("sign", "--key", key, "--kid", "k1", "--alg", "ES256", CARD)

    assert result.stderr == f'{CARD}: signed with ES256 as "k1", profile spec\n'


def test_a_second_signature_joins_the_first(
    signed: Path, pem: Path, jwks: Path, here: Path, run: Run
) -> None:
    twice = run("sign", "--key", pem, "--alg", "EdDSA", signed)
    kept(here / "twice.json", twice.stdout)
    kept(here / "both.json", run("jwks", "k1.jwk", pem).stdout)

    assert json.loads(twice.stdout)["signatures"][0] == json.loads(signed.read_bytes())["signatures"][0]
    result = run("verify", "--keys", "both.json", "--format", "json", "twice.json")
    assert [one["verified"] for one in json.loads(result.stdout)["signatures"]] == [True, True]
    # One of two suffices, and keys may lie in several files.
    assert run("verify", "--keys", jwks, "twice.json").exit_code == 0
    kept(here / "ed.json", run("jwks", pem).stdout)
    assert (
        run("verify", "--keys", jwks, "--keys", "ed.json", "twice.json").stdout.count("valid for profile")
        == 2
    )


def test_there_is_no_default_algorithm_and_no_symmetric_one(key: Path, run: Run) -> None:
    assert "--alg" in run("sign", "--key", key, "--kid", "k1", CARD).stderr
    for alg in ("HS256", "none", "ES512", "RS384"):
        result = run("sign", "--key", key, "--kid", "k1", "--alg", alg, CARD)
        assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ("--kid", "k2", "--alg", "ES256"),
            'the key has the kid "k1", so verifiers would not find it by "k2"',
        ),
        (("--alg", "ES384"), "ES384 needs a key of type EC P-384; this key is EC P-256"),
        (("--alg", "ES256", "--jku", "http://keys.example.com"), "jku must be an https URL"),
    ],
)
def test_a_key_that_does_not_fit_signs_nothing(
    arguments: tuple[str, ...], reason: str, key: Path, run: Run
) -> None:
    result = run("sign", "--key", key, *arguments, CARD)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"cardwright: {key}: {reason}")


def test_a_public_key_signs_nothing(jwks: Path, run: Run) -> None:
    result = run("sign", "--key", jwks, "--alg", "ES256", CARD)

    assert result.exit_code == 2
    assert "signing needs a private key" in result.stderr


def test_an_invalid_card_and_one_without_signatures_are_not_signed(key: Path, invalid: str, run: Run) -> None:
    result = run("sign", "--key", key, "--alg", "ES256", invalid)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "/skills/0/tags" in result.stderr

    for name in ("a2a-0.2", "beach-1.0", "mcp-2024-11-05"):
        result = run("sign", "--key", key, "--alg", "ES256", EXAMPLES / f"{name}.card.json")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "convert the card to a2a-1.0 first" in result.stderr


def test_fields_outside_the_sdk_profile_are_reported(key: Path, jwks: Path, here: Path, run: Run) -> None:
    result = run("sign", "--key", key, "--alg", "ES256", "--profile", "sdk", CARD)
    kept(here / "sdk.json", result.stdout)
    assert "the signature does not cover /securityRequirements/0" in result.stderr

    verified = run("verify", "--keys", jwks, "sdk.json")
    assert verified.exit_code == 1
    assert "does not cover /securityRequirements/0" in verified.stdout
    assert run("verify", "--keys", jwks, "--allow-uncovered", "sdk.json").exit_code == 0
    assert run("verify", "--keys", jwks, "--allow-uncovered", "--profile", "spec", "sdk.json").exit_code == 1


def test_signatures_from_before_an_edit_are_replaced(signed: Path, jwks: Path, here: Path, run: Run) -> None:
    document = json.loads(signed.read_bytes())
    document["description"] += " Edited."
    edited = kept(here / "edited.json", json.dumps(document))

    added = run("sign", "--key", "k1.jwk", "--alg", "ES256", edited)
    assert len(json.loads(added.stdout)["signatures"]) == 2
    assert "1 existing signature kept" in added.stderr
    fresh = run("sign", "--key", "k1.jwk", "--alg", "ES256", "--replace", edited)
    assert "of before" not in fresh.stderr
    kept(here / "fresh.json", fresh.stdout)
    result = run("verify", "--keys", jwks, "--format", "json", "fresh.json")
    assert [one["verified"] for one in json.loads(result.stdout)["signatures"]] == [True]


def test_a_signature_is_not_taken_for_a_secret(here: Path, run: Run) -> None:
    token = "sk-" + "Ab1" * 12
    document = json.loads(CARD.read_bytes())
    document["signatures"] = [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", "signature": token}]
    kept(here / "x.json", json.dumps(document))
    assert run("check", "x.json").exit_code == 0

    document["signatures"][0]["header"] = {"note": token}
    kept(here / "x.json", json.dumps(document))
    assert "secrets/token" in run("check", "x.json").stdout


# verify


def test_json_is_the_contract(signed: Path, jwks: Path, run: Run) -> None:
    result = run("verify", "--keys", jwks, "--format", "json", signed)

    assert json.loads(result.stdout) == {
        "verified": True,
        "signatures": [
            {
                "index": 0, "kid": "k1", "alg": "ES256", "profile": "spec", "verified": True, "reason": None,
                "uncovered": [],
            }
        ],
    }  # fmt: skip


def test_a_changed_card_is_not_verified_and_says_why(signed: Path, jwks: Path, run: Run) -> None:
    document = json.loads(signed.read_bytes())
    document["description"] += "!"
    result = run("verify", "--keys", jwks, "--format", "json", "-", stdin=json.dumps(document).encode())

    (signature,) = json.loads(result.stdout)["signatures"]
    assert result.exit_code == 1
    assert (signature["verified"], signature["profile"], signature["uncovered"]) == (False, None, [])
    assert "the card or the signature was changed" in signature["reason"]


def test_an_unsigned_card_is_not_verified(jwks: Path, run: Run) -> None:
    result = run("verify", "--keys", jwks, CARD)

    assert result.exit_code == 1
    assert result.stdout == f"{CARD}: not verified: the card has no signatures\n"


def test_an_invalid_card_may_verify_and_its_errors_are_reported(
    here: Path, card: dict[str, Any], key: Path, jwks: Path, run: Run
) -> None:
    made = json.loads(key.read_bytes())
    whole = sign(Card.from_document(card), key=made, kid="k1", alg="ES256")
    # As a signer that validates nothing might create it: the bytes are right, the card is not.
    document = {**whole.document, "securitySchemes": None}
    kept(here / "x.json", json.dumps(document))

    result = run("verify", "--keys", jwks, "--dialect", "a2a-1.0", "x.json")
    assert "the card has errors; run `cardwright check`" in result.stderr


@pytest.mark.parametrize(
    ("keys", "status"), [("nowhere.json", 2), ("broken.json", 2), ("list.json", 2), ("empty.json", 1)]
)
def test_unreadable_keys_are_reported_in_one_line(
    keys: str, status: int, signed: Path, broken: str, here: Path, run: Run
) -> None:
    kept(here / "list.json", "[]")
    kept(here / "empty.json", '{"keys": []}')

    result = run("verify", "--keys", keys, signed)
    assert result.exit_code == status
    if status == 2:
        assert result.stdout == ""
        assert result.stderr.startswith(f"cardwright: {keys}: ")
        assert result.stderr.count("\n") == 1


def test_an_unreadable_card_exits_with_2(broken: str, jwks: Path, here: Path, run: Run) -> None:
    for card in (broken, "nowhere.json"):
        assert run("verify", "--keys", jwks, card).exit_code == 2
    assert run("verify", jwks).exit_code == 2  # no keys


def test_an_unknown_profile_is_named(signed: Path, jwks: Path, run: Run) -> None:
    result = run("verify", "--keys", jwks, "--profile", "lax", signed)

    assert result.exit_code == 2
    assert "unknown profile 'lax'; known profiles: spec, as-received, sdk" in result.stderr


def test_a_hostile_id_is_shown_escaped(signed: Path, jwks: Path, here: Path, run: Run) -> None:
    document = json.loads(signed.read_bytes())
    header = {"alg": "ES256", "kid": "\x1b[31m\u202eevil"}
    document["signatures"][0]["protected"] = encoded(json.dumps(header).encode())
    kept(here / "x.json", json.dumps(document))

    result = run("verify", "--keys", jwks, "x.json")
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    assert "\\u{1b}[31m\\u{202e}evil" in result.stdout


# canonicalize


def test_the_worked_example_is_printed_byte_for_byte(here: Path, run: Run) -> None:
    kept(here / "worked.json", WORKED)

    for arguments in ((), ("--dialect", "a2a-1.0"), ("--profile", "spec")):
        result = run("canonicalize", *arguments, "worked.json")
        assert result.exit_code == 0
        assert result.stdout.encode() == WORKED_BYTES


@pytest.mark.parametrize("profile", ["spec", "sdk", "as-received"])
def test_the_bytes_are_those_that_are_signed(profile: Any, run: Run) -> None:
    result = run("canonicalize", "--profile", profile, CARD)

    assert result.stdout.encode() == canonical_form(Card.from_bytes(CARD.read_bytes()), profile=profile)
    assert not result.stdout.endswith("\n")


def test_every_field_is_explained(here: Path, run: Run) -> None:
    kept(here / "worked.json", WORKED)

    result = run("canonicalize", "--explain", "--dialect", "a2a-1.0", "worked.json")
    first, blank, *rows = result.stdout.splitlines()
    assert first.encode() == WORKED_BYTES
    assert blank == ""
    assert [tuple(row.split()[:2]) for row in rows] == [
        ("kept", "/name"),
        ("kept", "/description"),
        ("kept", "/capabilities"),
        ("kept", "/capabilities/streaming"),
        ("kept", "/capabilities/pushNotifications"),
        ("left", "out"),
        ("kept", "/skills"),
    ]
    assert "/capabilities/extensions" in rows[5]
    assert "A2A 1.0 §8.4.1" in rows[5]


def test_signatures_and_fields_that_the_sdks_leave_out_are_explained(signed: Path, run: Run) -> None:
    result = run("canonicalize", "--explain", "--profile", "sdk", signed)

    left = [line.split()[2] for line in result.stdout.splitlines() if line.startswith("left out")]
    assert "/signatures" in left
    assert "/securityRequirements/0" in left


def test_a_document_without_a_canonical_form_exits_with_1(here: Path, run: Run) -> None:
    result = run("canonicalize", EXAMPLES / "beach-1.0.card.json")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "use as-received" in result.stderr
    assert run("canonicalize", "--profile", "as-received", EXAMPLES / "beach-1.0.card.json").exit_code == 0


def test_the_prompt_begins_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr("cardwright.cli.canonicalize.at_terminal", lambda _: True)

    assert run("canonicalize", CARD).stdout.endswith("}\n")


def test_a_curve_that_signs_no_cards_is_named(here: Path, run: Run) -> None:
    made = ec.generate_private_key(ec.SECP521R1())
    body = made.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    kept(here / "p521.pem", body)

    result = run("sign", "--key", "p521.pem", "--kid", "k", "--alg", "ES256", CARD)
    assert result.exit_code == 2
    assert "the key's curve is secp521r1" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no such device there")
def test_a_device_file_is_refused_as_a_key(here: Path, run: Run) -> None:
    assert "expected a file" in run("jwks", "/dev/null").stderr
