"""`cardwright gateway agents` and `keys`: output, changes and audit entries."""

from __future__ import annotations

import getpass
import json
import re
import sqlite3
import stat
import subprocess
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.auth.agent_keys import AgentKeys
from cardwright_gateway.auth.secret_values import KEY_FORM, LAST_EXPIRY, TOKEN_FORM, digest_of
from cardwright_gateway.database.audit import Audit
from cardwright_gateway.database.tables import open_database
from tests.cli.command_line import EXAMPLES, process
from tests.gateway.cli.test_run import call_gateway, running

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Run

GREETER = str(EXAMPLES / "gateway" / "greeter.card.json")
SETTINGS: dict[str, Any] = {
    "owners": {"ada": {"name": "Ada Ltd"}},
    "jwt": [{"issuer": "https://id.example", "audience": "agents", "jwks": "jwks.json"}],
    "agents": {
        "greeter": {
            "card": GREETER,
            "backend": {"url": "https://greeter.example"},
            "owner": "ada",
            "visibility": "private",
        },
        "open": {"card": GREETER},
        "both": {"card": GREETER, "owner": "ada", "access": "open"},
    },
}


@pytest.fixture
def config(here: Path) -> Path:
    """A configuration in a folder of its own, and no gateway that runs on it."""
    file = here / "agents.json"
    file.write_text(json.dumps(SETTINGS))
    return file


def store(config: Path) -> Path:
    return config.parent / "gateway.db"


def issued(run: Run, config: Path, *more: object) -> tuple[str, str]:
    """Issue a key, and return its id and its secret."""
    result = run("gateway", "keys", "issue", "greeter", "--config", config, "--json", *more)
    assert result.exit_code == 0, result.stderr
    value = json.loads(result.stdout)
    return value["id"], value["key"]


def record(config: Path, secret: str) -> Any:
    with closing(open_database(str(store(config)), wait_seconds=1)) as database:
        return AgentKeys(database).find_all([digest_of(secret)]).get(digest_of(secret))


def test_the_key_alone_is_on_standard_output(run: Run, config: Path) -> None:
    result = run("gateway", "keys", "issue", "greeter", "--config", config, "--name", "crm")
    assert result.exit_code == 0
    assert KEY_FORM.fullmatch(result.stdout.removesuffix("\n"))
    assert "not shown again" in result.stderr
    assert result.stdout.strip() not in result.stderr


def test_settings_of_a_key_are_stored(run: Run, config: Path) -> None:
    _, secret = issued(run, config, "--name", "crm", "--requests", 5, "--seconds", 10, "--expires", "2d")
    kept = record(config, secret)
    assert (kept.agent_id, kept.owner_id, kept.name) == ("greeter", "ada", "crm")
    assert (kept.quota.requests, kept.quota.seconds) == (5, 10)
    assert kept.expires_at == pytest.approx(kept.created_at + 2 * 86_400, abs=5)


def test_a_key_with_the_latest_expiry_is_listed(run: Run, config: Path) -> None:
    days = int((LAST_EXPIRY - time.time()) // 86_400)
    issued(run, config, "--expires", f"{days}d")
    result = run("gateway", "keys", "list", "greeter", "--config", config)
    assert result.exit_code == 0, result.stderr


def test_a_store_named_by_a_url_is_readable_by_its_owner_only(run: Run, config: Path) -> None:
    place = config.parent / "other.db"
    config.write_text(json.dumps({**SETTINGS, "store": f"sqlite:///{place}"}))
    issued(run, config)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_no_list_shows_a_key(run: Run, config: Path) -> None:
    key_id, secret = issued(run, config, "--name", "crm")
    for command in (("keys", "list", "greeter"), ("agents", "show", "greeter"), ("agents", "list")):
        for form in ((), ("--json",)):
            result = run("gateway", *command, "--config", config, *form)
            assert result.exit_code == 0, result.stderr
            assert secret[8:] not in result.stdout + result.stderr
            assert digest_of(secret) not in result.stdout
            if command[1] != "list" or command[0] == "keys":
                assert key_id in result.stdout
                assert secret[:8] in result.stdout


def test_a_rotated_key_has_a_new_secret_and_a_revoked_one_is_invalid(run: Run, config: Path) -> None:
    key_id, old = issued(run, config)
    rotated = run("gateway", "keys", "rotate", "greeter", key_id, "--config", config)
    new = rotated.stdout.strip()
    assert record(config, old) is None
    assert record(config, new).id == key_id
    assert run("gateway", "keys", "revoke", "greeter", key_id, "--config", config).exit_code == 0
    assert record(config, new).revoked_at is not None
    listed = json.loads(run("gateway", "keys", "list", "greeter", "--config", config, "--json").stdout)
    assert [one["id"] for one in listed["keys"]] == [key_id]
    assert "revoked" in run("gateway", "keys", "list", "greeter", "--config", config).stdout


def test_every_change_is_in_the_audit_with_its_actor(run: Run, config: Path) -> None:
    key_id, secret = issued(run, config)
    run("gateway", "keys", "rotate", "greeter", key_id, "--config", config)
    run("gateway", "keys", "revoke", "greeter", key_id, "--config", config)
    with closing(open_database(str(store(config)), wait_seconds=1)) as database:
        rows = Audit(database).list("greeter")
    assert [one.action for one in rows] == ["key.revoke", "key.rotate", "key.issue"]
    assert {one.actor for one in rows} == {f"cli:{getpass.getuser()}"}
    assert secret[8:] not in str(rows)


def test_agents_are_listed_with_their_owners(run: Run, config: Path) -> None:
    issued(run, config)
    agents = json.loads(run("gateway", "agents", "list", "--config", config, "--json").stdout)["agents"]
    assert [(one["id"], one["owner"], one["access"], one["keys"]) for one in agents] == [
        ("greeter", "ada", "keys", 1),
        ("open", "", "open", 0),
        ("both", "ada", "open", 0),
    ]
    assert agents[0]["owner_name"] == "Ada Ltd"
    shown = run("gateway", "agents", "list", "--config", config).stdout
    assert re.search(r"greeter +managed +ada +private +keys +1", shown)


def test_agents_added_at_run_time_have_keys_too(run: Run, config: Path) -> None:
    from cardwright_gateway.database.agents import AddedAgents

    issued(run, config)
    with closing(open_database(str(store(config)), wait_seconds=1)) as database:
        AddedAgents(database).put(
            "late", {"url": "https://late.example", "owner": "ada"}, at=1.0, actor="test"
        )
        AddedAgents(database).put("broken", {"what": 1}, at=1.0, actor="test")
    assert run("gateway", "keys", "issue", "late", "--config", config).exit_code == 0
    agent = json.loads(run("gateway", "agents", "show", "late", "--config", config, "--json").stdout)
    assert (agent["added"], agent["keys"]) == (True, 1)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("agents", "list"), "--config"),
        (("keys", "list", "greeter"), "--config"),
        (("keys", "issue", "absent", "--config", "agents.json"), "unknown agent 'absent'"),
        (("keys", "list", "absent", "--config", "agents.json"), "unknown agent 'absent'"),
        (("agents", "show", "absent", "--config", "agents.json"), "unknown agent 'absent'"),
        (("keys", "issue", "open", "--config", "agents.json"), "no owner"),
        (("keys", "revoke", "greeter", "key_x", "--config", "agents.json"), "no such key"),
        (("keys", "rotate", "greeter", "key_x", "--config", "agents.json"), "no such key"),
        (
            ("keys", "issue", "greeter", "--expires", "2020-01-01T00:00:00Z", "--config", "agents.json"),
            "must be in the future",
        ),
        (("keys", "issue", "greeter", "--expires", "soon", "--config", "agents.json"), "neither a duration"),
        (
            ("keys", "issue", "greeter", "--expires", "3000000d", "--config", "agents.json"),
            "before the year 10000",
        ),
        (("keys", "issue", "greeter", "--name", "x" * 200, "--config", "agents.json"), "128"),
        (("agents", "list", "--config", "none.json"), "none.json"),
        (("agents", "list", "--config", "memory.json"), "memory"),
    ],
)
def test_a_failing_command_prints_one_line(
    run: Run, config: Path, command: tuple[str, ...], why: str
) -> None:
    (config.parent / "memory.json").write_text(json.dumps({**SETTINGS, "store": ":memory:"}))
    result = run("gateway", *command)
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    "command",
    [
        ("agents",), ("agents", "list"), ("agents", "show"),
        ("keys",), ("keys", "issue"), ("keys", "list"), ("keys", "rotate"), ("keys", "revoke"),
    ],
)  # fmt: skip
def test_help_needs_no_configuration(run: Run, command: tuple[str, ...]) -> None:
    result = run("gateway", *command, "--help")
    assert result.exit_code == 0
    assert "Usage" in result.stdout


def test_the_config_option_may_precede_the_subcommand(run: Run, config: Path) -> None:
    assert run("gateway", "--config", config, "agents", "list").exit_code == 0


def test_a_key_for_an_open_agent_is_issued_with_a_warning(run: Run, config: Path) -> None:
    result = run("gateway", "keys", "issue", "both", "--config", config)
    assert result.exit_code == 0
    assert "access: keys" in result.stderr


def test_a_store_created_by_a_command_is_readable_by_its_owner_only(run: Run, config: Path) -> None:
    issued(run, config)
    assert store(config).stat().st_mode & 0o777 == 0o600


@pytest.mark.process
def test_the_commands_work_while_others_read_and_write_the_store(run: Run, config: Path) -> None:
    first, _ = issued(run, config)
    with closing(sqlite3.connect(store(config), isolation_level=None)) as reader:
        # A gateway during a read.
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM agent_keys").fetchone()
        # And several commands at once.
        running = [
            process("gateway", "keys", "issue", "greeter", "--config", config, stdin=subprocess.DEVNULL)
            for _ in range(3)
        ]
        outputs = [one.communicate(timeout=90) for one in running]
        assert [one.returncode for one in running] == [0, 0, 0], outputs
        assert run("gateway", "keys", "revoke", "greeter", first, "--config", config).exit_code == 0
    listed = json.loads(run("gateway", "keys", "list", "greeter", "--config", config, "--json").stdout)
    assert len(listed["keys"]) == 4


@pytest.mark.process
def test_the_commands_work_while_a_gateway_runs_on_the_store(run: Run, config: Path) -> None:
    (config.parent / "jwks.json").write_text('{"keys": []}')
    with running(config.parent, config) as (_, port, _log):
        key_id, secret = issued(run, config)
        agent = json.loads(run("gateway", "agents", "show", "greeter", "--config", config, "--json").stdout)
        assert [one["id"] for one in agent["agent_keys"]] == [key_id]
        assert run("gateway", "keys", "revoke", "greeter", key_id, "--config", config).exit_code == 0
        assert call_gateway(port, "GET", "/healthz")[0] == 200
    assert record(config, secret).revoked_at is not None


def test_a_key_is_changed_and_the_forms_are_those_of_the_api(run: Run, config: Path) -> None:
    key_id, secret = issued(run, config, "--expires", "2d")
    result = run(
        "gateway", "keys", "update", "greeter", key_id, "--config", config, "--json",
        "--name", "crm", "--requests", 7, "--expires", "2099-01-01T00:00:00Z", "--pause",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    value = json.loads(result.stdout)
    assert (value["name"], value["quota"]) == ("crm", {"requests": 7, "seconds": 60})
    assert value["expires_at"] == "2099-01-01T00:00:00Z"
    assert value["paused_at"].endswith("Z")
    assert "paused" in run("gateway", "keys", "list", "greeter", "--config", config).stdout
    run(
        "gateway",
        "keys",
        "update",
        "greeter",
        key_id,
        "--config",
        config,
        "--resume",
        "--no-expiry",
        "--default-limit",
    )
    kept = record(config, secret)
    assert (kept.paused_at, kept.expires_at, kept.quota, kept.name) == (None, None, None, "crm")


def test_a_rotation_with_an_overlap_keeps_the_old_secret_for_a_while(run: Run, config: Path) -> None:
    key_id, old = issued(run, config)
    result = run(
        "gateway", "keys", "rotate", "greeter", key_id, "--overlap", "1h", "--config", config, "--json"
    )
    assert json.loads(result.stdout)["previous_until"].endswith("Z")
    assert record(config, old).id == key_id


@pytest.mark.parametrize(
    ("options", "why"),
    [((), "nothing to change"), (("--requests", "1", "--default-limit"), "contradict"),
     (("--expires", "1d", "--no-expiry"), "contradict")],
)  # fmt: skip
def test_an_update_without_or_with_conflicting_options_is_refused(
    run: Run, config: Path, options: tuple[str, ...], why: str
) -> None:
    result = run("gateway", "keys", "update", "greeter", "key_x", "--config", config, *options)
    assert (result.exit_code, why in result.stderr) == (2, True)


def test_an_owner_is_added_gets_a_token_and_is_removed(run: Run, config: Path) -> None:
    def owner(*command: object) -> Any:
        result = run("gateway", "owner", *command, "--config", config)
        assert result.exit_code == 0, result.stderr
        return result

    assert json.loads(owner("add", "acme", "--name", "Acme Ltd", "--json").stdout)["name"] == "Acme Ltd"
    secret = owner("token", "acme", "--expires", "30d", "--name", "laptop").stdout.strip()
    assert TOKEN_FORM.fullmatch(secret)
    listed = owner("tokens", "acme", "--json")
    assert secret not in listed.stdout
    token = json.loads(listed.stdout)["tokens"][0]
    assert (token["name"], token["prefix"], token["revoked_at"]) == ("laptop", secret[:8], None)
    assert "laptop" in owner("tokens", "acme").stdout
    owner("revoke", "acme", token["id"])
    assert "revoked" in owner("tokens", "acme").stdout
    names = [(one["id"], one["added"]) for one in json.loads(owner("list", "--json").stdout)["owners"]]
    assert names == [("ada", False), ("acme", True)]
    assert "Acme Ltd" in owner("list").stdout
    owner("remove", "acme")
    assert "acme" not in owner("list").stdout


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("add", "-"), "begin with a letter or digit"), (("add", "ada"), "choose another id"),
        (("remove", "nobody"), "unknown owner"), (("remove", "ada"), "configuration file"),
        (("token", "nobody"), "unknown owner"), (("tokens", "nobody"), "unknown owner"),
        (("revoke", "ada", "tok_x"), "no such token"), (("token", "ada", "--expires", "1y"), "--expires"),
    ],
)  # fmt: skip
def test_a_failing_owner_command_prints_one_line(
    run: Run, config: Path, command: tuple[str, ...], why: str
) -> None:
    result = run("gateway", "owner", *command, "--config", config)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert why in result.stderr


@pytest.mark.parametrize(
    ("more", "restart"),
    [({}, True), ({"admin_token": "a" * 20}, False), ({"owners": {"ada": {"name": "A"}}}, False)],
)
def test_the_first_owner_of_a_gateway_that_stores_no_tasks_needs_a_restart(
    run: Run, config: Path, more: dict[str, Any], *, restart: bool
) -> None:
    config.write_text(json.dumps({"agents": {"open": {"card": GREETER}}, **more}))
    result = run("gateway", "owner", "add", "acme", "--config", config)
    assert ("restart" in result.stderr) == restart
    assert "restart" not in run("gateway", "owner", "add", "second", "--config", config).stderr


def test_an_agent_is_paused_and_resumed(run: Run, config: Path) -> None:
    def shown() -> Any:
        return json.loads(run("gateway", "agents", "show", "greeter", "--config", config, "--json").stdout)

    assert run("gateway", "agents", "pause", "greeter", "--config", config).exit_code == 0
    assert shown()["paused_at"].endswith("Z")
    assert run("gateway", "agents", "resume", "greeter", "--config", config).exit_code == 0
    assert shown()["paused_at"] is None
    assert run("gateway", "agents", "pause", "nobody", "--config", config).exit_code == 2
