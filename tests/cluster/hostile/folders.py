"""Random hostile folders: names, links, contents and settings files."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

EXAMPLES: Final = Path(__file__).parents[3] / "examples"
# In every file outside of the folder, and so in no output.
CANARY: Final = "canary-of-another-file"
_CARDS: Final = tuple(file.read_bytes() for file in sorted(EXAMPLES.glob("*.card.json")))
# Where commands write, and what their options name: the shell's <(…) is a pipe, and so they wait for it.
_NAMED: Final = (b"cards.sarif", b"out", b"gl-code-quality-report.json", b"gateway.yml", b"keys.json")
_NAMES: Final = (
    b"a.card.json", b"agent-card.json", b"sub/b.card.json", b"sub/deep/c.card.json", b".well-known/agent.json",
    b"--output=stolen.card.json", b"-", b"--", b"-.card.json", b"new\nline.card.json", b"\x1b[2J\x1b]0;x\x07.card.json",
    b"\xe2\x80\xaenosj.card.json", b"\xff\xfe.card.json", b"\xed\xa0\x80.card.json", b"\xc2\x9b31m.card.json",
    b"...card.json", b"..%2f.card.json", b"[a-", b"*.card.json", b"~.card.json", b" .card.json",
    b"http:", b"::error file=x::y.card.json", b"%0a.card.json", b"$(id).card.json", b".git/info/exclude",
    b"stolen.card.json", *_NAMED,
)  # fmt: skip
SETTINGS: Final = (
    "pyproject.toml", "cardwright.toml", ".gitignore", "gateway.yml", "agents.yml", "keys.json", "sub/.gitignore",
)  # fmt: skip
_LINKS: Final = (
    "/dev/zero", "/etc/passwd", "../outside", "../outside/canary.card.json", "../outside/canary.txt", "missing", ".", "..",
    "../outside/missing.card.json", "self.card.json", "a.card.json", "x" * 3_000,
)  # fmt: skip
_TEXTS: Final = (
    "\x1b[2J", "\x9b31m", "\u202e", "a\nb", "\r\n::error::x", "\x00", "\ud800", "a" * 70_000, "\x07", "~~~", "../../x", "[/red]",
    "\u2028", "<script>", "{{7*7}}", "file:///etc/passwd", "|\n|", "]]>", "\ufeff",
)  # fmt: skip
_NUMBERS: Final[tuple[Any, ...]] = (0, -1, 2**63, 10**400, 1.5, 1e308, None, True, [], {}, "")
_SOUND: Final[tuple[Any, ...]] = (
    {"agents": {"a": {"url": "http://127.0.0.1:9", "visibility": "private"}}, "limits": {"requests": 5}, "store": "a.db"},
    {"agents": {"a": {"card": {"name": "x"}, "backend": {"queue": {"token": "t" * 20}}, "owner": "b"}}, "owners": {"b": {}}},
    {"agents": [{"id": "a", "url": "http://127.0.0.1:9"}], "base_url": "http://x", "grpc": {"port": 1}, "jwt": [{"jwks": "a"}]},
    {"tool": {"cardwright": {"strict": True, "exclude": ["x"], "ignore": ["url"], "per-file-ignores": {"*": ["url"]}}}},
    {"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "a"}]},
)  # fmt: skip
# Settings that cost much for their size or are of another encoding or kind, by the end of the name.
_RAW: Final = {
    "yml": (
        b"[" * 50_000, b"a: " + b"{a: " * 50_000, b"- " * 50_000 + b"a", b"a: " + b"[" * 900 + b"]" * 900, b"? " * 20_000,
        b"a: &a [x, x, x, x, x, x, x, x]\n" + b"".join(b"%c: &%c [%b]\n" % (n, n, b"*%c, " % (n - 1) * 4) for n in range(98, 118)),
        b"".join(b"- &a%d x\n" % n for n in range(20_000)), b"a: &a\n  b: *a\n", b"a: " + b"9" * 300_000, b"a: 1e999999999",
        b"a: 0x" + b"f" * 300_000, b"a: " + b"1:" * 50_000 + b"1", b"a: 2001-99-99", b"a: !!binary ////", b"!<x> a", b"<<: *a",
        b"a: !!python/object/apply:os.system [id]", b"%YAML 9.9\n---\na: 1", b"---\n" * 20_000, b"<<: [{a: 1}]\na: 2", b"\t- a:\t",
        b"a: 1\n" * 20_000, b"a: '" + b"x" * 900_000, b"a: |\n " + b"x\n " * 100_000, b"\xe2\x80\xae: 1", b"a: \x1b[2J",
    ),
    "toml": (
        b"a." * 30_000 + b"a = 1", b"[" + b"a." * 30_000 + b"a]", b"x = " + b"[" * 20_000, b'x = {"a" . ' + b'"a" . ' * 20_000,
        b"a = " + b"9" * 300_000, b"a = 2001-99-99T99:99:99Z", b"a = 1\n" * 2, b'"""' * 9, b"a = '''", b"exclude = ['[z-a]']",
        b"[tool.cardwright]\nexclude = ['" + b"*a" * 20 + b"b']\n", b"[tool]\ncardwright = '\\u001b[2J'\n", b"a = nan", b"[a]\n" * 2,
        b"[tool.cardwright.per-file-ignores]\n'" + b"*a" * 9 + b"' = ['url']\n", b"exclude = ['" + b"*a" * 20 + b"b']\n",
    ),
    "gitignore": (
        b"*a" * 20 + b"b\n", b"**/a/" * 400 + b"\n", b"!*\n" * 5_000, b"[" + b"a-z" * 9_000 + b"]\n", b"\\\n", b"/" * 9_000,
        b"[z-a]", b"[[:x:]]\n[!]\n[]a\n[", b"*\n!*.json\n", b"a" * 900_000,
    ),
}  # fmt: skip
_ANY: Final = (
    b"a\x00b", b"\xff\xfe\xfd", b" " * 2_000_000, b"a" * 900_000, b"#" * 1_100_000, b"", b"\xc2\x9b31m: 1", b"[" * 50_000,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A path of a folder.

    Attributes:
        name: The path, in bytes.
        kind: What it is: `file`, `link`, `pipe`, `socket`, `folder` or `unreadable`.
        content: The content of a file, or the target of a link.
    """

    name: bytes
    kind: str
    content: bytes = b""

    def place(self, folder: Path) -> None:
        """Create it; a path that cannot be created, or exists, is left out."""
        path = os.path.join(os.fsencode(folder), self.name)  # noqa: PTH118 - bytes
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - bytes
            if self.kind == "link":
                os.symlink(self.content, path)  # noqa: PTH211 - bytes
            elif self.kind == "pipe":
                os.mkfifo(path)
            elif self.kind == "socket":
                with socket.socket(socket.AF_UNIX) as opened:
                    opened.bind(path)
            elif self.kind == "folder":
                os.mkdir(path)  # noqa: PTH102 - bytes
            else:
                with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                    file.write(self.content)
                os.chmod(path, 0 if self.kind == "unreadable" else 0o644)  # noqa: PTH101 - bytes
        except OSError:
            pass


class Folders:
    """A source of hostile folders.

    Args:
        random: Decides everything.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        # How often a path is no file, or its content no JSON in UTF-8.
        self._odd = random.choice((0.0, 0.25))

    def cards(self) -> tuple[Entry, ...]:
        """Return the entries of a folder with cards, and sometimes with settings."""
        names = self._random.sample(_NAMES, self._one((1, 3, 8, len(_NAMES))))
        entries = tuple(self._entry(name, self._card()) for name in names)
        return (*entries, *self.settings()) if self._likely(0.2) else entries

    def settings(self) -> tuple[Entry, ...]:
        """Return a card and settings files."""
        names = self._random.sample(SETTINGS, self._one((1, 2, len(SETTINGS))))
        entries = tuple(self._entry(name.encode(), self._settings(name)) for name in names)
        # A pattern takes longest for a long name.
        cards = (Entry(name + b".card.json", "file", self._one(_CARDS)) for name in (b"a", b"a" * 245))
        return (*cards, *entries)

    def _one(self, values: Any) -> Any:
        return self._random.choice(values)

    def _likely(self, share: float) -> bool:
        return self._random.random() < share

    def _entry(self, name: bytes, content: bytes) -> Entry:
        if not self._likely(self._odd):
            return Entry(name, "file", content)
        kinds = ("link", "link", "link", "folder") + ("pipe", "socket", "unreadable") * (name not in _NAMED)
        kind = self._one(kinds)
        return Entry(name, kind, self._one(_LINKS).encode() if kind == "link" else content)

    def _card(self) -> bytes:
        if self._likely(self._odd / 2):
            raw: bytes = self._one(_ANY)
            return raw
        card = json.loads(self._one(_CARDS))
        if self._likely(0.15):
            entry = {"identifier": self._one(_TEXTS), "displayName": self._one(_TEXTS), "data": card}
            card = {
                "specVersion": "1.0",
                "entries": [entry, {"type": "application/a2a-agent-card+json", **entry}],
            }
        return self._dumped(self._changed(card))

    def _settings(self, name: str) -> bytes:
        if self._likely(0.6):
            raw: bytes = self._one(_ANY if self._likely(0.2) else _RAW.get(name.rpartition(".")[2], _ANY))
            sound = b"[tool.cardwright]\nstrict = true\n" if name.endswith("toml") else b"agents: {}\n"
            mixed: bytes = self._one((raw, raw, sound + raw, b"\xef\xbb\xbf" + raw, raw + sound))
            return mixed
        value = self._changed(json.loads(json.dumps(self._one(_SOUND))))
        if name.endswith("toml"):
            return b"".join(
                b"%s = %s\n" % (self._dumped(key), self._dumped(one)) for key, one in value.items()
            )
        return self._dumped(value)

    def _changed(self, value: Any) -> Any:
        """Change a value in some places."""
        for _ in range(self._one((0, 1, 1, 3, 10))):
            place = value
            while isinstance(place, dict | list) and place:
                key = (
                    self._one(list(place)) if isinstance(place, dict) else self._random.randrange(len(place))
                )
                if self._likely(0.4) or not isinstance(place[key], dict | list):
                    place[key] = self._one((*_NUMBERS, *_TEXTS, *_TEXTS, [place[key]] * 30))
                    if isinstance(place, dict):
                        place[self._one(_TEXTS)] = self._one(_TEXTS)
                    break
                place = place[key]
        return value

    def _dumped(self, value: Any) -> bytes:
        text = json.dumps(value, ensure_ascii=self._likely(0.6), indent=self._one((None, 2)))
        if isinstance(value, dict) and self._likely(0.1):
            text = text[:1] + text[1:-1].rstrip() + "," + text[1:]
        return text.encode(
            self._one(("utf-8",) * 9 + ("utf-16", "utf-32", "utf-8-sig") * bool(self._odd)), "surrogatepass"
        )
