"""`cardwright init`: what it asks, takes, refuses and writes."""

import json
import os
import pty
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import Card, CardError
from cardwright.cli.card_draft import DIALECTS, Draft, Skill, fault
from tests.cli.command_line import CommandResult, Run

GIVEN = {
    "--name": "Tides",
    "--description": "Answers when the water is high.",
    "--url": "https://tides.example.com/a2a",
    "--skill": "times: Finds times of high water. #sea #tide",
}
TEXT = st.text(max_size=20)


def options(**changed: str | None) -> list[str]:
    values = {**GIVEN, **{f"--{name.replace('_', '-')}": value for name, value in changed.items()}}
    return [word for name, value in values.items() if value is not None for word in (name, value)]


@pytest.fixture
def init_with_answers(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs the command as at a terminal, and gives it answers a line each."""
    monkeypatch.setattr("cardwright.cli.init.at_terminal", lambda _: True)

    def init(*answers: str, arguments: tuple[str, ...] = ()) -> CommandResult:
        return run("init", *arguments, stdin="".join(f"{answer}\n" for answer in answers).encode())

    return init


# Without a terminal


def test_options_alone_make_a_card_that_check_takes(run: Run, here: Path) -> None:
    result = run("init", *options())

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "agent-card.json: a2a-1.0, valid\n"
        "next: cardwright check agent-card.json, then cardwright serve agent-card.json\n"
    )
    assert run("check", "--strict", "agent-card.json").exit_code == 0
    card = json.loads((here / "agent-card.json").read_bytes())
    assert card["skills"] == [
        {"id": "times", "name": "Times", "description": "Finds times of high water.", "tags": ["sea", "tide"]}
    ]
    assert [entry.name for entry in here.iterdir()] == ["agent-card.json"]


def test_a_beach_card_is_made_of_the_same_options(run: Run, here: Path) -> None:
    result = run("init", "--dialect", "beach-1.0", *options(provider="Port of Example"), "beach.json")

    assert result.exit_code == 0
    card = Card.from_bytes((here / "beach.json").read_bytes())
    assert (str(card.dialect), card.document["id"], card.valid) == ("beach-1.0", "tides", True)
    assert card.document["provider"] == {"name": "Port of Example"}


def test_a_dash_prints_the_card_and_nothing_else(run: Run, here: Path) -> None:
    result = run("init", *options(), "-")

    assert json.loads(result.stdout)["name"] == "Tides"
    assert result.stderr == ""
    assert list(here.iterdir()) == []


def test_missing_values_are_named_by_their_options(run: Run, here: Path) -> None:
    result = run("init", *options(url=None, skill=None, provider="Port"))

    assert result.exit_code == 2
    assert (
        result.stderr
        == "cardwright: required options are missing: --url, --skill, --provider-url (without a terminal there is no prompt)\n"
    )
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"url": "localhost:8080"}, '--url: "localhost:8080" is not an absolute URL'),
        ({"name": "  "}, "--name: a value is required"),
        ({"name": "a\ud800"}, "--name: a string contains half of a surrogate pair"),
        ({"description": "x" * 300_000}, "--description: the card has more than 262,144 bytes"),
        ({"skill": "times"}, "--skill: expected \"ID: TEXT #TAG #TAG\", found 'times'"),
        ({"skill": "times: "}, "--skill: expected \"ID: TEXT #TAG #TAG\", found 'times: '"),
        ({"provider": "P", "provider_url": ""}, "--provider-url: a value is required"),
        ({"provider_url": "https://a.example"}, "--provider-url needs --provider"),
        ({"id": "tides"}, "--id: an A2A card has no id"),
    ],
)
def test_an_option_that_would_break_the_card_is_named_with_the_reason(
    changed: dict[str, str], says: str, run: Run, here: Path
) -> None:
    result = run("init", *options(**changed))

    assert result.exit_code == 2
    assert result.stderr.startswith(f"cardwright: {says}")
    assert list(here.iterdir()) == []


def test_streaming_is_refused_for_beach(run: Run, here: Path) -> None:
    result = run("init", "--dialect", "beach-1.0", "--streaming", *options())

    assert (result.exit_code, result.stderr) == (
        2,
        "cardwright: --streaming: a Beach card has no field for streaming; leave it out, or give --dialect a2a-1.0\n",
    )


def test_two_skills_of_one_id_are_refused(run: Run, here: Path) -> None:
    result = run("init", *options(), "--skill", "times: Again.")

    assert result.exit_code == 2
    assert result.stderr.startswith('cardwright: --skill: duplicate skill id "times": /skills/0 has the same')


def test_a_warning_is_reported_and_the_card_written(run: Run, here: Path) -> None:
    result = run("init", *options(url="http://tides.example.com/a2a"))

    assert result.exit_code == 0
    assert "  warning: /supportedInterfaces/0/url: " in result.stderr


# Files


def test_an_existing_file_is_replaced_only_with_force(run: Run, here: Path) -> None:
    path = here / "agent-card.json"
    path.write_text("mine")
    path.chmod(0o600)

    refused = run("init", *options())

    assert refused.exit_code == 2
    assert "agent-card.json already exists: use --force" in refused.stderr
    assert path.read_text() == "mine"

    assert run("init", "--force", *options()).exit_code == 0
    assert json.loads(path.read_bytes())["name"] == "Tides"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_dangling_symbolic_link_counts_as_existing(run: Run, here: Path) -> None:
    (here / "agent-card.json").symlink_to("gone.json")

    assert run("init", *options()).exit_code == 2
    assert not (here / "gone.json").exists()


@pytest.mark.parametrize("path", ["nowhere/card.json", "."])
def test_an_unwritable_file_is_reported(path: str, run: Run, here: Path) -> None:
    result = run("init", "--force", *options(), path)

    assert result.exit_code == 2
    assert result.stderr.startswith(
        (f"cardwright: {path} cannot be written: ", f"cardwright: {path}: the folder does not exist")
    )


# At a terminal


def test_an_invalid_reply_to_a_prompt_is_explained_and_repeated(init_with_answers: Any, here: Path) -> None:
    result = init_with_answers(
        "",  # the dialect that is offered
        *("   ", "Tides"),
        "Answers when the water is high.",
        *("localhost:8080", "https://tides.example.com/a2a"),
        "",  # the version that is offered
        *("high water", "times", "Finds times of high water.", "sea, tide"),
        *("times", "ports", "Lists ports.", "", ""),  # an id that is taken; the tag that is offered; done
        *("Port of Example", " ", "https://port.example.com"),
        "y",
    )

    assert result.exit_code == 0, result.stderr
    for reason in (
        "  a value is required\n",
        '  "localhost:8080" is not an absolute URL',
        "  expected one word without a colon, such as find-berths\n",
        '  duplicate skill id "times": /skills/0 has the same',
    ):
        assert reason in result.stderr
    card = json.loads((here / "agent-card.json").read_bytes())
    assert [skill["tags"] for skill in card["skills"]] == [["sea", "tide"], ["ports"]]
    assert card["provider"] == {"organization": "Port of Example", "url": "https://port.example.com"}
    assert (card["capabilities"], card["version"]) == ({"streaming": True}, "0.1.0")


def test_beach_may_be_chosen_at_the_prompt(init_with_answers: Any, here: Path) -> None:
    answers = ("", "Tides", "When.", "https://tides.example.com", "", "times", "Finds.", "", "", "")

    result = init_with_answers("beach", "beach-1.0", *answers[1:])

    assert result.exit_code == 0, result.stderr
    assert "  expected a2a-1.0 or beach-1.0\n" in result.stderr
    assert json.loads((here / "agent-card.json").read_bytes())["id"] == "tides"


def test_only_values_without_an_option_are_prompted_for(init_with_answers: Any, here: Path) -> None:
    given = ("--dialect", "a2a-1.0", "--version", "2.0.0", "--streaming", *options(name=None, provider="P"))

    result = init_with_answers("Tides", "https://p.example", arguments=given)

    assert result.exit_code == 0, result.stderr
    assert "Name of the agent" in result.stderr
    assert "URL of the agent" not in result.stderr


def test_there_is_no_prompt_when_nothing_is_missing(init_with_answers: Any, here: Path) -> None:
    result = init_with_answers(arguments=tuple(options()))

    assert result.exit_code == 0
    assert result.stderr.startswith("agent-card.json: a2a-1.0, valid\n")


def test_the_end_of_the_input_writes_nothing(init_with_answers: Any, here: Path) -> None:
    assert init_with_answers("", "Tides").exit_code == 1
    assert list(here.iterdir()) == []


@pytest.mark.process
def test_an_interrupt_leaves_nothing_behind(here: Path) -> None:
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "cardwright", "init"]
    with subprocess.Popen(command, cwd=here, stdin=terminal, stdout=terminal, stderr=terminal) as started:
        os.close(terminal)
        shown = b""
        # The space after the colon is written by the call that reads the reply.
        while b"Dialect" not in shown or not shown.endswith(b": "):
            shown += os.read(controller, 1024)
        # Python overlooks a signal that comes just before it waits for the input: then it is sent once more.
        for _ in range(6):
            started.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                started.wait(10)
                break
        else:
            started.kill()
    assert started.returncode == 1
    os.close(controller)
    assert list(here.iterdir()) == []


# Laws


@given(st.sampled_from(DIALECTS), st.fixed_dictionaries({}, optional=dict.fromkeys(("name", "url", "description", "version"), TEXT)))  # fmt: skip
def test_a_draft_of_valid_replies_is_a_valid_card(dialect: str, answers: dict[str, str]) -> None:
    right: dict[str, Any] = {
        part: value for part, value in answers.items() if fault(dialect, **{part: value}) is None
    }

    assert Draft(dialect=dialect, **right).card().valid


@given(TEXT)
def test_any_text_is_parsed_as_a_skill_or_refused(text: str) -> None:
    skill = Skill.read(text)

    if skill is not None:
        for dialect in DIALECTS:
            try:
                assert Draft(dialect=dialect, skills=(skill,)).card().valid
            except CardError as error:
                assert fault(dialect, skills=(skill,)) is not None, error
