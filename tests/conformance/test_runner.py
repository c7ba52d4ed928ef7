"""`cardwright conformance`: programs with correct, wrong, late or no responses."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from cardwright.conformance import Case
from cardwright.conformance.comparison import answer_fault, same

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

CASES = [
    ("validate/a/valid", "validate", {"dialect": "a2a-1.0", "document": {"name": "A"}}, {"valid": True, "violations": []}),
    ("validate/a/invalid", "validate", {"dialect": "a2a-1.0", "document": {}}, {"valid": False, "violations": [{"rule": "schema/required", "pointer": "/name"}]}),
    ("detect/a/known", "detect", {"document": {}}, {"dialect": None}),
]  # fmt: skip
PROGRAM = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["operation"] == "start":
        answer = {"protocol": 1, "name": "sample", "version": "1", "operations": ["validate"]}
    else:
        document = message["input"]["document"]
        answer = {"id": message["id"]}
        BODY
    print(json.dumps(answer), flush=True)
"""
RIGHT = 'answer["result"] = {"valid": "name" in document}'
WRONG = 'answer["result"] = {"valid": True}'


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    folder = tmp_path / "kit"
    (folder / "cases").mkdir(parents=True)
    (folder / "kit.json").write_text('{"version": "7"}')
    common = {"description": "A case.", "requirements": ["R-1"], "spec": ["A2A 1.0 §4"], "level": "MUST"}
    cases = [{"id": i, "operation": o, "input": g, "expect": e, **common} for i, o, g, e in CASES]
    (folder / "cases" / "all.json").write_text(json.dumps({"cases": cases}))
    return folder


def ran(kit: Path, body: str, *options: str) -> subprocess.CompletedProcess[str]:
    program = kit / "program.py"
    program.write_text(PROGRAM.replace("BODY", body))
    command = [sys.executable, "-m", "cardwright", "conformance", "--kit", str(kit), "--jobs", "2", *options]
    return subprocess.run(
        [*command, "--", sys.executable, str(program)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def report(kit: Path, body: str, *options: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(ran(kit, body, "--format", "json", *options).stdout)
    return made


def outcomes(made: dict[str, Any]) -> dict[str, str]:
    return {one["id"]: one["outcome"] for one in made["results"]}


def test_a_correct_program_passes_and_its_missing_operations_are_unsupported(kit: Path) -> None:
    done = ran(kit, RIGHT)

    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "sample 1: 2 of 3 cases passed, 1 unsupported"


def test_a_wrong_answer_is_named_with_the_section_that_decides_it(kit: Path) -> None:
    done = ran(kit, WRONG)

    assert done.returncode == 1
    assert "✗ validate/a/invalid: valid is true instead of false" in done.stdout
    assert "MUST: A case. (A2A 1.0 §4)" in done.stdout


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("raise OSError('broken')", "ended with status 1: OSError: broken"),
        ("time.sleep(30)", "no answer in 1 s"),
        ("answer = [1]", "wrote a line that is not a JSON object: [1]"),
        ("answer = {'id': 'other', 'result': {}}", "answered other to validate/a/valid"),
        ("answer['error'] = 'it broke'", "it broke"),
        ("pass", "the answer has neither result, unsupported nor error"),
        ("answer['result'] = {}", "the answer has no valid"),
        ("answer['result'] = {'valid': True, 'violations': 7}", "the answer has not the form"),
        ("print('x' * 17_000_000)", "closed its output, or wrote too long a line"),
    ],
)
def test_a_program_that_times_out_fails_one_case_and_continues(kit: Path, body: str, reason: str) -> None:
    made = report(
        kit,
        f"{RIGHT}\n        if document:\n            del answer['result']\n            {body}",
        "--timeout",
        "1",
    )

    by_id = {one["id"]: one for one in made["results"]}
    assert by_id["validate/a/valid"]["outcome"] in ("error", "failed")
    assert reason in by_id["validate/a/valid"]["reason"]
    assert by_id["validate/a/invalid"]["outcome"] == "passed"


def test_the_list_of_expected_failures_must_be_exact(kit: Path, tmp_path: Path) -> None:
    listed = tmp_path / "expected.txt"

    assert ran(kit, WRONG, "--write-expected", str(listed)).returncode == 1
    assert listed.read_text() == "validate/a/invalid  # valid is true instead of false\n"
    assert ran(kit, WRONG, "--expected", str(listed)).returncode == 0
    passing = ran(kit, RIGHT, "--expected", str(listed))
    assert passing.returncode == 1
    assert "✓ validate/a/invalid: passes now; take it off the list of expected failures" in passing.stdout
    listed.write_text("validate/none")
    unknown = ran(kit, WRONG, "--expected", str(listed))
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "validate/none: the kit 7 has no such case" in unknown.stderr


def test_the_other_reports_say_the_same(kit: Path) -> None:
    suite = ET.fromstring(ran(kit, WRONG, "--format", "junit").stdout)  # noqa: S314 - our own report
    page = ran(kit, WRONG, "--format", "html").stdout

    assert [(suite.get(name)) for name in ("tests", "failures", "skipped")] == ["3", "1", "1"]
    assert "<title>Conformance of sample 1</title>" in page
    assert "validate/a/invalid" in page


@pytest.mark.parametrize(
    ("options", "count"),
    [(("--operation", "detect"), 1), (("--case", "validate/*"), 2), (("--level", "MUST"), 3)],
)
def test_cases_are_selected(kit: Path, options: tuple[str, ...], count: int) -> None:
    assert len(report(kit, RIGHT, *options)["results"]) == count


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--operation", "x"), "unknown operation 'x'; known operations: decode, "),
        (("--level", "x"), "unknown level 'x'; known levels: MUST, SHOULD, project"),
        (("--case", "x"), "no case of the kit is selected"),
    ],
)
def test_an_invalid_selection_is_reported(kit: Path, options: tuple[str, ...], message: str) -> None:
    done = ran(kit, RIGHT, *options)

    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("cat",), 'its answer to start must have "protocol": 1'),
        (("true",), "the program cannot be used: ended with status 0"),
        (("no-such-program",), "no-such-program: cannot be started"),
    ],
)
def test_an_unusable_program_is_reported_with_the_reason(
    kit: Path, command: tuple[str, ...], message: str
) -> None:
    line = [sys.executable, "-m", "cardwright", "conformance", "--kit", str(kit), "--", *command]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def case(operation: str, expect: dict[str, Any]) -> Case:
    return Case(f"{operation}/x", operation, "A case.", ("R-1",), ("A2A 1.0 §4",), "MUST", {}, expect)


@pytest.mark.parametrize(
    ("operation", "expect", "answer", "fault"),
    [
        ("validate", {"valid": True, "violations": [{"rule": "a/b", "pointer": "/x"}]}, {"valid": True}, ""),
        ("validate", {"valid": True, "violations": [{"rule": "a/b", "pointer": "/x"}]}, {"valid": True, "violations": [{"pointer": "/x"}]}, ""),
        ("validate", {"valid": True, "violations": []}, {"valid": True, "violations": [{"pointer": "/x"}]}, "reported: /x"),
        ("validate", {"valid": True, "violations": [{"rule": "a/b", "pointer": "/x"}]}, {"valid": True, "violations": [{"rule": "a/c", "pointer": "/x"}]}, "not reported: a/b at /x; reported: a/c at /x"),
        ("convert", {"values": {"/a/0": 1}}, {"document": {"a": [1.0]}}, ""),
        ("convert", {"values": {"/a/0": 1}}, {"document": {"a": [True]}}, "/a/0: true instead of 1"),
        ("convert", {"values": {"/a": 1}}, {"document": {}}, "/a: nothing instead of 1"),
        ("convert", {"absent": ["/a"]}, {"document": {"a": 1}}, "/a: 1, which must not be there"),
        ("convert", {"present": ["/a"]}, {"document": {}}, "/a: is missing"),
        ("convert", {"lost": ["/a"]}, {"document": {}}, ""),
        ("convert", {"lost": ["/a"]}, {"document": {}, "lost": ["/a/b"]}, ""),
        ("convert", {"lost": ["/a"]}, {"document": {}, "lost": ["/ab"]}, "the loss of /a is not reported"),
        ("diff", {"bump": "major", "kinds": ["b", "a"]}, {"bump": "major", "kinds": ["a", "b"]}, ""),
        ("diff", {"bump": "major"}, {"bump": "minor"}, 'bump is "minor" instead of "major"'),
        ("canonical", {"cause": "no-form"}, {"bytes": None}, ""),
        ("canonical", {"bytes": "{}"}, {"bytes": "{ }"}, 'bytes is "{ }" instead of "{}"'),
        ("verify", {"refused": "duplicate"}, {"verified": False}, ""),
        ("verify", {"verified": True, "signatures": [{"verified": True, "profile": "spec"}]}, {"verified": True, "signatures": [{"verified": True, "profile": "sdk"}]}, 'signature 0: profile is "sdk" instead of "spec"'),
        ("sign", {"payload": "{}", "alg": "ES256", "kid": "k", "key": {}}, {"signature": {"protected": "e30", "signature": "AA"}}, "the protected header has no algorithm (alg)"),
    ],
)  # fmt: skip
def test_a_response_is_compared_with_the_expectation_of_its_case(
    operation: str, expect: dict[str, Any], answer: dict[str, Any], fault: str
) -> None:
    assert answer_fault(case(operation, expect), answer) == fault


def test_numbers_compare_by_value_and_booleans_are_no_numbers() -> None:
    assert same({"a": [1]}, {"a": [1.0]})
    assert not same([1], [True])
    assert not same([1], [1, 1])


SERVER = """
import json, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        has = self.headers.get("If-None-Match") == '"tag"'
        body = b"" if has and STATUS == 200 else json.dumps(CARD).encode()
        self.send_response(304 if has and STATUS == 200 else STATUS)
        self.send_header("Content-Type", TYPE)
        self.send_header("ETag", '"tag"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
for line in sys.stdin:
    message = json.loads(line)
    if message["operation"] == "start":
        answer = {"protocol": 1, "name": "server", "version": "1", "operations": ["serve"]}
    else:
        answer = {"id": message["id"], "result": {"url": URL}}
    print(json.dumps(answer), flush=True)
"""
CARD = {"name": "A", "skills": [{"id": "a"}]}
GOOD = {"STATUS": "200", "TYPE": "'application/json'", "CARD": repr(CARD), "URL": "f'http://127.0.0.1:{server.server_port}'"}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, ""),
        ({"CARD": repr({**CARD, "skills": [{"id": "a", "tags": []}], "more": 1})}, ""),
        ({"CARD": repr({**CARD, "skills": []})}, "GET /card: the content has not the card's skills"),
        ({"CARD": repr({"skills": [{"id": "a"}]})}, "GET /card: the content has not the card's name"),
        ({"CARD": "[]"}, "GET /card: the content is not a JSON object"),
        ({"STATUS": "500"}, "GET /card: status 500 instead of 200"),
        (
            {"TYPE": "'text/html'"},
            "GET /card: content-type is 'text/html', which does not match ^application/json",
        ),
        ({"URL": "'http://192.0.2.1:80'"}, "the answer has no url of a server on a loopback address"),
        ({"URL": "'http://localhost:80'"}, "the answer has no url of a server on a loopback address"),
        ({"URL": "7"}, "the answer has no url of a server on a loopback address"),
        ({"URL": "'http://127.0.0.1:1'"}, "GET /card: no response: "),
    ],
)
def test_a_server_is_held_to_the_exchanges_of_its_case(
    kit: Path, changed: dict[str, str], reason: str
) -> None:
    exchanges: list[dict[str, Any]] = [
        {
            "request": {"method": "GET", "path": "/card"},
            "expect": {
                "status": [200],
                "headers": {"content-type": {"matches": "^application/json"}},
                "body": "card",
            },
        },
        {
            "request": {
                "method": "GET",
                "path": "/card",
                "send": {"If-None-Match": {"exchange": 0, "header": "etag"}},
            },
            "expect": {
                "status": [304],
                "headers": {"etag": {"equals": {"exchange": 0, "header": "etag"}}},
                "body": "empty",
            },
        },
    ]
    served: dict[str, Any] = {"id": "serve/a", "operation": "serve", "description": "A case.", "requirements": ["R-1"], "spec": ["A2A"], "level": "MUST"}  # fmt: skip
    served |= {"input": {"dialect": "a2a-1.0", "document": CARD}, "expect": {"exchanges": exchanges}}
    (kit / "cases" / "all.json").write_text(json.dumps({"cases": [served]}))
    code = SERVER
    for name, value in {**GOOD, **changed}.items():
        code = code.replace(name, value)
    (kit / "server.py").write_text(code)
    command = [sys.executable, "-m", "cardwright", "conformance", "--kit", str(kit), "--format", "json", "--"]
    done = subprocess.run(
        [*command, sys.executable, str(kit / "server.py")], capture_output=True, check=False, timeout=60
    )
    (result,) = json.loads(done.stdout)["results"]

    assert (result["outcome"], result["reason"][: len(reason)]) == ("failed" if reason else "passed", reason)
    assert reason or result["reason"] == ""
