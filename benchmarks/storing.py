"""Store: cost of lookups, searches, writes and disk space with many cards.

`make bench` uses few cards. The limits are for 100,000 cards, which takes minutes:
`python -m benchmarks.storing [--cards 100000] [--millions 1]`. `--url` selects another database; the default is a
temporary SQLite file.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from benchmarks.documents import WORDS, card
from benchmarks.measure import interleaved, machine
from cardwright.card import Card
from cardwright.search_api import StoreIndex
from cardwright.search_api.filters import Filter
from cardwright.store import CardStore, FetchRecord, Observation, PeerSettings, Query
from cardwright.store.rows import facets_and_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CARD_BYTES = 1_500
BATCH = 500
# Limits: p99 in milliseconds; overhead in bytes per card; microseconds per card.
LOOKUP, FILTERED, TEXT, EXTRA_BYTES, NEW, UNCHANGED, FACETS = 1, 20, 50, 3_072, 150, 15, 60
RARE = 20_000
HEADERS = (
    ("cache-control", "max-age=3600"),
    ("etag", '"1da6a469d978a2a8082b2364b39ad01dc4bfa8a275fdd3aeeac267137b1a75b1"'),
    ("last-modified", "Sat, 01 Aug 2026 08:00:00 GMT"),
)


# Default for `make bench`.
CARDS = 10_000


def storing(cards: int = CARDS, url: str = "") -> None:
    with tempfile.TemporaryDirectory() as folder:
        report(cards, url or str(Path(folder) / "cards.sqlite"))


def report(cards: int, url: str) -> None:
    """Fill a database with cards and print the costs."""
    with CardStore.open(url) as store:
        print(f"{cards:,} cards of about {CARD_BYTES:,} bytes (! over the limit)\n")
        own = _filled(store, cards)
        _costs(store, cards)
        if Path(url).exists():
            store.close()
            overhead = (sum(path.stat().st_size for path in _files(url)) - own) / cards
            _row("overhead per card", overhead, EXTRA_BYTES, "bytes")
    with CardStore.open(url) as store:
        _reads(store, cards)
        _search_api(store)
    print()


def _filled(store: CardStore, cards: int) -> int:
    """Write all cards, print the time per card, and return the total size of the cards."""
    draw = random.Random(1)  # noqa: S311 - data of a benchmark
    store.add(PeerSettings(_url(number), source="file") for number in range(cards))
    own, spent = 0, 0.0
    for batch in _batches(range(cards)):
        seen = [_new(number, draw) for number in batch]
        own += sum(len(one.body) for one in seen)
        begin = time.perf_counter()
        store.record(seen)
        spent += time.perf_counter() - begin
    _row("a new card", spent / cards * 1e6, NEW, "µs")
    return own


def _costs(store: CardStore, cards: int) -> None:
    draw = random.Random(2)  # noqa: S311 - likewise
    count = min(cards, 20_000)
    begin = draw.randrange(cards - count + 1)
    # Peers added together are due together; peers chosen at random lie on different database pages.
    _unchanged(store, "an unchanged card, in order", range(begin, begin + count))
    _unchanged(store, "an unchanged card, at random", draw.sample(range(cards), count))
    document = card("a2a-1.0", CARD_BYTES)
    times = interleaved({"facets": lambda: facets_and_words(document, "a2a-1.0", valid=True)})
    _row("its facets and words", times["facets"], FACETS, "µs")


def _unchanged(store: CardStore, name: str, numbers: Sequence[int]) -> None:
    spent = 0.0
    for batch in _batches(numbers):
        answer = FetchRecord(_url(0), 2_000.0, 304, HEADERS)
        seen = [Observation(_url(number), 2_000.0, 9_000.0, 1e12, "unchanged", answer) for number in batch]
        begin = time.perf_counter()
        store.record(seen)
        spent += time.perf_counter() - begin
    _row(name, spent / len(numbers) * 1e6, UNCHANGED, "µs")


def _reads(store: CardStore, cards: int) -> None:
    draw = random.Random(3)  # noqa: S311 - likewise

    def some() -> int:
        return draw.randrange(cards)

    _p99("by URL", lambda: store.peer(_url(some())), LOOKUP)
    _p99("by id", lambda: store.by_id(f"agent-{some()}"), LOOKUP)
    _p99("by name", lambda: store.by_name(f"Ferry Desk {some()}"), LOOKUP)
    filters: dict[str, Query] = {
        "by a tag of all cards": Query(tags=("travel",), valid=True),
        "by a tag of one in a hundred": Query(tags=("group-7",), protocols=("jsonrpc",)),
        "by two tags without a match": Query(tags=("even", "odd")),
        "by a dialect, fresh": Query(dialects=("a2a-0.3",), fresh=True),
        "by a dialect, few stale": Query(dialects=("a2a-1.0",), fresh=False),
    }
    for name, query in filters.items():
        _p99(name, lambda query=query: store.search(query), FILTERED)  # type: ignore[misc] # mypy infers no default
    texts = {
        "a word in every name": "ferry",
        "a word in every text, not in names": "answers",
        "words in every text": "fares times weather",
        "a prefix": "answ",
        "a word in few texts": "",
        "a common and a rare word": "answers ",
        "a word in no text": "xylophone",
        "a whole name": "ferry desk 77",
    }
    for name, text in texts.items():
        _p99(
            name,
            lambda text=text: store.search(  # type: ignore[misc] # likewise
                Query(f"{text}rare{draw.randrange(RARE)}" if not text or text.endswith(" ") else text)
            ),
            TEXT,
        )


def _search_api(store: CardStore) -> None:
    """Measure the search API beside the store's own search with the same words."""
    index = StoreIndex(store)
    everything = Filter({})
    for name, text in {
        "API: words in every text": "fares times weather",
        "API: a question, of which no card has all words": "Which ferry sells xylophone fares?",
        "API: a word in every name": "ferry",
    }.items():
        _p99(
            name,
            lambda text=text: index.search(text, everything, limit=10, token=None),  # type: ignore[misc] # likewise
            TEXT,
        )


def _new(number: int, draw: random.Random) -> Observation:
    dialect = draw.choice(("a2a-1.0", "a2a-0.3", "a2a-hybrid", "beach-1.0"))
    document = card(dialect, CARD_BYTES - 250)
    document["name"] = f"Ferry Desk {number}"
    document["description"] += f" rare{draw.randrange(RARE)} {draw.choice(WORDS)}"
    if dialect != "beach-1.0":
        tags = document["skills"][0]["tags"]
        tags += [f"group-{number % 100}", "odd" if number % 2 else "even", f"tag-{draw.randrange(RARE)}"]
    body = orjson.dumps(document)
    url = _url(number)
    until = 1e12 if number % 1_000 else 0.0
    return Observation(
        url,
        1_000.0,
        9_000.0 + number,
        until,
        "new",
        FetchRecord(f"{url}/.well-known/agent-card.json", 1_000.0, 200, HEADERS),
        body,
        Card.from_bytes(body),
        f"agent-{number}",
    )


def _url(number: int) -> str:
    return f"https://harbour-{number}.example.com"


def _batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for at in range(0, len(numbers), BATCH):
        yield numbers[at : at + BATCH]


def _files(url: str) -> list[Path]:
    return [path for path in Path(url).parent.iterdir() if path.name.startswith(Path(url).name)]


def _p99(name: str, call: Callable[[], object], bound: float) -> None:
    times: list[float] = []
    for _ in range(200):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e3)
    times.sort()
    print(f"{name:36} {times[100]:9.2f} ms {times[-2]:9.2f} ms p99 {_bound(times[-2], bound)}")


def _row(name: str, value: float, bound: float, unit: str) -> None:
    print(f"{name:36} {value:9.1f} {unit:5} {_bound(value, bound):>20}")


def _bound(value: float, bound: float) -> str:
    return f"{bound:9,}{'!' if value > bound else ' '}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=100_000)
    parser.add_argument("--millions", type=int, default=0)
    parser.add_argument("--url", default="")
    arguments = parser.parse_args()
    print(machine(), "\n")
    storing(arguments.millions * 1_000_000 or arguments.cards, arguments.url)
