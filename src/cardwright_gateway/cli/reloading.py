"""Apply a changed configuration file to a running gateway: at SIGHUP, and with `--watch` when the file changes."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from cardwright.errors import BadConfiguration, CardError
from cardwright.regular_file import Stamp, stamp_of
from cardwright.serve.signals import add_signal_handler
from cardwright_gateway.catalog.card_files import card_files, reread_cards
from cardwright_gateway.catalog.changes import FileChange
from cardwright_gateway.settings.config import GatewayConfig

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from cardwright_gateway.gateway import Gateway

_LOG: Final = logging.getLogger("cardwright_gateway")
_WATCH_SECONDS: Final = 1.0


class ReloadingGateway:
    """The ASGI application of a gateway that applies changes of its configuration file.

    Args:
        gateway: The gateway, made of the file `config.source`.
        placed: Returns the settings of the file with those of the command line.
        watch: Whether to look for changes at an interval, not only at SIGHUP.
        watch_seconds: The interval.
    """

    def __init__(
        self,
        gateway: Gateway,
        placed: Callable[[GatewayConfig], GatewayConfig],
        *,
        watch: bool,
        watch_seconds: float = _WATCH_SECONDS,
    ) -> None:
        self.gateway = gateway
        self._file = Path(gateway.config.source)
        self._placed = placed
        self._watch_seconds = watch_seconds if watch else None
        self._requested = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer an ASGI connection; reload from the start of the gateway to its end."""
        if scope["type"] != "lifespan":
            await self.gateway(scope, receive, send)
            return
        async with self._reloading():
            await self.gateway(scope, receive, send)

    @asynccontextmanager
    async def _reloading(self) -> AsyncGenerator[None]:
        if hasattr(signal, "SIGHUP"):
            add_signal_handler(asyncio.get_running_loop(), signal.SIGHUP, self._requested.set)
        task = asyncio.create_task(self._reload_when_changed(), name="cardwright reload")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _reload_when_changed(self) -> None:
        seen = last = self._stamps()
        while True:
            try:
                async with asyncio.timeout(self._watch_seconds):
                    await self._requested.wait()
            except TimeoutError:
                now = self._stamps()
                # A file that changed since the last look may not be written to its end.
                settled, last = now == last, now
                if not settled or all(seen.get(file) == stamp for file, stamp in now.items()):
                    continue
            self._requested.clear()
            before = self._stamps()
            await self._reload()
            # The file may name other cards now. A file that changed meanwhile is read once more.
            seen = {**self._stamps(), **before}

    async def _reload(self) -> None:
        try:
            config = await self._config()
            changes = await self.gateway.directory.reload(config.agents)
            cards = await reread_cards(self.gateway.directory.by_id)
        except CardError as error:
            _LOG.error("the changed configuration is not used, the previous one stays: %s", error)
        except Exception:  # noqa: BLE001 - outermost frame of one reload: the gateway goes on
            _LOG.exception("the changed configuration is not used, the previous one stays")
        else:
            summary = [
                f"{change} {', '.join(sorted(ids))}"
                for change in get_args(FileChange)
                if (ids := [name for name, what in changes.items() if what == change])
            ]
            if new_cards := [name for name in cards if name not in changes]:
                summary.append(f"new card of {', '.join(new_cards)}")
            _LOG.info("configuration read again: %s", "; ".join(summary) or "no agent changed")
            if others := config.differences(self.gateway.config):
                _LOG.warning("changed settings that need a new start: %s", ", ".join(others))

    async def _config(self) -> GatewayConfig:
        """Return the changed configuration.

        Raises:
            BadConfiguration: If the file cannot be used, or only by a new start.
        """
        config = self._placed(await asyncio.to_thread(_read, self._file))
        root, agents = self.gateway.config.root, self.gateway.config.agents
        if root is not None and root in agents and root not in config.agents:
            raise BadConfiguration(
                "", f"/agents: {root}, the agent at the root, is missing; only a new start removes it"
            )
        return config

    def _stamps(self) -> dict[Path, Stamp | None]:
        return {file: stamp_of(file) for file in (self._file, *card_files(self.gateway.directory.by_id))}


def _read(file: Path) -> GatewayConfig:
    if file.exists() and not file.is_file():
        # Reading a pipe would wait for its writer, and so would every later reload.
        raise BadConfiguration(str(file), "expected a file")
    return GatewayConfig.from_file(file)
