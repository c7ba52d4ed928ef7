"""`cardwright serve`: cards at their well-known URLs, and as pages for people."""

from __future__ import annotations

import logging
import re
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import DEFAULT_LIMITS
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli import serving_options as serving  # noqa: TC001 - likewise
from cardwright.cli.inputs import STDIN, sources
from cardwright.cli.reports.words import counted
from cardwright.cli.terminal import emit_stderr, fail, legible
from cardwright.conversion.convert import OTHERWISE
from cardwright.errors import CardError, InvalidCard
from cardwright.extras import check_installed
from cardwright_runtime.violation import clipped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.serve import AgentCardApplication, CardFiles
    from cardwright.serve.rendered_card import RenderedCard

# The part of a file name that is not part of the card's id.
_ENDINGS: Final = re.compile(r"(\.agent-card|\.card|\.agent)?\.json$", re.IGNORECASE)
# Generic file names: the id is then the name of the folder.
_GENERIC: Final = ("agent-card", "agent", "card")

EXAMPLES: Final = (
    "cardwright serve agent-card.json",
    "cardwright serve --base-url https://agents.example.com --workers 2 cards/",
)


@dataclass(frozen=True, slots=True)
class Served:
    """Factory of the application in each worker; all fields can be pickled."""

    files: CardFiles
    settings: dict[str, Any]
    key: dict[str, Any] | None = None
    signing: dict[str, Any] | None = None
    state: str | None = None
    views: Any = None
    api_keys: dict[str, str] | None = None
    playground: bool = False

    def __call__(self) -> AgentCardApplication:
        """Return the application."""
        from cardwright.serve import ApiKeys, Caller, SignatureFolder, Signing, Views
        from cardwright.serve import well_known_agent_card as serve

        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s: %(message)s")
        store = SignatureFolder(Path(self.state)) if self.state else None
        signing = Signing(**(self.signing or {}), key=self.key, store=store) if self.key else None
        callers = {key: Caller("", audience) for key, audience in (self.api_keys or {}).items()}  # type: ignore[arg-type] # checked by `_api_keys`
        return serve(
            self.files,
            **self.settings,
            signing=signing,
            views=None if self.views is None else Views.from_document(self.views),
            authenticate=ApiKeys.of(callers) if callers else None,
            index_path="/",
            openapi_path="/openapi.json",
            playground_path="/playground" if self.playground else None,
        )


def command(  # noqa: PLR0913 - one parameter per option
    paths: serving.Paths,
    *,
    host: serving.Host = "127.0.0.1",
    port: serving.Port = 8000,
    allow_host: serving.AllowHost = None,
    base_url: serving.BaseURL = None,
    workers: serving.Workers = 1,
    log_requests: serving.LogRequests = False,
    watch: serving.Watch = False,
    playground: serving.Playground = False,
    robots: serving.Robots = False,
    default: serving.Default = None,
    max_age: serving.MaxAge = None,
    root: serving.Root = None,
    key: serving.Key = None,
    kid: serving.Kid = None,
    alg: serving.Alg = None,
    jku: serving.Jku = None,
    state: serving.State = None,
    views: serving.Views = None,
    api_keys: serving.ApiKeys = None,
    sensitive: serving.Sensitive = None,
    checks: options.Limited,
) -> None:
    """Serve cards at /.well-known/agent-card.json in each A2A version they support, and as HTML pages.

    If there are several cards, each is served below /ID, where ID is the name of its file. Press Ctrl+C to stop.

    Exit status: 1 a card cannot be published, 2 a file cannot be read or an option is wrong.
    """
    check_installed(("granian",), extra="serve")
    from cardwright.hosts import is_loopback
    from cardwright.serve import CardFiles
    from cardwright.serve.listening import StartFailed
    from cardwright.serve.server import run

    local = is_loopback(host) and base_url is None
    settings = {
        "default": default,
        # Who changes a card wants to see the change.
        "max_age_seconds": max_age if max_age is not None else 0 if watch else 3600,
        "base_url": base_url,
        "robots": robots,
        "root": root,
        # Internal hosts are no secret to callers on this machine.
        "local_hosts": (host, *(allow_host or ())) if is_loopback(host) else None,
        "publish_sensitive": sensitive or ("hosts" if local else None),
    }
    if robots and base_url is None:
        fail("--robots needs --base-url, since the hint is the full URL of the catalogue")
    if state and not alg:
        fail("--state needs --alg and a key, since it stores signatures")
    if views and not api_keys:
        fail("--views needs --api-keys FILE, which identifies the callers")
    paths_by_id = _paths_by_id(paths)
    emit_stderr(f"Reading {counted(len(paths_by_id), 'card')} …\n")
    single = next(iter(paths_by_id.values())) if len(paths_by_id) == 1 else None
    files = CardFiles(single or paths_by_id, checks=checks, watched=watch)
    served = Served(
        files,
        settings,
        **_signing(key, kid, alg, jku, workers),
        state=state,
        views=_json(views) if views else None,
        api_keys=_api_keys(api_keys) if api_keys else None,
        playground=playground,
    )
    application, port = _start(served, host, port)
    # A worker that starts later reads the files as they are then.
    later = replace(served, files=files.again())
    announce = partial(_announce, application, host, port, watch=watch)
    try:
        run(later, host=host, port=port, workers=workers, log_requests=log_requests, started=announce)
    except StartFailed as error:
        fail(str(error), status=1)


def _start(served: Served, host: str, port: int) -> tuple[AgentCardApplication, int]:
    """Return the application and the port; end the command if a card or the port cannot be used."""
    from cardwright.serve import SensitiveCard, UnreadableCard
    from cardwright.serve.listening import PortTaken, free_port

    try:
        return served(), free_port(host, port)
    except (PortTaken, UnreadableCard) as error:
        fail(str(error))
    except SensitiveCard as error:
        what = "hosts" if all(finding.internal_host for finding in error.findings) else "all"
        message = str(error).partition("; remove it")[0]
        fail(f"{message}; remove it, hide it with --views, or give --publish-sensitive {what}", status=1)
    except InvalidCard as error:
        fail(f"{error}; see `cardwright check` and `cardwright fix`", status=1)
    except CardError as error:
        fail(str(error), status=1)
    except OSError as error:
        fail(f"--state {served.state} cannot be written: {error.strerror}")


def _paths_by_id(paths: list[str]) -> dict[str, str]:
    """Return the paths of the cards by id."""
    result: dict[str, str] = {}
    for source in sources(paths):
        if source.name == STDIN:
            fail("standard input cannot be served, since each worker reads the card itself: give a file")
        if source.fault:
            fail(f"{legible(source.name)}: {source.fault}")
        card_id = _id_of(Path(source.name))
        if card_id in result:
            fail(
                f"{legible(source.name)} and {legible(result[card_id])} have the same id {card_id!r}: rename a file"
            )
        result[card_id] = source.name
    return result


def _id_of(path: Path) -> str:
    stem = _ENDINGS.sub("", path.name)
    if stem in _GENERIC:
        stem = path.absolute().parent.name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).lstrip("._-")[:64] or "card"


def _signing(
    path: str | None, kid: str | None, alg: str | None, jku: str | None, workers: int
) -> dict[str, Any]:
    from cardwright.cli.keyfiles import VARIABLE, key_of
    from cardwright.signing import ALGORITHMS

    if alg is None:
        if path or kid or jku:
            fail("signing needs --alg: ES256, ES384, EdDSA, RS256 or PS256")
        return {}
    if alg not in ALGORITHMS:
        fail(f"unknown algorithm {alg!r}; known algorithms: {', '.join(ALGORITHMS)}")
    signer = key_of(path)
    if not signer.private:
        fail(
            f"{VARIABLE if path is None else legible(path)}: this key is public; signing needs a private key"
        )
    name = kid or signer.kid or signer.thumbprint
    settings = {"kid": name, "alg": alg, "jku": jku, "processes": workers}
    return {"key": signer.jose.as_dict(private=True), "signing": settings}


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
        or any(audience not in ("authenticated", "owner") for audience in keys.values())
    ):
        fail(f'{legible(path)}: expected a JSON object {{"API-KEY": "authenticated" or "owner"}}')
    try:
        ApiKeys.of({key: Caller("") for key in keys})
    except BadKey as error:
        fail(f"{legible(path)}: {error}")
    return keys


def _announce(application: AgentCardApplication, host: str, port: int, *, watch: bool) -> None:
    """Print the URLs of the cards."""
    name = f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1"}.get(host, host)  # noqa: S104 - compared, not bound
    base = f"http://{name}:{port}"
    publication = application.publication
    emit_stderr(f"{base}/  lists the cards\n")
    if application.settings.playground_path:
        emit_stderr(f"{base}{application.settings.playground_path}  checks cards that visitors paste\n")
    for path, route in publication.routes.items():
        if route.kind != "card" or route.card_id is None:
            continue
        rendered = publication.cards[route.card_id].rendered["public"]
        if rendered is None:
            emit_stderr(f"{base}{path}  only for authenticated callers\n")
        else:
            emit_stderr(f"{base}{path}  {_summary(rendered)}\n")
            emit_stderr("".join(f"  {line}\n" for line in _cautions(rendered)))
    emit_stderr(f"{'Watching the files. ' if watch else ''}Press Ctrl+C to stop.\n")


def _summary(rendered: RenderedCard) -> str:
    """Return the name and the served forms of a card in one line."""
    forms = [f"A2A {version}" for version in rendered.forms.by_version]
    default = rendered.forms.default
    if default.name == "hybrid":
        forms.append("hybrid")
    elif default.name == "as-written" and default.card.dialect.family != "a2a":
        forms.insert(0, str(default.card.dialect))
    signatures = default.card.document.get("signatures", ())
    signed = ", signed" if signatures else ""
    return f"{quote(default.card.document.get('name', ''))}: {', '.join(forms) or 'as written'}{signed}"


def _cautions(rendered: RenderedCard) -> Iterator[str]:
    """Yield notes for the publisher about the forms of a card."""
    forms = (*rendered.forms.by_version.values(), rendered.forms.default)
    for form in {form.name: form for form in forms}.values():
        for loss in form.report.losses if form.report else ():
            # That a form leaves out interfaces of other versions is its purpose.
            if not loss.pointer.startswith("/supportedInterfaces/") and loss.why != OTHERWISE:
                yield f"the form {form.name} leaves out {clipped(loss.pointer)}: {loss.why}"
