"""Reading catalogues of agents: ARD manifests and AI catalogues, with the catalogues that they list.

Sources: ARD 0.91 §5.1 (places and hints); AI Catalog 1.0, Discovery. Every limit is a project decision: a catalogue is a
stranger's document that names addresses.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from cardwright.canonical import Limits, decode
from cardwright.card import Catalog
from cardwright.catalog_entries import AI_CATALOG, ARD, ARD_PATH, CATALOGUE_PATH, kind_of
from cardwright.checks import ADVISORY_CHECKS, Checks
from cardwright.discovery.candidates import given, is_exact, key_of
from cardwright.discovery.card_lookup import CardQuery
from cardwright.discovery.local_cards import find_card, is_local
from cardwright.errors import BadResponse, CardError, ConnectionDenied, UnknownDialect
from cardwright.guard import target_of
from cardwright.store.registering import URL_CHARACTERS
from cardwright_runtime.identifiers import agree, publisher_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.card import CatalogEntry
    from cardwright.guard import GuardedClient

MAX_CATALOGS: Final = 32
MAX_DEPTH: Final = 4
MAX_AGENTS: Final = 10_000
# Each card in a catalogue costs a request for the catalogue whenever it is checked.
MAX_INLINE: Final = 100
MAX_IDENTIFIER: Final = 500
MAX_FINDINGS: Final = 50
MAX_BYTES: Final = 4 * 1024 * 1024
_MAX_SECONDS: Final = 120.0
_LIMITS: Final = Limits(
    max_bytes=MAX_BYTES, max_depth=32, max_members=ADVISORY_CHECKS.limits.max_members, max_values=1_000_000
)
_PATHS: Final = (ARD_PATH, CATALOGUE_PATH)
# Pages and robots.txt are read for their hints only.
_MAX_HINT_BYTES: Final = 256 * 1024
# RFC 8288 §3, without extension parameters: the relations that name a catalogue.
_LINK: Final = re.compile(r'<([^<>]{1,2048})>\s*;[^<]*?\brel\s*=\s*"?(?:ard|ai-catalog)\b', re.IGNORECASE)
_PLAIN: Final = re.compile(r"urn:[A-Za-z0-9._:%@/-]+")
_AGENTMAP: Final = re.compile(r"^[ \t]*+agentmap[ \t]*+:[ \t]*+(\S{1,2048})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ListedAgent:
    """An agent in a catalogue.

    Attributes:
        url: The URL of its card; for a card in the catalogue itself, the catalogue's with the identifier as fragment.
        identifier: Its identifier in the catalogue, or "".
        name: Its display name there, or "".
        catalog: The URL of the catalogue.
    """

    url: str
    identifier: str
    name: str
    catalog: str


@dataclass(frozen=True, slots=True)
class CatalogReading:
    """What the catalogues of one origin, or one catalogue with those that it lists, say.

    Attributes:
        url: The origin, URL or file that was read.
        catalogs: The URLs of the catalogues, in the order in which they were read.
        agents: The agents, without repetitions.
        others: The number of entries that are no agents, by media type.
        findings: What is wrong, as sentences: at most 50.
        complete: Whether every catalogue was read to its end; only then is an agent that is missing no longer listed.
    """

    url: str
    catalogs: tuple[str, ...]
    agents: tuple[ListedAgent, ...]
    others: Mapping[str, int]
    findings: tuple[str, ...]
    complete: bool


async def read_catalogs(
    url: str,
    client: GuardedClient,
    *,
    headers: Mapping[str, str] | None = None,
    checks: Checks = ADVISORY_CHECKS,
    clock: Callable[[], float] = lambda: 0.0,
) -> CatalogReading:
    """Read the catalogues of an origin, or the catalogue at a URL or in a file, and the catalogues that they list.

    Of an origin, both well-known paths are read; without a catalogue there, those that the `Link` header field of its
    page or `Agentmap:` in its robots.txt name. Every request is guarded. Catalogues in catalogues are read to a depth of
    four, each once, at most 32 together.

    Args:
        url: A host, an origin, the URL of a catalogue, or a `file:` URL.
        client: The guarded HTTP client.
        headers: Header fields for the origin of the URL only: credentials.
        checks: The registries and rule sets to validate the catalogues with.
        clock: Seconds since the epoch.

    Raises:
        BadResponse: `not-found` if there is no catalogue.
        CardError: If the only catalogue cannot be fetched or read.
    """
    reader = _Reader(url, client, headers or {}, checks, clock)
    try:
        async with asyncio.timeout(_MAX_SECONDS):
            await reader.start()
    except TimeoutError:
        reader.stop(f"the catalogues were not read within {_MAX_SECONDS:g} seconds: some agents are missing")
    return reader.result()


@dataclass(slots=True)
class _Reader:
    url: str
    client: GuardedClient
    headers: Mapping[str, str]
    checks: Checks
    clock: Callable[[], float]
    _seen: set[str] = field(default_factory=set[str])
    _agents: dict[str, ListedAgent] = field(default_factory=dict[str, ListedAgent])
    _by_identifier: dict[str, ListedAgent] = field(default_factory=dict[str, ListedAgent])
    _catalogs: list[str] = field(default_factory=list[str])
    _others: Counter[str] = field(default_factory=Counter[str])
    _findings: list[str] = field(default_factory=list[str])
    _complete: bool = True
    _inline: int = 0
    _other_keys: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    async def start(self) -> None:
        if is_local(self.url) or is_exact(given(self.url)):
            url = self.url if is_local(self.url) else given(self.url).url
            await self._read(url, depth=1, catalog=await self._fetched(url))
            return
        origin = given(self.url).origin
        errors: list[CardError] = []
        listed: dict[str, set[str]] = {}
        for path in _PATHS:
            before = set(self._agents)
            if await self._try(f"{origin}{path}", errors):
                listed[path] = set(self._agents) - before if path == _PATHS[0] else set(self._agents)
        if not self._catalogs:
            for url in await self._hints(origin):
                await self._try(url, errors)
        if not self._catalogs:
            found = next((error for error in errors if not _is_missing(error)), None)
            raise found or BadResponse(
                given(self.url).safe_url, "not-found", f"no catalogue at {' or '.join(_PATHS)}"
            )
        for error in errors:
            if not _is_missing(error):
                self.stop(str(error))
        if len(listed) == 1:
            (path,) = listed
            other = next(one for one in _PATHS if one != path)
            self._find(
                f"the catalogue is only at {path}: some registries look at {other} alone (ARD 0.91 §5.1)"
            )

    def stop(self, why: str) -> None:
        """Note why not every agent was read."""
        self._complete = False
        self._find(why)

    def result(self) -> CatalogReading:
        return CatalogReading(
            self.url,
            tuple(self._catalogs),
            tuple(self._agents.values()),
            dict(self._others),
            tuple(self._findings),
            self._complete,
        )

    async def _try(self, url: str, errors: list[CardError]) -> bool:
        """Read one of several catalogues; return whether it is one."""
        try:
            catalog = await self._fetched(url)
        except CardError as error:
            errors.append(error)
            return False
        await self._read(url, depth=1, catalog=catalog)
        return True

    async def _fetched(self, url: str) -> Catalog:
        """Return a catalogue.

        Raises:
            CardError: If it cannot be fetched, is not JSON or no catalogue.
        """
        self._seen.add(url)
        question = CardQuery(
            url,
            exact=True,
            headers=self.headers if _same_origin(url, self.url) else {},
            max_bytes=MAX_BYTES,
            version="",
        )
        lookup = await find_card(self.client, question, None, clock=self.clock)
        body = lookup.answer.body
        limited = Checks(registries=self.checks.registries, limits=_LIMITS, rules=self.checks.rules)
        return await asyncio.to_thread(_catalog, body, limited, url)

    async def _read(self, url: str, *, depth: int, catalog: Catalog) -> None:
        """Take the entries of a catalogue, and read the catalogues that it lists."""
        self._catalogs.append(url)
        for violation in catalog.errors[:5]:
            self._find(f"{url}: {violation.pointer or '(root)'}: {violation.message}")
        if len(catalog.errors) > 5:
            self._find(f"{url}: {len(catalog.errors) - 5:,} more errors: see cardwright check")
        self._find_publishers(url, catalog)
        nested: list[CatalogEntry] = []
        for entry in catalog.entries:
            match kind_of(entry.type):
                case "agent":
                    self._take(url, entry)
                case "catalog":
                    nested.append(entry)
                case _:
                    # The two well-known paths usually list the same.
                    key = (entry.type, entry.identifier or entry.url)
                    if key not in self._other_keys:
                        self._other_keys.add(key)
                        self._others[entry.type or "(none)"] += 1
        for entry in nested:
            await self._nested(url, entry, depth)

    def _take(self, catalog: str, entry: CatalogEntry) -> None:
        if len(self._agents) >= MAX_AGENTS:
            if self._complete:
                self.stop(f"only the first {MAX_AGENTS:,} agents were read")
            return
        if entry.data is not None and not entry.url:
            if len(entry.identifier) > MAX_IDENTIFIER or not _PLAIN.fullmatch(entry.identifier):
                self._find(f"{catalog}: entry {entry.index} has no identifier of the form urn:…: left out")
                return
            self._inline += 1
            if self._inline > MAX_INLINE:
                if self._inline == MAX_INLINE + 1:
                    self.stop(
                        f"only the first {MAX_INLINE} cards that are in the catalogues themselves were read"
                    )
                return
            url: str | None = f"{catalog}#{entry.identifier}"
        else:
            url = self._address(catalog, entry)
        if url is None:
            return
        agent = ListedAgent(url, entry.identifier, entry.name, catalog)
        earlier = self._by_identifier.get(entry.identifier) if entry.identifier else None
        if earlier is not None and earlier.url != url and "#" not in earlier.url + url:
            self._find(
                f"{entry.identifier} is at {earlier.url} in {earlier.catalog}, and at {url} in {catalog}: the first"
                " counts"
            )
            return
        if earlier is not None and earlier.catalog != catalog:
            return
        if entry.identifier:
            self._by_identifier[entry.identifier] = agent
        self._agents.setdefault(url, agent)

    def _address(self, catalog: str, entry: CatalogEntry) -> str | None:
        """Return the absolute URL of an entry if it may be requested."""
        place = f"{catalog}: entry {entry.index}"
        try:
            url = entry.url if "://" in entry.url or is_local(catalog) else urljoin(catalog, entry.url)
            target = target_of(url)
            self.client.guard.check(target)
        except (ConnectionDenied, ValueError) as error:
            self._find(f"{place} is left out: {error}")
            return None
        if len(target.url) > URL_CHARACTERS:
            self._find(f"{place} is left out: its URL is longer than {URL_CHARACTERS:,} characters")
            return None
        return key_of(url)

    async def _nested(self, catalog: str, entry: CatalogEntry, depth: int) -> None:
        if entry.data is not None and not entry.url:
            self._find(f"{catalog}: entry {entry.index}: a catalogue inside a catalogue is not read")
            return
        url = self._address(catalog, entry)
        if url is None or url in self._seen:
            return
        if depth >= MAX_DEPTH or len(self._catalogs) >= MAX_CATALOGS:
            self.stop(
                f"{url} is not read: only {MAX_CATALOGS} catalogues, to a depth of {MAX_DEPTH}, are read"
            )
            return
        try:
            inner = await self._fetched(url)
        except CardError as error:
            self.stop(f"{url}: {error}")
            return
        await self._read(url, depth=depth + 1, catalog=inner)

    async def _hints(self, origin: str) -> list[str]:
        """Return the catalogues that the page of an origin and its robots.txt name."""
        found: list[str] = []
        for path, pattern in (("/", _LINK), ("/robots.txt", _AGENTMAP)):
            try:
                answer = await self.client.get(
                    f"{origin}{path}", credentials=self.headers, max_bytes=_MAX_HINT_BYTES
                )
            except CardError:
                continue
            text = (
                ", ".join(value for name, value in answer.headers if name.lower() == "link")
                if path == "/"
                else answer.body.decode("utf-8", "replace")
            )
            for hint in pattern.findall(text)[:4] if answer.status == 200 else ():
                try:
                    found.append(target_of(urljoin(f"{origin}{path}", hint)).url)
                except (ConnectionDenied, ValueError):
                    continue
        return list(dict.fromkeys(found))

    def _find_publishers(self, url: str, catalog: Catalog) -> None:
        """Note the entries whose identifier names another publisher than the host of the catalogue."""
        if is_local(url):
            return
        host = target_of(url).host
        others = Counter(
            publisher
            for entry in catalog.entries
            if (publisher := publisher_of(entry.identifier)) and not agree(publisher, host)
        )
        if others:
            names = ", ".join(f"{name} ({count})" for name, count in others.most_common(3))
            self._find(
                f"{others.total():,} entries name another publisher than {host}, which proves nothing: {names}"
            )

    def _find(self, text: str) -> None:
        if len(self._findings) < MAX_FINDINGS and text not in self._findings:
            self._findings.append(text)


def _catalog(body: bytes, checks: Checks, url: str) -> Catalog:
    """Return a catalogue; also an empty one, which is of no known dialect, as it has no entry to know it by.

    Raises:
        MalformedDocument: If it is not JSON, or exceeds a limit.
        UnknownDialect: If it is no catalogue.
    """
    try:
        return Catalog.from_bytes(body, checks=checks, found_at=url)
    except UnknownDialect:
        document = decode(body, checks.limits)
        if type(document) is not dict or document.get("entries") != []:
            raise
        return Catalog.of_parts(document, AI_CATALOG if "specVersion" in document else ARD, checks=checks)


def _is_missing(error: CardError) -> bool:
    """Return whether there is nothing, or something else than a catalogue."""
    return isinstance(error, UnknownDialect) or (
        isinstance(error, BadResponse) and error.kind in ("not-found", "not-a-card")
    )


def _same_origin(url: str, other: str) -> bool:
    return not is_local(url) and not is_local(other) and target_of(url).origin == given(other).origin
