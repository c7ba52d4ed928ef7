"""`cardwright convert`: the card on standard output, its losses on standard error, the exit status."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from cardwright import Card, convert
from cardwright.cli import app
from cardwright.cli.reports.conversion import MAX_LINES
from cardwright_rules import DIALECTS, MESSAGES, SERVERS
from tests.cli.command_line import EXAMPLES, Run, process
from tests.properties.strategies import JSON

CARDS = sorted(EXAMPLES.glob("*.card.json"))
OLDER = EXAMPLES / "a2a-0.3.card.json"
NEWER = EXAMPLES / "a2a-1.0.card.json"


@pytest.fixture
def unsaid(here: Path, card: dict[str, Any]) -> str:
    """Write an A2A 1.0 card with a tenant, which A2A 0.3 does not have."""
    card["supportedInterfaces"] = [{**card["supportedInterfaces"][0], "tenant": "north"}]
    (here / "unsaid.json").write_text(json.dumps(card))
    return "unsaid.json"


# The card


@pytest.mark.parametrize("to", DIALECTS)
@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.name)
def test_every_example_is_printed_in_every_dialect_and_nothing_else_is(path: Path, to: str, run: Run) -> None:
    result = run("convert", "--to", to, path)

    wanted, _ = convert(Card.from_bytes(path.read_bytes()), to=to)
    assert result.exit_code == 0
    assert result.stdout == json.dumps(wanted.document, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.process
def test_the_card_is_utf_8_whatever_the_terminal_says(here: Path, card: dict[str, Any]) -> None:
    card["description"] = "Fähren, 渡し船"
    (here / "x.json").write_text(json.dumps(card))

    done = process("convert", "--to", "a2a-0.3", "x.json", PYTHONIOENCODING="ascii")
    out, err = done.communicate()

    assert done.returncode == 0
    assert json.loads(out.decode("utf-8"))["description"] == card["description"]
    assert "渡し船".encode() in out
    assert b"a2a-1.0 -> a2a-0.3" in err


def test_a_dash_is_standard_input(run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", "-", stdin=OLDER.read_bytes())

    assert "supportedInterfaces" in json.loads(result.stdout)
    assert result.stderr.startswith("-: a2a-0.3 → a2a-1.0\n")


def test_the_same_dialect_prints_the_card_as_it_is(valid: str, card: dict[str, Any], run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", valid)

    assert json.loads(result.stdout) == card
    assert result.stderr.splitlines()[1:] == ["0 losses", "0 assumptions"]


def test_from_names_the_dialect(here: Path, run: Run) -> None:
    (here / "x.json").write_text(
        '{"name": "A", "url": "https://a.example", "authentication": {}, "skills": []}'
    )

    assert run("convert", "--to", "a2a-1.0", "x.json").stderr.startswith("x.json: read as a2a-")
    named = run("convert", "--from", "a2a-0.3", "--to", "a2a-1.0", "x.json")
    assert named.stderr.startswith("x.json: a2a-0.3 → a2a-1.0\n")
    (interface,) = json.loads(named.stdout)["supportedInterfaces"]
    assert interface["protocolVersion"] == "0.3"


def test_a_valid_card_whose_result_is_not_valid_exits_1_with_the_reasons(here: Path, run: Run) -> None:
    card = json.loads((EXAMPLES / "a2a-0.3.card.json").read_bytes())
    (here / "x.json").write_text(json.dumps({**card, "skills": []}))
    result = run("convert", "--to", "a2a-1.0", "x.json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["skills"] == []
    assert "1 error in the result\n  /skills  schema/minItems  " in result.stderr


def test_a_card_that_was_not_valid_is_converted_as_it_is(here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"name": "A", "supportedInterfaces": [], "skills": []}')

    assert run("convert", "--to", "a2a-0.3", "x.json").exit_code == 0


def test_the_report_says_how_sure_the_dialect_is(here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"name": "A", "url": "https://a.example", "skills": []}')
    run("convert", "--to", "a2a-1.0", "--report", "r.json", "x.json")
    run("convert", "--to", "a2a-1.0", "--report", "s.json", OLDER)

    unsure, sure = (json.loads((here / name).read_bytes()) for name in ("r.json", "s.json"))
    assert (unsure["sure"], unsure["others"]) == (False, ["a2a-0.1", "a2a-0.3"])
    assert unsure["evidence"][0].startswith("no known protocolVersion")
    assert (sure["sure"], sure["others"]) == (True, [])


# Messages


def test_the_summary_counts_and_names_every_loss_and_assumption(unsaid: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-0.3", unsaid)

    _, report = convert(Card.from_bytes(Path(unsaid).read_bytes()), to="a2a-0.3")
    lines = result.stderr.splitlines()
    assert lines[:2] == ["unsaid.json: a2a-1.0 → a2a-0.3", f"{len(report.losses)} losses"]
    for loss in report.losses:
        assert f"  {loss.pointer}  {loss.kind}  {loss.why}" in lines
    assert "/supportedInterfaces/0/tenant" in {loss.pointer for loss in report.losses}
    assert f"{len(report.assumptions)} assumption" in lines
    for assumption in report.assumptions:
        assert any(line.startswith(f"  {assumption.pointer}  ") for line in lines)


def test_more_lines_than_a_screen_holds_are_counted(here: Path, card: dict[str, Any], run: Run) -> None:
    card["skills"] = [
        {**card["skills"][0], "id": f"s{number}", "securityRequirements": [{"schemes": {}}]}
        for number in range(MAX_LINES + 30)
    ]
    (here / "x.json").write_text(json.dumps(card))

    result = run("convert", "--to", "a2a-0.2", "x.json")
    also = run("convert", "--to", "a2a-0.2", "--report", "r.json", "x.json")

    losses = json.loads((here / "r.json").read_bytes())["losses"]
    assert len(losses) >= MAX_LINES + 30
    shown = [line for line in result.stderr.splitlines() if line.startswith("  /s")]
    assert len(shown) == MAX_LINES
    assert f"  … and {len(losses) - MAX_LINES} more: --report FILE lists them all" in result.stderr
    assert f"  … and {len(losses) - MAX_LINES} more: r.json lists them all" in also.stderr


def test_errors_of_the_card_are_counted_and_those_of_the_result_listed(invalid: str, run: Run) -> None:
    document = json.loads(Path(invalid).read_bytes())
    document["version"] = 3
    Path(invalid).write_text(json.dumps(document))

    result = run("convert", "--to", "a2a-0.3", invalid)

    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert lines[1].startswith("2 errors in the card: ")
    assert "1 error in the result" in lines[2:]
    assert any(line.startswith("  /version  schema/type  ") for line in lines)


def test_messages_have_no_control_characters(here: Path, card: dict[str, Any], run: Run) -> None:
    card["supportedInterfaces"][0] |= {"protocolVersion": "0.3", "tenant": "x", "url": 7}
    card["\x1b[31m\nred"] = None
    card["iconUrl"] = None
    (here / "x\x1b.json").write_text(json.dumps(card))

    for to in DIALECTS:
        result = run("convert", "--to", to, "x\x1b.json")

        assert "\x1b" not in result.stderr
        assert "Traceback" not in result.stderr
        assert all(line.isprintable() for line in result.stderr.splitlines())


def test_the_report_is_written_as_json(unsaid: str, here: Path, run: Run) -> None:
    result = run("convert", "--to", "a2a-0.3", "--report", "report.json", unsaid)

    card, report = convert(Card.from_bytes(Path(unsaid).read_bytes()), to="a2a-0.3")
    assert json.loads((here / "report.json").read_bytes()) == report.to_json()
    assert json.loads(result.stdout) == card.document


# Exit status


def test_lossless_exits_with_1_where_something_was_lost(unsaid: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-0.3", "--lossless", unsaid)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["url"]
    assert run("convert", "--to", "a2a-0.3", unsaid).exit_code == 0
    assert run("convert", "--to", "a2a-1.0", "--lossless", OLDER).exit_code == 0


def test_carried_fields_are_not_lost_and_are_restored(unsaid: str, here: Path, run: Run) -> None:
    there = run("convert", "--to", "a2a-0.3", "--lossless", "--carry", unsaid)
    (here / "older.json").write_text(there.stdout)
    back = run("convert", "--to", "a2a-1.0", "--lossless", "older.json")

    assert (there.exit_code, back.exit_code) == (0, 0)
    assert ", carried\n" in there.stderr
    assert json.loads(back.stdout) == json.loads(Path(unsaid).read_bytes())


def test_strict_refuses_an_invalid_card_with_its_errors(invalid: str, valid: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-0.3", "--strict", "--report", "r.json", invalid)

    assert (result.exit_code, result.stdout) == (1, "")
    assert "invalid.json: not a valid a2a-1.0 card" in result.stderr
    assert '/skills/0/tags  schema/required  "tags" is required and missing. Add it' in result.stderr
    assert not Path("r.json").exists()
    assert run("convert", "--to", "a2a-0.3", "--strict", valid).exit_code == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{", "not"),
        ("", "empty"),
        ("[]", "expected a JSON object"),
        ('{"hello": 1}', "name it with --from: a2a-0.1, "),
        ('{"name": 1, "name": 2}', "name"),
    ],
)
def test_a_document_that_is_no_card_is_reported_in_one_line(
    body: str, words: str, here: Path, run: Run
) -> None:
    (here / "x.json").write_text(body)

    result = run("convert", "--to", "a2a-1.0", "x.json")

    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("cardwright: x.json: ")
    assert words in line


@pytest.mark.parametrize("path", ["missing.json", ".", "*.json", "\0"])
@pytest.mark.usefixtures("here")
def test_an_unreadable_document_is_reported_in_one_line(path: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("option", ["--to", "--from"])
@pytest.mark.parametrize("name", ["1.0", "A2A-1.0", "a2a-\x1b[31m9", ""])
def test_an_unknown_dialect_is_refused_in_one_line_that_lists_the_known(
    option: str, name: str, run: Run
) -> None:
    result = run("convert", "--to", "a2a-1.0", option, name, OLDER)

    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert "\x1b" not in line
    assert all(known in line for known in DIALECTS)


def test_wrong_usage_exits_with_2(run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", OLDER, NEWER)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage" in result.stderr


@pytest.mark.parametrize("report", ["-", ".", "no/such/folder.json", "x\0y", ""])
def test_an_unwritable_report_is_reported_in_one_line(report: str, valid: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-0.3", "--report", report, valid)

    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


def test_the_card_is_not_overwritten_by_its_report(valid: str, here: Path, run: Run) -> None:
    before = (here / valid).read_bytes()
    (here / "link.json").symlink_to(valid)

    for report in (valid, f"./{valid}", "link.json"):
        result = run("convert", "--to", "a2a-0.3", "--report", report, valid)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "would overwrite the card" in result.stderr
    assert (here / valid).read_bytes() == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")  # noqa: PTH110 - a device
@pytest.mark.process
def test_a_full_disk_is_reported_in_one_line(valid: str) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        out = process("convert", "--to", "a2a-0.3", valid, stdout=full)
        _, stderr = out.communicate()
    report = process("convert", "--to", "a2a-0.3", "--report", "/dev/full", valid)
    _, reported = report.communicate()

    assert (out.returncode, report.returncode) == (2, 2)
    assert stderr == b"cardwright: cannot write: No space left on device\n"
    assert reported.startswith(b"cardwright: /dev/full: the report cannot be written: no space")


@pytest.mark.process
def test_a_closed_pipe_is_no_error(valid: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    with process("convert", "--to", "a2a-0.3", valid, stdout=writing) as done:
        os.close(writing)
        _, stderr = done.communicate(timeout=30)

    assert done.returncode == 0
    assert stderr.startswith("valid.json: a2a-1.0 → a2a-0.3\n".encode())


def test_a_limit_can_be_set(valid: str, run: Run) -> None:
    assert run("convert", "--to", "a2a-0.3", "--max-bytes", 10, valid).exit_code == 2
    assert run("convert", "--to", "a2a-0.3", "--max-depth", 2, valid).exit_code == 2
    assert run("convert", "--to", "a2a-0.3", "--max-members", 2, valid).exit_code == 2


@settings(deadline=None)
@given(
    document=st.dictionaries(st.sampled_from(["name", "url", "skills", "capabilities", "security"]), JSON)
    | JSON,
    dialect=st.sampled_from(sorted(DIALECTS)),
    to=st.sampled_from(sorted(DIALECTS)),
)
@pytest.mark.bulk
def test_any_json_value_is_converted_or_refused_without_a_traceback(
    document: Any, dialect: str, to: str
) -> None:
    arguments = ["convert", "--carry", "--from", dialect, "--to", to, "-"]
    result = CliRunner().invoke(app, arguments, input=json.dumps(document), catch_exceptions=False)

    assert result.exit_code == (0 if isinstance(document, dict) else 2)
    assert bool(result.stdout) == isinstance(document, dict)


@pytest.mark.process
def test_completion_offers_every_dialect() -> None:
    for option in ("--to", "--from"):
        words = f"cardwright convert {option} "
        done = process(_CARDWRIGHT_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD="3")
        out, _ = done.communicate()
        assert out.decode().split() == [*DIALECTS, *SERVERS, *MESSAGES]


@pytest.mark.process
def test_a_report_to_standard_output_is_refused(here: Path) -> None:
    for name, output in (("out.json", "out.json"), ("/dev/stdout", "out.json")):
        with (here / output).open("wb") as file:
            done = process("convert", "--to", "a2a-1.0", "--report", name, OLDER, stdout=file)
            _, err = done.communicate()
        assert done.returncode == 2
        assert b"standard output" in err
        assert (here / output).read_bytes() == b""


def test_a_report_replaces_an_older_one_atomically(here: Path, run: Run) -> None:
    (here / "real.json").write_text("x" * 100_000)
    (here / "real.json").chmod(0o640)
    (here / "link.json").symlink_to("real.json")
    assert run("convert", "--to", "a2a-1.0", "--report", "link.json", OLDER).exit_code == 0

    assert (here / "link.json").is_symlink()
    assert (here / "real.json").stat().st_mode & 0o777 == 0o640
    assert json.loads((here / "real.json").read_bytes())["to"] == "a2a-1.0"
    assert not [*here.glob(".cardwright-*")]
