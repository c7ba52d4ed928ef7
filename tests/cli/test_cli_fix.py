"""`cardwright fix`: what it prints, writes and asks, and how it ends."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.canonical import decode
from cardwright.cli import rewrite
from cardwright.cli.fix import GuessPrompt
from cardwright.cli.fix_run import Settings, fix_source, to_text, write_back
from cardwright.cli.inputs import Source
from cardwright.cli.rewrite import rewritten
from tests.cli.command_line import Run
from tests.properties.strategies import JSON, mutants
from tests.repair.fixed_documents import fixed

SIGNATURES = [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", "signature": "c2ln"}]


@pytest.fixture
def untagged(here: Path, card: dict[str, Any]) -> Path:
    """Write a card without a tag (fixed by a guess) and with a null (fixed safely)."""
    document = json.loads(json.dumps({**card, "iconUrl": None}))
    del document["skills"][0]["tags"]
    path = here / "untagged.json"
    path.write_text(json.dumps(document, indent=2))
    return path


@pytest.fixture
def signed(here: Path, card: dict[str, Any]) -> Path:
    """Write a signed card with a null."""
    path = here / "signed.json"
    path.write_text(json.dumps({**card, "iconUrl": None, "signatures": SIGNATURES}))
    return path


# What is printed


def test_the_fixed_card_is_on_standard_output_and_the_report_on_standard_error(
    untagged: Path, run: Run
) -> None:
    result = run("fix", "--unsafe", untagged.name)

    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["skills"][0]["tags"] == ["general"]
    assert "iconUrl" not in document
    assert result.stderr == (
        "untagged.json: a2a-1.0: 2 fixes, valid\n"
        "  safe: removes the field: it is null: /iconUrl [schema/type]\n"
        '  guess: adds the placeholder tag "general": /skills/0/tags [schema/required]\n'
    )
    assert "tags" not in json.loads(untagged.read_bytes())["skills"][0]


def test_an_unconfirmed_guess_is_listed_and_not_applied(untagged: Path, run: Run) -> None:
    result = run("fix", untagged.name)

    assert result.exit_code == 1
    assert "tags" not in json.loads(result.stdout)["skills"][0]
    assert result.stderr == (
        "untagged.json: a2a-1.0: 1 fix, 1 error left\n"
        "  safe: removes the field: it is null: /iconUrl [schema/type]\n"
        '  guess not applied, use --unsafe: adds the placeholder tag "general": /skills/0/tags [schema/required]\n'
    )


@pytest.mark.parametrize("option", ["--unsafe", "--safe-only"])
def test_a_fix_that_would_add_an_error_is_left_out_with_the_reason(
    option: str, here: Path, card: dict[str, Any], run: Run
) -> None:
    card.pop("iconUrl", None)
    (here / "x.json").write_text(json.dumps({**card, "icon_url": 7}))

    result = run("fix", option, "x.json")

    assert "icon_url" in result.stdout
    assert "not applied" not in result.stderr
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("  left out: ")]
    assert line.endswith(
        ": /icon_url [members/spelling]: it would add an error: /iconUrl: expected a string, found the number 7"
    )
    report = json.loads(run("fix", option, "--format", "json", "x.json").stdout)
    assert [row["rule"] for row in report["results"][0]["leftOut"]] == ["members/spelling"]


def test_with_safe_only_safe_fixes_are_applied(untagged: Path, run: Run) -> None:
    result = run("fix", "--safe-only", untagged.name)

    assert (result.exit_code, "iconUrl" in result.stdout, '"general"' in result.stdout) == (1, False, False)


def test_a_card_without_fixes_is_printed_byte_for_byte(valid: str, run: Run) -> None:
    result = run("fix", valid)

    assert result.exit_code == 0
    assert result.stdout == Path(valid).read_text()
    assert result.stderr == "valid.json: a2a-1.0: no fixes, valid\n"


def test_a_kind_of_fix_in_many_places_is_one_line(here: Path, card: dict[str, Any], run: Run) -> None:
    for name in ("iconUrl", "documentationUrl", "provider", "signatures"):
        card[name] = None
    card["skills"][0]["examples"] = None
    (here / "nulls.json").write_text(json.dumps(card))

    result = run("fix", "nulls.json")

    assert result.stderr == (
        "nulls.json: a2a-1.0: 5 fixes, valid\n"
        "  safe: removes the field: it is null: "
        "/documentationUrl, /iconUrl, /provider and 2 more [schema/type]\n"
    )


def test_standard_input_is_fixed(untagged: Path, run: Run) -> None:
    result = run("fix", "--unsafe", "-", stdin=untagged.read_bytes())

    assert result.exit_code == 0
    assert json.loads(result.stdout)["skills"][0]["tags"] == ["general"]


def test_several_cards_are_not_printed_as_one(valid: str, warned: str, run: Run) -> None:
    result = run("fix", valid, warned)

    assert result.exit_code == 2
    assert result.stderr == (
        "cardwright: cannot print 2 cards as one document: give --write, --diff or --format json\n"
    )


@pytest.mark.parametrize("pair", [("--write", "--diff"), ("--safe-only", "--unsafe")])
def test_options_that_contradict_each_other_are_refused(
    pair: tuple[str, str], untagged: Path, run: Run
) -> None:
    before = untagged.read_bytes()

    result = run("fix", *pair, untagged.name)

    assert result.exit_code == 2
    assert all(option in result.stderr for option in pair)
    assert untagged.read_bytes() == before


def test_an_unreadable_document_is_reported_and_exits_with_2(broken: str, run: Run) -> None:
    for name in (broken, "missing.json"):
        result = run("fix", name)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"{name}: ")


def test_a_document_that_is_no_card_is_invalid(here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"hello": 1}')

    result = run("fix", "x.json")

    assert result.exit_code == 1
    assert result.stdout == '{"hello": 1}'
    assert "not an agent card of any known dialect" in result.stderr


# Difference


def test_a_difference_shows_what_would_change_and_writes_nothing(warned: str, run: Run) -> None:
    before = Path(warned).read_bytes()

    result = run("fix", "--diff", warned)

    assert result.exit_code == 0
    changes = [line for line in result.stdout.splitlines() if line[:1] in "+-"]
    assert changes == [
        "--- warned.json",
        "+++ warned.json (fixed)",
        '-      "protocolBinding": "jsonrpc",',
        '+      "protocolBinding": "JSONRPC",',
    ]
    assert Path(warned).read_bytes() == before


def test_a_difference_of_a_line_without_an_end_says_so(here: Path, run: Run) -> None:
    card = '{"name": "A", "description": "a", "version": "1", "protocolVersion": "0.3.0", "iconUrl": null}'
    (here / "x.json").write_text(card)

    result = run("fix", "--diff", "--safe-only", "x.json")

    assert result.stdout.count("\\ No newline at end of file") == 2


def test_a_byte_order_mark_is_removed(here: Path, valid: str, run: Run) -> None:
    (here / "marked.json").write_bytes(b"\xef\xbb\xbf" + Path(valid).read_bytes())
    assert run("fix", "--safe-only", "--write", "marked.json").exit_code == 0
    assert (here / "marked.json").read_bytes() == Path(valid).read_bytes()


def test_a_card_without_fixes_has_no_difference(valid: str, run: Run) -> None:
    assert run("fix", "--diff", valid).stdout == ""


# Writing


def test_a_fixed_file_keeps_its_mode_and_formatting(warned: str, run: Run) -> None:
    path = Path(warned)
    text = path.read_text().replace("\n", "\r\n") + "\r\n"
    path.write_bytes(text.encode())
    path.chmod(0o640)

    result = run("fix", "--write", warned)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("warned.json: a2a-1.0: 1 fix, valid, written\n")
    assert path.read_bytes().decode() == text.replace('"jsonrpc"', '"JSONRPC"')
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in path.absolute().parent.iterdir()] == ["warned.json"]


def test_a_file_without_fixes_is_not_written(valid: str, run: Run) -> None:
    os.utime(valid, ns=(1, 1))

    result = run("fix", "--write", valid)

    assert result.exit_code == 0
    assert "written" not in result.stderr
    assert Path(valid).stat().st_mtime_ns == 1


def test_the_target_of_a_symbolic_link_is_replaced(here: Path, warned: str, run: Run) -> None:
    (here / "folder").mkdir()
    target = here / "folder" / "real.json"
    Path(warned).rename(target)
    Path(warned).symlink_to(target)

    result = run("fix", "--write", warned)

    assert result.exit_code == 0
    assert Path(warned).is_symlink()
    assert b'"JSONRPC"' in target.read_bytes()


def test_a_folder_is_fixed_file_by_file(here: Path, warned: str, valid: str, run: Run) -> None:
    result = run("fix", "--write", ".")

    assert result.exit_code == 0
    assert ("valid.json: a2a-1.0: no fixes, valid\n" in result.stderr, ", written\n" in result.stderr) == (
        True,
        True,
    )


def test_standard_input_is_not_written(untagged: Path, run: Run) -> None:
    result = run("fix", "--write", "-", stdin=untagged.read_bytes())

    assert result.exit_code == 2
    assert "--write cannot write to standard input" in result.stderr


def test_a_file_changed_by_another_process_is_not_overwritten(warned: str) -> None:
    row = fix_source(Source(warned), Settings())
    Path(warned).write_text("{}")

    after = write_back(row)

    assert (after.written, Path(warned).read_text()) == (False, "{}")
    assert "the file has changed since it was read" in to_text([after])


def test_a_write_that_fails_leaves_the_file_and_nothing_else(
    warned: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(warned).read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = run("fix", "--write", warned)

    assert result.exit_code == 2
    assert "cannot be written: No space left on device" in result.stderr
    assert Path(warned).read_bytes() == before
    assert [entry.name for entry in Path(warned).absolute().parent.iterdir()] == ["warned.json"]


# Signed cards


def test_a_signed_card_is_refused_in_one_plain_line(signed: Path, run: Run) -> None:
    before = signed.read_bytes()

    result = run("fix", "--write", signed.name)

    assert result.exit_code == 2
    assert result.stderr == (
        "signed.json: the card is signed: 1 fix would change it and invalidate its signatures;"
        " give --break-signatures to fix it, then sign it again\n"
    )
    assert signed.read_bytes() == before


def test_a_signed_card_is_fixed_only_with_its_option_and_reported(signed: Path, run: Run) -> None:
    result = run("fix", "--break-signatures", signed.name)

    assert result.exit_code == 0
    assert json.loads(result.stdout)["signatures"] == SIGNATURES
    assert "the signatures of the card are no longer valid: sign it again" in result.stderr


# For programs


def test_the_json_report_has_the_card_the_fixes_and_the_rest(untagged: Path, valid: str, run: Run) -> None:
    result = run("fix", "--format", "json", untagged.name, valid, "missing.json")

    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert report["summary"] == {"documents": 3, "valid": 1, "invalid": 1, "failed": 1, "changed": 1}
    first, _, third = report["results"]
    assert [(one["rule"], one["fix"]["safe"], one["breaksSignatures"]) for one in first["fixes"]] == [
        ("schema/type", True, False)
    ]
    assert [one["pointer"] for one in first["violations"]] == ["/skills/0/tags"]
    assert first["document"] == fixed(json.loads(untagged.read_bytes()), safe_only=True)[0]
    assert (first["valid"], first["written"], third["fault"]) == (False, False, "no such file")


# Asking


def test_each_kind_of_guess_is_confirmed_once(monkeypatch: pytest.MonkeyPatch, card: dict[str, Any]) -> None:
    requests: list[str] = []

    def confirm(text: str, **named: Any) -> bool:
        requests.append(text)
        assert named == {"default": False, "err": True}
        return "tag" in text

    monkeypatch.setattr("cardwright.cli.fix.typer.confirm", confirm)
    card["skills"] = [
        {name: value for name, value in skill.items() if name not in ("tags", "id")}
        for skill in card["skills"]
    ]
    assert len(card["skills"]) > 1

    better, _ = fixed(card, ask=GuessPrompt())

    assert sorted(requests) == [
        "apply this guess: /skills/0/id: sets the id to a slug of the skill's name [schema/required]?",
        'apply this guess: /skills/0/tags: adds the placeholder tag "general" [schema/required]?',
    ]
    assert all(skill["tags"] == ["general"] and "id" not in skill for skill in better["skills"])


@pytest.mark.parametrize(("answer", "made"), [(b"y\n", True), (b"\n", False)])
def test_at_a_terminal_guesses_are_confirmed(
    answer: bytes, *, made: bool, untagged: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardwright.cli.fix.at_terminal", lambda _: True)

    result = run("fix", untagged.name, stdin=answer)

    assert (
        'apply this guess: /skills/0/tags: adds the placeholder tag "general" [schema/required]? [y/N]:'
        in result.stderr
    )
    assert ('"general"' in result.stdout, result.exit_code) == (made, 0 if made else 1)


def test_there_is_no_prompt_when_the_card_comes_from_standard_input(
    untagged: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardwright.cli.fix.at_terminal", lambda _: True)

    result = run("fix", "-", stdin=untagged.read_bytes())

    assert "[y/N]" not in result.stderr
    assert "guess not applied, use --unsafe" in result.stderr


# The manner of the text


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('{"a":1,"b":[1,2]}', {"a": 2, "b": [1, 2]}, '{"a":2,"b":[1,2]}'),
        ('{"a": 1, "b": [1,2]}', {"a": 1, "b": [1]}, '{"a": 1, "b": [1]}'),
        ('{\n\t"a": 1.50,\n\t"b": null\n}\n', {"a": 1.5}, '{\n\t"a": 1.50\n}\n'),
        ('{\n    "a": {}\n}', {"a": {"b": {"c": 1}}}, '{\n    "a": {\n        "b": {\n            "c": 1\n        }\n    }\n}'),
        ('{\n  "a": ["x", "y"],\n  "b": 1\n}', {"a": ["x", "y"], "b": ["z"]}, '{\n  "a": ["x", "y"],\n  "b": ["z"]\n}'),
        ('{\n  "a": [\n    "x"\n  ]\n}', {"a": ["x", "y"]}, '{\n  "a": [\n    "x",\n    "y"\n  ]\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', {"a": 1, "b": 2}, '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'),
        ('{\n  "a": { "x": 1, "y": 2 }\n}', {"a": {"x": 1}}, '{\n  "a": {"x": 1}\n}'),
        ('{"old_name": {"x":  1}}', {"oldName": {"x": 1}}, '{"oldName": {"x":  1}}'),
        ('{"a": "\\u00e9", "b": 1}', {"a": "é", "b": "é"}, '{"a": "\\u00e9", "b": "\\u00e9"}'),
        ('{"a": "é, è", "b":1}', {"a": "é, è", "b": "é"}, '{"a": "é, è", "b": "é"}'),
        ("[1, [2], 3]", [1, 3], "[1, 3]"),
        ("  {} ", {"a": 1}, '  {"a":1} '),
    ],
)  # fmt: skip
def test_unchanged_text_keeps_its_formatting(before: str, after: Any, expected: str) -> None:
    result = rewritten(before.encode(), json.loads(before), after).decode()

    assert result == expected


@given(JSON, JSON, st.sampled_from([None, 1, 2, "\t"]), st.booleans())
def test_a_rewritten_text_decodes_to_the_given_document(
    before: Any,
    after: Any,
    indent: Any,
    ascii_only: bool,  # noqa: FBT001 - drawn
) -> None:
    body = json.dumps(before, indent=indent, ensure_ascii=ascii_only).encode()

    assert decode(rewritten(body, before, after)) == after
    assert rewritten(body, before, before) == body


@given(mutants("a2a-0.3"), st.sampled_from([None, 2, 4]))
def test_a_fixed_text_decodes_to_the_fixed_card(document: dict[str, Any], indent: int | None) -> None:
    body = json.dumps(document, indent=indent).encode()
    better, _ = fixed(document, dialect="a2a-0.3")

    result = json.loads(rewritten(body, document, better))

    assert (result, list(result)) == (better, list(better))


def test_a_card_with_too_many_violations_is_not_fixed_and_the_report_says_so(here: Path, run: Run) -> None:
    path = here / "card.json"
    path.write_text(json.dumps({"protocolVersion": "0.3.0", "name": "A", "skills": ["x"] * 1_001}))

    result = run("fix", "--safe-only", path.name)

    assert result.stdout == path.read_text()
    assert "more than 1,000 violations" in result.stderr
    assert "no fix is applied" in result.stderr


@pytest.mark.parametrize("count", [1_000, 4_000])
def test_a_list_whose_items_are_removed_or_changed_is_compared_once(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []
    of_two, of_one = vars(rewrite)["_same"], vars(rewrite)["_key"]

    def same(one: Any, other: Any) -> bool:
        compared.append(1)
        return bool(of_two(one, other))

    def key(value: Any) -> str:
        compared.append(1)
        return str(of_one(value))

    monkeypatch.setattr(rewrite, "_same", same)
    monkeypatch.setattr(rewrite, "_key", key)
    before = {"modes": ["text"] * count, "names": {f"a{number}": number for number in range(count)}}
    after = {
        "modes": ["text/plain"] * (count - 1),
        "names": {f"b{number}": -number for number in range(count)},
    }

    rewritten(json.dumps(before).encode(), before, after)

    assert len(compared) <= 12 * count


def test_text_after_removed_items_and_renamed_fields_is_kept() -> None:
    text = b'{"list": [1, 1.0, true, {"a":  1}, 2,  3, {"a":  1}], "old": {"x":  [1]}, "other": {"x":  [1]}}'
    before = json.loads(text)
    after = {"list": [1.0, {"a": 1}, 5, {"a": 1}], "new": {"x": [1]}, "other": {"x": [1]}}

    written = rewritten(text, before, after)

    assert json.loads(written) == after
    assert written == b'{"list": [1.0, {"a":  1}, 5, {"a":  1}], "new": {"x":  [1]}, "other": {"x":  [1]}}'


# The public URL


def test_a_base_url_replaces_unreachable_hosts(here: Path, card: dict[str, Any], run: Run) -> None:
    interface = card["supportedInterfaces"][0]
    urls = [
        "http://localhost:9999/a2a?x=1",
        "http://0.0.0.0:80",
        "https://tides.example.com/a2a",
        "localhost:50051",
    ]
    document = {**card, "supportedInterfaces": [{**interface, "url": url} for url in urls]}
    document["documentationUrl"] = "http://127.0.0.1/docs"
    (here / "local.json").write_text(json.dumps(document))

    result = run("fix", "--base-url", "https://agents.example.com/travel/", "local.json")

    fixed_card = json.loads(result.stdout)
    assert [one["url"] for one in fixed_card["supportedInterfaces"]] == [
        "https://agents.example.com/travel/a2a?x=1",
        "https://agents.example.com/travel",
        "https://tides.example.com/a2a",
        "localhost:50051",
    ]
    assert fixed_card["documentationUrl"] == "https://agents.example.com/travel/docs"
    assert "safe: moves the URL below https://agents.example.com/travel: /documentationUrl" in result.stderr


def test_without_a_base_url_hosts_stay(here: Path, card: dict[str, Any], run: Run) -> None:
    document = {**card, "documentationUrl": "http://127.0.0.1/docs"}
    (here / "local.json").write_text(json.dumps(document))

    assert json.loads(run("fix", "--unsafe", "local.json").stdout) == document


@pytest.mark.parametrize("url", ["agents.example.com", "ftp://agents.example.com", "https://a@b.example", ""])
def test_an_invalid_base_url_is_refused(here: Path, untagged: Path, run: Run, url: str) -> None:
    result = run("fix", "--base-url", url, untagged.name)

    assert result.exit_code == 2
    assert "--base-url: invalid base URL: use http or https" in result.stderr
