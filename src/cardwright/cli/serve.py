"""`cardwright serve`: cards at their well-known places, for SDKs and for people."""

from __future__ import annotations

import logging
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import DEFAULT_LIMITS
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli import serving_options as asked  # noqa: TC001 - likewise
from cardwright.cli.inputs import STDIN, sources
from cardwright.cli.terminal import fail, legible, tell
from cardwright.conversion.convert import OTHERWISE
from cardwright.errors import CardError, InvalidCard
from cardwright.extras import check_installed
from cardwright_runtime.violation import clipped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.serve import AgentCardApplication, CardFiles
    from cardwright.serve.rendered_card import RenderedCard

# What is left out of a file's name to make the id of its card.
_ENDINGS: Final = re.compile(r"(\.agent-card|\.card|\.agent)?\.json$", re.IGNORECASE)
# Names that say nothing of the agent: then its folder does.
_SILENT: Final = ("agent-card", "agent", "card")


@dataclass(frozen=True, slots=True)
class Served:
    """What each worker needs to make the application; all of it can be pickled."""

    files: CardFiles
    settings: dict[str, Any]
    key: dict[str, Any] | None = None
    signing: dict[str, Any] | None = None
    state: str | None = None
    views: Any = None
    api_keys: dict[str, str] | None = None

    def __call__(self) -> AgentCardApplication:
        """Return the application."""
        from cardwright.serve import ApiKeys, Caller, SignatureFolder, Signing, Views
        from cardwright.serve import well_known_agent_card as serve

        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s: %(message)s")
        store = SignatureFolder(Path(self.state)) if self.state else None
        signing = Signing(**(self.signing or {}), key=self.key, store=store) if self.key else None
        callers = {key: Caller("", audience) for key, audience in (self.api_keys or {}).items()}  # type: ignore[arg-type] # checked when it was read
        return serve(
            self.files,
            **self.settings,
            signing=signing,
            views=None if self.views is None else Views.from_document(self.views),
            authenticate=ApiKeys.of(callers) if callers else None,
            index_path="/",
            openapi_path="/openapi.json",
        )


def command(  # noqa: PLR0913 - an argument an option
    paths: asked.Paths,
    *,
    host: asked.Host = "127.0.0.1",
    port: asked.Port = 8000,
    base_url: asked.BaseURL = None,
    workers: asked.Workers = 1,
    log_requests: asked.LogRequests = False,
    watch: asked.Watch = False,
    versions: asked.Versions = None,
    default: asked.Default = None,
    max_age: asked.MaxAge = 3600,
    root: asked.Root = None,
    key: asked.Key = None,
    kid: asked.Kid = None,
    alg: asked.Alg = None,
    jku: asked.Jku = None,
    state: asked.State = None,
    views: asked.Views = None,
    api_keys: asked.ApiKeys = None,
    sensitive: asked.Sensitive = None,
    checks: options.Limited,
) -> None:
    """Serve cards at /.well-known/agent-card.json, in every version they speak, and as pages for people.

    Several cards are served below /ID, the name of their file. Ends with Ctrl-C. Exits with 1 if a card
    cannot be published, 2 if something cannot be read or was asked wrongly.
    """
    check_installed(("granian",), extra="serve")
    from cardwright.serve import CardFiles
    from cardwright.serve.server import run

    local = host in ("127.0.0.1", "::1", "localhost") and base_url is None
    settings = {
        "versions": versions,
        "default": default,
        "max_age_seconds": max_age,
        "base_url": base_url,
        "root": root,
        # Whoever can ask this machine alone learns nothing from its own hosts.
        "publish_sensitive": sensitive or ("hosts" if local else None),
    }
    if state and not alg:
        fail("--state keeps signatures: give --alg and a key to sign with, too")
    if views and not api_keys:
        fail("--views shows some callers more than others: give --api-keys FILE, which tells who they are")
    named = _named(paths)
    tell(f"Reading {len(named)} card{'s' if len(named) > 1 else ''} …\n")
    alone = next(iter(named.values())) if len(named) == 1 else None
    files = CardFiles(alone or named, checks=checks, watched=watch)
    served = Served(
        files,
        settings,
        **_signing(key, kid, alg, jku, workers),
        state=state,
        views=_json(views) if views else None,
        api_keys=_api_keys(api_keys) if api_keys else None,
    )
    application, port = _ready(served, host, port)
    _announce(application, host, port, watch=watch)
    # Whenever a worker starts, it starts with cards that are good now.
    later = replace(served, files=files.again())
    run(later, host=host, port=port, workers=workers, log_requests=log_requests)


def _ready(served: Served, host: str, port: int) -> tuple[AgentCardApplication, int]:
    """Return the application and the port, or end the command with what stands against them."""
    from cardwright.serve import SensitiveCard, UnreadableCard
    from cardwright.serve.server import PortTaken, free_port

    try:
        return served(), free_port(host, port)
    except (PortTaken, UnreadableCard) as error:
        fail(str(error))
    except SensitiveCard as error:
        what = "hosts" if all(one.internal_host for one in error.findings) else "all"
        told = str(error).partition("; take it out")[0]
        fail(f"{told}: take it out, hide it by --views, or give --publish-sensitive {what}", status=1)
    except InvalidCard as error:
        fail(f"{error}; see `cardwright check` and `cardwright fix`", status=1)
    except CardError as error:
        fail(str(error), status=1)
    except OSError as error:
        fail(f"{served.state}: it cannot be written: {error.strerror}")


def _named(paths: list[str]) -> dict[str, str]:
    """Return the files by the ids of their cards."""
    found: dict[str, str] = {}
    for source in sources(paths):
        if source.name == STDIN:
            fail("each worker reads the card itself: name a file, not standard input")
        if source.fault:
            fail(f"{legible(source.name)}: {source.fault}")
        name = _id_of(Path(source.name))
        if name in found:
            fail(f"{legible(source.name)} and {legible(found[name])} would both be the card {name!r}")
        found[name] = source.name
    return found


def _id_of(path: Path) -> str:
    stem = _ENDINGS.sub("", path.name)
    if stem in _SILENT:
        stem = path.absolute().parent.name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).lstrip("._-")[:64] or "card"


def _signing(
    path: str | None, kid: str | None, alg: str | None, jku: str | None, workers: int
) -> dict[str, Any]:
    from cardwright.cli.keyfiles import VARIABLE, key_of
    from cardwright.signing import ALGORITHMS

    if alg is None:
        if path or kid or jku:
            fail("to sign the card, give --alg: ES256, ES384, EdDSA, RS256 or PS256")
        return {}
    if alg not in ALGORITHMS:
        fail(f"there is no algorithm {alg!r}; there are {', '.join(ALGORITHMS)}")
    signer = key_of(path)
    if not signer.private:
        fail(f"{VARIABLE if path is None else legible(path)}: the key is public: only a private key signs")
    name = kid or signer.kid or signer.thumbprint
    told = {"kid": name, "alg": alg, "jku": jku, "processes": workers}
    return {"key": signer.jose.as_dict(private=True), "signing": told}


def _json(path: str) -> Any:
    from cardwright.canonical import decode
    from cardwright.cli.inputs import Source, read

    try:
        return decode(read(Source(path), DEFAULT_LIMITS))
    except CardError as error:
        fail(f"{legible(path)}: {error}")


def _api_keys(path: str) -> dict[str, str]:
    from cardwright.cli.keyfiles import check_private
    from cardwright.errors import BadKey
    from cardwright.serve import ApiKeys, Caller

    check_private(path)
    keys = _json(path)
    if (
        type(keys) is not dict
        or not keys
        or any(one not in ("authenticated", "owner") for one in keys.values())
    ):
        fail(f"{legible(path)}: this is no JSON object from keys to authenticated or owner")
    try:
        ApiKeys.of({key: Caller("") for key in keys})
    except BadKey as error:
        fail(f"{legible(path)}: {error}")
    return keys


def _announce(application: AgentCardApplication, host: str, port: int, *, watch: bool) -> None:
    """Tell where everything is."""
    shown = f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1"}.get(host, host)  # noqa: S104 - compared, not bound
    base = f"http://{shown}:{port}"
    publication = application.publication
    tell(f"{base}/ lists the cards, for people\n")
    for route, found in publication.routes.items():
        if found.kind != "card" or found.card_id is None:
            continue
        edition = publication.cards[found.card_id].editions["public"]
        if edition is None:
            tell(f"{base}{route}  for those who authenticate\n")
        else:
            tell(f"{base}{route}  {_told(edition)}\n")
            tell("".join(f"  {line}\n" for line in _cautions(edition)))
    tell(f"Watching {'the files, and ' if watch else ''}for Ctrl-C.\n")


def _told(edition: RenderedCard) -> str:
    """Return what is served, in a line."""
    forms = [f"A2A {version}" for version in edition.forms.by_version]
    default = edition.forms.default
    if default.name == "hybrid":
        forms.append("both in one")
    elif default.name == "as-written" and default.card.dialect.family != "a2a":
        forms.insert(0, str(default.card.dialect))
    signatures = default.card.document.get("signatures", ())
    signed = ", signed" if signatures else ""
    return (
        f"{quote(default.card.document.get('name', ''))}: {', '.join(forms) or 'as it was written'}{signed}"
    )


def _cautions(edition: RenderedCard) -> Iterator[str]:
    """Yield what whoever publishes the card should know of its forms."""
    versions = edition.forms.by_version
    if versions and "1.0" not in versions:
        offers = " ".join(f"--a2a-version {version}" for version in ("1.0", *versions))
        yield f"who asks for A2A 1.0, as @a2a-js/sdk does, is refused; {offers} offers that form too"
    for form in {form.name: form for form in (*versions.values(), edition.forms.default)}.values():
        for loss in form.report.losses if form.report else ():
            # Which interface speaks which version is what forms are for.
            if not loss.pointer.startswith("/supportedInterfaces/") and loss.why != OTHERWISE:
                yield f"the form {form.name} leaves out {clipped(loss.pointer)}: {loss.why}"
