"""`cardwright gateway init`: writes a gateway that starts, and replaces nothing without `--force`."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest
import typer

from cardwright_gateway import Gateway, GatewayConfig
from cardwright_gateway.cli import init

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Run


def card_of(folder: Path, monkeypatch: pytest.MonkeyPatch, agent: str) -> dict[str, object]:
    """Return the card of an agent of the written file."""
    monkeypatch.syspath_prepend(str(folder))

    async def run() -> dict[str, object]:
        config = GatewayConfig.from_file(folder / "gateway.yml").at("https://gw.example")
        async with Gateway(config) as gateway:
            return dict((await gateway.card(agent, form="1.0")).document)

    try:
        return asyncio.run(run())
    finally:
        sys.modules.pop(agent.replace("-", "_"), None)


def test_the_written_gateway_starts_and_its_card_is_derived(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("gateway", "init")
    assert result.exit_code == 0, result.stderr
    assert "cardwright gateway --config gateway.yml" in result.stderr
    card = card_of(here, monkeypatch, "greeter")
    assert (card["name"], card["description"]) == (
        "Greeter",
        "Greet the caller, and count the words of the message.",
    )
    assert "https://gw.example/agents/greeter" in str(card["supportedInterfaces"])


def test_the_flags_name_the_agent_its_owner_and_the_url(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(
        "gateway", "init", here, "--agent", "my-tides", "--owner", "no", "--base-url", "https://a.example"
    )
    assert result.exit_code == 0, result.stderr
    config = GatewayConfig.from_file(here / "gateway.yml")
    assert (config.base_url, config.owners["no"].name, config.agents["my-tides"].owner) == (
        "https://a.example",
        "no",
        "no",
    )
    assert (here / "my_tides.py").exists()
    assert card_of(here, monkeypatch, "my-tides")["name"] == "My tides"


def test_the_function_option_writes_no_example(run: Run, here: Path) -> None:
    assert run("gateway", "init", "--function", "mine:reply").exit_code == 0
    assert [file.name for file in here.iterdir()] == ["gateway.yml"]
    assert "mine:reply" in (here / "gateway.yml").read_text()


@pytest.mark.parametrize("taken", ["gateway.yml", "greeter.py"])
def test_nothing_is_replaced_without_force(run: Run, here: Path, taken: str) -> None:
    (here / taken).write_text("mine")
    result = run("gateway", "init")
    assert (result.exit_code, "--force" in result.stderr) == (2, True)
    assert [(file.name, file.read_text()) for file in here.iterdir()] == [(taken, "mine")]
    assert run("gateway", "init", "--force").exit_code == 0
    assert (here / taken).read_text() != "mine"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--agent", "a b"), "/agents"), (("--owner", "-"), "owner"), (("--base-url", "nowhere"), "/base_url"),
        (("--function", "os.system"), "/backend/python"),
    ],
)  # fmt: skip
def test_an_invalid_option_value_is_refused(run: Run, here: Path, options: tuple[str, ...], why: str) -> None:
    result = run("gateway", "init", *options)
    assert (result.exit_code, why in result.stderr) == (2, True), result.stderr
    assert list(here.iterdir()) == []


def test_on_a_terminal_missing_options_are_prompted(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[str] = []

    def prompt(question: str, **_: object) -> str:
        requests.append(question.partition(" (")[0])
        return {"Id of the agent": "tides", "Owner of the agent": "acme"}.get(requests[-1], "")

    monkeypatch.setattr(init, "at_terminal", lambda _: True)
    monkeypatch.setattr(typer, "prompt", prompt)
    assert run("gateway", "init", "--base-url", "https://a.example").exit_code == 0
    assert requests == ["Id of the agent", "Owner of the agent"]
    assert GatewayConfig.from_file(here / "gateway.yml").agents["tides"].owner == "acme"


def test_the_folder_is_created_and_a_file_in_its_place_is_refused(run: Run, here: Path) -> None:
    assert run("gateway", "init", "new/folder").exit_code == 0
    assert (here / "new/folder/gateway.yml").exists()
    (here / "taken").write_text("mine")
    result = run("gateway", "init", "taken")
    assert (result.exit_code, "not a folder" in result.stderr) == (2, True)


@pytest.mark.parametrize("agent", ["calendar", "yaml"])
def test_no_module_is_written_that_hides_another_one(run: Run, here: Path, agent: str) -> None:
    assert run("gateway", "init", "--agent", agent).exit_code == 0
    assert sorted(file.name for file in here.iterdir()) == [f"agent_{agent}.py", "gateway.yml"]
    assert f'python: "agent_{agent}:answer"' in (here / "gateway.yml").read_text()


def test_a_file_is_not_written_through_a_link_without_a_target(run: Run, here: Path) -> None:
    (here / "greeter.py").symlink_to(here / "nowhere")
    assert run("gateway", "init").exit_code == 2
    assert not (here / "gateway.yml").exists()
