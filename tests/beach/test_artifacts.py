"""The folder artifact store: atomic writes, integrity, names, errors."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.errors import BadArgument, StoreError
from cardwright_beach.artifacts import Artifact, FolderArtifactStore, artifact_part, safe_filename
from cardwright_beach.errors import BadPart, UnknownArtifact
from cardwright_beach.parts import Part

ROOT = Path(__file__).parents[2]


def put(store: FolderArtifactStore, content: bytes = b"plan", **known: Any) -> Artifact:
    return asyncio.run(store.put(content, **{"media_type": "application/pdf", **known}))


def get(store: FolderArtifactStore, artifact_id: Any) -> bytes:
    return asyncio.run(store.get(artifact_id))


def test_stored_bytes_are_returned_unchanged(tmp_path: Path) -> None:
    store = FolderArtifactStore(tmp_path / "new" / "folder")

    artifact = put(store, b"\x00\xff" * 1_000, filename="berth-plan.pdf")

    assert get(FolderArtifactStore(store.path), artifact.artifact_id) == b"\x00\xff" * 1_000
    assert asyncio.run(store.describe(artifact.artifact_id)) == artifact
    assert (artifact.media_type, artifact.filename, artifact.size, artifact.url) == (
        "application/pdf",
        "berth-plan.pdf",
        2_000,
        None,
    )


def test_storing_the_same_bytes_twice_gives_two_artifacts(tmp_path: Path) -> None:
    store = FolderArtifactStore(tmp_path)

    assert put(store).artifact_id != put(store).artifact_id


def test_artifact_urls_follow_the_base_url(tmp_path: Path) -> None:
    artifact = put(FolderArtifactStore(tmp_path, base_url="https://old.example.com/files/"))
    moved = FolderArtifactStore(tmp_path, base_url="https://new.example.com")

    assert artifact.url == f"https://old.example.com/files/{artifact.artifact_id}"
    assert (
        asyncio.run(moved.describe(artifact.artifact_id)).url
        == f"https://new.example.com/{artifact.artifact_id}"
    )


def test_an_artifact_part_refers_to_the_artifact(tmp_path: Path) -> None:
    artifact = put(FolderArtifactStore(tmp_path), filename="plan.pdf")

    assert artifact_part(artifact).data == {
        "artifactId": artifact.artifact_id,
        "mediaType": "application/pdf",
        "size": 4,
        "filename": "plan.pdf",
    }


@pytest.mark.parametrize("url", ["ftp://a.example", "files", "https://", "https://a.example/?x=1"])
def test_an_invalid_base_url_is_refused(url: str) -> None:
    with pytest.raises(BadArgument, match="base_url"):
        FolderArtifactStore("x", base_url=url)


@pytest.mark.parametrize(
    "artifact_id",
    ["../secret", "/etc/passwd", "", ".", "a" * 32 + "\n", "A" * 32, "a" * 31, f"{'a' * 32}.json", None, 7],
)
def test_an_invalid_id_never_becomes_a_path(tmp_path: Path, artifact_id: Any) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "in").mkdir()

    with pytest.raises(UnknownArtifact):
        get(FolderArtifactStore(tmp_path / "in"), artifact_id)


def test_an_id_without_an_artifact_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(UnknownArtifact, match="a" * 32):
        asyncio.run(FolderArtifactStore(tmp_path / "none").describe("a" * 32))


@pytest.mark.parametrize(
    ("content", "known", "argument"),
    [
        (b"12345", {}, "content"),
        ("text", {}, "content"),
        (b"", {"media_type": "pdf"}, "media_type"),
        (b"", {"media_type": "text/html\r\nX: y"}, "media_type"),
    ],
)
def test_invalid_content_is_refused_before_writing(
    tmp_path: Path, content: Any, known: Any, argument: str
) -> None:
    with pytest.raises(BadArgument) as caught:
        put(FolderArtifactStore(tmp_path, max_bytes=4), content, **known)

    assert caught.value.argument == argument
    assert list(tmp_path.iterdir()) == []


def test_changed_bytes_are_not_returned(tmp_path: Path) -> None:
    store = FolderArtifactStore(tmp_path)
    for changed in (b"plum", b"pla", b"plan!"):
        artifact = put(store)
        (tmp_path / artifact.artifact_id).write_bytes(changed)

        with pytest.raises(StoreError, match="has changed since it was stored") as caught:
            get(store, artifact.artifact_id)
        assert caught.value.cause == "corrupt"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"artifactId": 1}'])
def test_broken_metadata_is_reported(tmp_path: Path, body: bytes) -> None:
    artifact = put(FolderArtifactStore(tmp_path))
    (tmp_path / f"{artifact.artifact_id}.json").write_bytes(body)

    with pytest.raises(StoreError, match="has changed since it was stored"):
        get(FolderArtifactStore(tmp_path), artifact.artifact_id)


@pytest.mark.parametrize("suffix", ["", ".json"])
def test_links_are_not_followed(tmp_path: Path, suffix: str) -> None:
    store = FolderArtifactStore(tmp_path / "in")
    artifact = put(store)
    file = tmp_path / "in" / f"{artifact.artifact_id}{suffix}"
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreError):
        get(store, artifact.artifact_id)


def test_reading_does_not_block_on_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ("a" * 32 + ".json"))

    with pytest.raises(StoreError):
        get(FolderArtifactStore(tmp_path), "a" * 32)


@pytest.mark.parametrize(
    ("number", "cause"), [(errno.ENOSPC, "full"), (errno.EROFS, "read-only"), (errno.EIO, "other")]
)
def test_an_unwritable_folder_is_reported_and_stays_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, cause: str
) -> None:
    def fails(_descriptor: int) -> None:
        raise OSError(number, os.strerror(number), "/machine/path")

    monkeypatch.setattr(os, "fsync", fails)

    with pytest.raises(StoreError, match="cannot be written") as caught:
        put(FolderArtifactStore(tmp_path))

    assert caught.value.cause == cause
    assert "/machine/path" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_bytes_without_metadata(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [None]

    def fails(_descriptor: int) -> None:
        if not left:
            raise OSError(errno.ENOSPC, "full")
        left.pop()

    monkeypatch.setattr(os, "fsync", fails)

    with pytest.raises(StoreError):
        put(FolderArtifactStore(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(StoreError, match="cannot be written"):
        put(FolderArtifactStore(tmp_path / "file"))


WRITER = textwrap.dedent(
    """
    import asyncio, sys
    from cardwright_beach.artifacts import FolderArtifactStore
    store = FolderArtifactStore(sys.argv[1])
    print("ready", flush=True)
    while True:
        asyncio.run(store.put(sys.argv[2].encode() * 200_000, media_type="text/plain"))
    """
)


@pytest.mark.process
def test_killed_writers_leave_only_complete_artifacts(tmp_path: Path) -> None:
    path = os.pathsep.join(str(ROOT / part) for part in ("", "src", "generated"))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), letter],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        for letter in "ab"
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
    while len(list(tmp_path.glob("*.json"))) < 10:
        assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        writer.communicate()

    store = FolderArtifactStore(tmp_path)
    descriptions = [
        orjson.loads(file.read_bytes()) for file in tmp_path.glob("*.json") if file.name[0] != "."
    ]
    assert len(descriptions) >= 10
    for known in descriptions:
        assert get(store, known["artifactId"]) in (b"a" * 200_000, b"b" * 200_000)


@given(st.text())
def test_a_file_name_is_not_a_path_and_not_too_long(name: str) -> None:
    safe = safe_filename(name)

    if safe is not None:
        assert safe.isprintable()
        assert len(safe.encode()) <= 255
        assert not set(safe) & {"/", "\\"}
        assert safe.strip(". ")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "passwd"), ("C:\\plans\\berth.pdf", "berth.pdf"), ("plan\u202efdp.exe", "planfdp.exe"),
        ("a\r\nb\x00.txt", "ab.txt"), ("..", None), ("/", None), ("", None), ("ä" * 300 + ".pdf", "ä" * 125 + ".pdf"),
        ("x" * 300, "x" * 255),
    ],
)  # fmt: skip
def test_a_file_name_keeps_its_visible_characters_and_suffix(name: str, safe: str | None) -> None:
    assert safe_filename(name) == safe


PLAIN_NAMES = ["berth-plan.pdf", "plan é 中.pdf", "..plan", "a b.tar.gz"]
NO_NAMES = [
    "../berth-plan.pdf", "/etc/passwd", "plans\\n4.pdf", "plan\n.pdf", "plan\x1b[2J", "plan\x7f", "plan\x85",
]  # fmt: skip


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_a_part_may_have_any_file_name_that_is_not_a_path(name: str) -> None:
    artifact = Artifact("n4", "application/pdf", name, 1)

    assert artifact_part(artifact).data["filename"] == name
    assert Part.of({"raw": "", "filename": name, "metadata": {"partType": "artifact"}}).document


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_path_or_control_character_in_a_file_name_is_refused(name: str) -> None:
    for refused, pointer in (
        ({"partType": "artifact", "data": {"artifactId": "n4", "filename": name}}, "/data/filename"),
        ({"raw": "", "filename": name, "metadata": {"partType": "artifact"}}, "/filename"),
        (
            {"url": "https://a.example/n4", "filename": name, "metadata": {"partType": "artifact"}},
            "/filename",
        ),
    ):
        with pytest.raises(BadPart, match="does not match the pattern") as caught:
            Part.of(refused)

        assert {(one.rule, one.pointer) for one in caught.value.violations} == {("envelope/pattern", pointer)}
        assert str(caught.value).isprintable()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_every_stored_file_name_is_valid_in_a_part(name: str) -> None:
    artifact_part(Artifact("n4", "application/pdf", safe_filename(name), 1))


NO_PLACES = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "//a.example/n4",
    "data:text/html,x",
    " https://a.example",
]


@pytest.mark.parametrize("url", NO_PLACES)
def test_an_artifact_or_source_url_must_be_http(url: str) -> None:
    source = {"path": "", "source": {"url": url}}
    for refused, pointer in (
        ({"partType": "artifact", "data": {"artifactId": "n4", "url": url}}, "/data/url"),
        ({"partType": "citation", "data": source}, "/data/source/url"),
    ):
        with pytest.raises(BadPart) as caught:
            Part.of(refused)

        assert ("envelope/pattern", pointer) in {(one.rule, one.pointer) for one in caught.value.violations}


def test_the_url_of_a_part_may_have_another_scheme() -> None:
    assert Part.of({"url": "s3://plans/n4", "metadata": {"partType": "artifact"}}).url == "s3://plans/n4"
