"""check-jsonschema with the schemas of this kit. CARDWRIGHT_SCHEMAS names another folder of schemas."""

from __future__ import annotations

import json
import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from adapter import Unsupported, answer_lines
from check_jsonschema import main

SCHEMAS = Path(os.environ.get("CARDWRIGHT_SCHEMAS") or Path(__file__).parents[1] / "schemas")


def validate(given: dict[str, Any]) -> dict[str, Any]:
    schema = SCHEMAS / f"{given['dialect']}.schema.json"
    if not schema.exists():
        raise Unsupported(f"there is no schema of {given['dialect']}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "card.json")
        file.write_text(json.dumps(given["document"]), encoding="utf-8")
        status = main(["--schemafile", str(schema), str(file)], standalone_mode=False)
    return {"valid": not status}


if __name__ == "__main__":
    answer_lines("check-jsonschema", version("check-jsonschema"), {"validate": validate})
