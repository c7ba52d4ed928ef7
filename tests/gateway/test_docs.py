"""`docs/gateway.md` says all that there is, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cardwright_gateway.a2a.problems import OWN
from cardwright_gateway.webhooks.signatures import secret_of
from tests.gateway.test_routes import ask

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/gateway.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "schemas/settings/gateway.schema.json").read_bytes())


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table that follows a text."""
    table = TEXT.partition(f"\n{heading}\n")[2].partition("|---")[2]
    lines = table.splitlines()[1:]
    found = [line for line in lines[: lines.index("")] if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found]


def test_every_member_of_the_file_is_told_once() -> None:
    assert [row[0].strip("`") for row in rows("## The configuration file")] == list(SCHEMA["properties"])


def test_every_member_of_an_agent_is_told_once() -> None:
    told = [row[0].strip("`") for row in rows("Of an agent:")]
    assert sorted(told) == sorted(SCHEMA["$defs"]["Agent"]["properties"])


def test_members_within_are_told() -> None:
    for name in ("Transport", "Backend", "Queue", "SigningSettings", "ProxySettings"):
        for member in SCHEMA["$defs"][name]["properties"]:
            assert f"`{member}`" in TEXT, (name, member)


def test_the_table_of_errors_is_the_one_of_the_code() -> None:
    told = {(row[0].strip("`"), int(row[1])) for row in rows("## Errors")}
    assert told == {(condition.reason, condition.status) for condition in OWN}


def test_every_number_that_stands_by_default_is_told() -> None:
    told = {row[0].strip("`"): row[1] for row in rows("## The configuration file")}
    for name, schema in SCHEMA["properties"].items():
        if type(default := schema.get("default")) is int and name != "max_body_bytes":
            assert f": {default}" in told[name], name
    assert SCHEMA["properties"]["max_body_bytes"]["default"] == 8 * 2**20
    assert "8 MiB" in told["max_body_bytes"]


def test_the_metrics_that_are_named_are_counted() -> None:
    named = set(re.findall(r"`(cardwright_gateway_\w+)", TEXT))
    counted = set(
        re.findall(r"^# TYPE (cardwright_gateway_\w+)", ask("GET", "/metrics").body.decode(), re.MULTILINE)
    )
    assert named == {name for name in counted if not name.endswith("_created")}


def test_every_link_leads_to_a_file() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / "docs" / target).resolve().exists(), target


def test_the_secret_of_the_examples_receiver_is_one_that_the_gateway_takes() -> None:
    platform = (ROOT / "docs/platform.md").read_text(encoding="utf-8")
    shown = re.search(r'verify_webhook\(body, headers, \["(.+?)"\]\)', platform)
    assert shown is not None
    assert secret_of(shown[1]) is not None
    assert secret_of("the secret") is None
