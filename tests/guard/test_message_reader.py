"""Messages of peers are read as they were meant, before an SDK parses them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import orjson
import pytest
from a2a.compat.v0_3 import a2a_v0_3_pb2

from cardwright.canonical import decode
from cardwright.errors import BadResponse, MalformedDocument
from cardwright.guard.message_limits import A2A_MESSAGES, FORWARDED_MESSAGES
from cardwright.guard.message_reader import normalized
from cardwright.guard.protobuf_values import encode_files
from cardwright.http.representation import integral


def read(value: Any) -> Any:
    return orjson.loads(normalized(orjson.dumps(value), A2A_MESSAGES, "", events=False, newer=True))


@pytest.mark.parametrize("written", ["-_8", "-_8=", "+/8", "+/8=", "-_\r\n8=\n"])
@pytest.mark.parametrize(
    ("wrap", "field"), [({"raw": "", "mediaType": "a/b"}, "raw"), ({"bytes": "", "name": "a"}, "bytes")]
)
def test_files_in_both_alphabets_are_read(wrap: dict[str, str], field: str, written: str) -> None:
    """ProtoJSON parsers take both, padded or not, and in lines; a2a-sdk drops what is not in the standard one."""
    assert read({"parts": [{**wrap, field: written}]}) == {"parts": [{**wrap, field: "+/8="}]}


@pytest.mark.parametrize("file", [b"hello!", b"\x00\xff", b"abc", b""])
def test_a_file_of_0_3_over_http_json_is_read_whether_it_was_encoded_once_or_twice(file: bytes) -> None:
    once, twice = b64encode(file).decode(), b64encode(b64encode(file)).decode()
    for text in (once, twice):
        assert read({"file": {"fileWithBytes": text}}) == {"file": {"fileWithBytes": twice}}


@pytest.mark.parametrize("file", [b"hello!", b"\x00\xff", b"abc", b""])
def test_a_file_of_0_3_over_grpc_is_read_whether_it_is_in_base64_or_not(file: bytes) -> None:
    for written in (file, b64encode(file)):
        part = a2a_v0_3_pb2.Part(file=a2a_v0_3_pb2.FilePart(file_with_bytes=written))
        task = a2a_v0_3_pb2.Task(artifacts=[a2a_v0_3_pb2.Artifact(parts=[part])])
        encode_files(task)
        assert task.artifacts[0].parts[0].file.file_with_bytes == b64encode(file)


def test_what_is_not_base64_is_refused() -> None:
    with pytest.raises(BadResponse, match="a file is not base64"):
        read({"parts": [{"raw": "a!b"}]})


@pytest.mark.parametrize(
    "value",
    [
        {"parts": [{"data": {"raw": "!", "file": {"bytes": "!"}}}]},
        {"metadata": {"bytes": "!"}, "parts": []},
        {"raw": "!", "parts": []},
        {"kind": "task", "status": {"state": "completed", "message": {"role": "agent"}}, "raw": ""},
    ],
)
def test_data_and_results_of_0_3_stay(value: Any) -> None:
    assert read(value) == value


def test_the_names_of_0_3_are_read_in_a_result_of_1_0() -> None:
    task = {"status": {"state": "input-required", "message": {"role": "agent", "parts": []}}}
    status = {"state": "TASK_STATE_INPUT_REQUIRED", "message": {"role": "ROLE_AGENT", "parts": []}}
    assert read({"result": {"task": task}}) == {"result": {"task": {"status": status}}}


@pytest.mark.parametrize(("end", "text"), [(b"\n", b"\\u2028"), (b"\r", b""), (b"\r\n", b"\\u0085")])
def test_the_events_of_a_stream_are_read_one_by_one(end: bytes, text: bytes) -> None:
    """httpx ends a line at U+0085, U+2028 and U+2029, too: they stay escaped, and large integers stay as well."""
    time = b'data: {"task":{"status":{"timestamp":"2026-11-29T10:00:00"}},"a":["%b",%d]}' % (text, 10**30)
    events = end.join((b"id: 1", time, time, b"", b"data: [DONE]", b"", b""))
    in_order = events.replace(b':00"', b':00Z"').replace(b"data: {", b"data:{")
    assert normalized(events, A2A_MESSAGES, "", events=True) == in_order


@pytest.mark.parametrize("number", [2**53 + 1, -(2**63) - 1, 10**30])
def test_integers_of_any_size_are_read_in_messages_alone(number: int) -> None:
    body = b'{"data":{"n":%d},"brackets":"%s"}' % (number, b"[" * 200)
    assert decode(body, FORWARDED_MESSAGES.decoding)["data"] == {"n": number}
    with pytest.raises(MalformedDocument, match="an integer"):
        decode(body)


def test_whole_numbers_are_written_as_integers() -> None:
    """Protobuf has only doubles: 5 would become 5.0."""
    assert integral(b'{"a":[5.0,0.05],"b":"1.0"}') == b'{"a":[5,0.05],"b":"1.0"}'
    assert integral(b"a 1.0 b") == b"a 1.0 b"
    assert integral(b'{"a":9007199254740992.0}') == b'{"a":9007199254740992.0}'
