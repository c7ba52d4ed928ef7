"""`spec-drift --write`: the edits of the project's schema whose meaning is plain."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.drift.__main__ import main
from codegen.lint import problems_of
from codegen.sources import PLACEHOLDER, read_available
from tests.codegen.test_drift import PROTO, Run, run, schemas

__all__ = ["run", "schemas"]

ADDED = """  // Region of the harbour,
  // as on charts.
  string harbour_region = 90;
  optional bool floating = 91; // Whether it floats.
  /* Flags that
   * it flies. */
  repeated string flags = 92;
  map<string, double> depths = 93;
"""


def card_of(schemas: Path) -> Any:
    return json.loads((schemas / "a2a" / "1.0" / "agent-card.schema.json").read_text())


def with_fields(lines: str) -> str:
    start = PROTO.index("{", PROTO.index("message AgentCard")) + 2
    return PROTO[:start] + lines + PROTO[start:]


def test_new_fields_are_written_with_their_type_presence_and_section(run: Run, schemas: Path) -> None:
    before = card_of(schemas)
    status, out, _ = run("harbour.proto", with_fields(ADDED), "--write")

    after = card_of(schemas)
    added = {
        name: after["properties"][name] for name in after["properties"] if name not in before["properties"]
    }
    assert {
        name: {k: v for k, v in one.items() if not k.startswith(("x-", "desc"))}
        for name, one in added.items()
    } == {
        "harbourRegion": {"type": "string"},
        "floating": {"type": "boolean", "default": False},
        "flags": {"type": "array", "items": {"type": "string"}},
        "depths": {"type": "object", "additionalProperties": {"type": "number"}},
    }
    assert added["floating"]["x-presence"] == "optional"
    assert {name: one["description"] for name, one in added.items()} == {
        "harbourRegion": "Region of the harbour, as on charts.",
        "floating": "Whether it floats.",
        "flags": "Flags that it flies.",
        "depths": PLACEHOLDER,
    }
    assert status == 1
    assert "AgentCard.harbourRegion: field added" in out
    assert "upstream_sha256" in out
    assert run("harbour.proto", with_fields(ADDED))[0] == 0
    # The generator refuses the placeholder until somebody writes a description.
    refused = {
        one.pointer for one in problems_of(read_available(schemas)) if "spec-drift wrote" in one.message
    }
    assert refused == {"/properties/depths/description"}


def test_nothing_is_written_without_the_option_or_without_drift(run: Run, schemas: Path) -> None:
    file = schemas / "a2a" / "1.0" / "agent-card.schema.json"
    before = file.read_bytes()

    assert run("harbour.proto", with_fields(ADDED))[0] == 1
    status, out, _ = run("harbour.proto", PROTO, "--write")

    assert (status, file.read_bytes()) == (0, before)
    assert "written" not in out


def test_a_field_of_a_new_type_gets_a_definition(run: Run, schemas: Path) -> None:
    proto = (
        with_fields("  Quay quay = 90;\n")
        + """
// A place to moor.
message Quay {
  // Its name.
  string name = 1 [(google.api.field_behavior) = REQUIRED];
  repeated Quay beside = 2;
  oneof depth { string chart = 3; double metres = 4; }
}
"""
    )
    assert run("harbour.proto", proto, "--write")[0] == 1

    after = card_of(schemas)
    quay = after["$defs"]["Quay"]
    assert after["properties"]["quay"]["$ref"] == "#/$defs/Quay"
    assert (quay["description"], quay["required"]) == ("A place to moor.", ["name"])
    assert quay["properties"]["name"]["description"] == "Its name."
    assert quay["properties"]["beside"]["items"] == {"$ref": "#/$defs/Quay"}
    assert quay["oneOf"] == [{"required": ["chart"]}, {"required": ["metres"]}]
    assert run("harbour.proto", proto)[0] == 0


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "edit"),
    [
        (lambda card: card["required"].remove("name"), "AgentCard.name: no longer required"),
        (lambda card: card["properties"]["name"].update(default="a"), 'AgentCard.name: default "a"'),
        (lambda card: card["properties"]["name"].update(deprecated=True), "AgentCard.name: deprecated"),
    ],
)
def test_a_changed_field_is_changed_here(
    change: Change, edit: str, tmp_path: Path, schemas: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = schemas / "a2a" / "0.3" / "agent-card.schema.json"
    upstream = json.loads(own.read_text())
    change(upstream)
    spec = tmp_path / "a2a-0.3.0.json"
    spec.write_text(
        json.dumps({"definitions": {"AgentCard": upstream, **upstream.get("$defs", {})}}).replace(
            "$defs", "definitions"
        )
    )

    assert main([str(spec), "--write"], schemas) == 1
    assert edit in capsys.readouterr().out
    assert main([str(spec)], schemas) == 0
