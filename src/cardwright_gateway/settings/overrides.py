"""What an owner may change of an agent of the configuration file, where the file allows it (BeeOS seed §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration
from cardwright_gateway.settings.agents import check_agent, check_limits

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardwright_gateway.settings.agents import AgentConfig

# The settings behind each name in `owner_may_change`.
_SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "visibility": ("visibility",),
    "limits": ("concurrency", "timeout_seconds"),
}
# Every setting that can be changed.
CHANGEABLE: Final = tuple(name for names in _SETTINGS.values() for name in names)


def forbidden(config: AgentConfig, names: Collection[str]) -> list[str]:
    """Return what `owner_may_change` of an agent lacks for changes of these settings.

    >>> from cardwright_gateway.settings.config import GatewayConfig
    >>> config = GatewayConfig.from_value({"agents": {"a": {"url": "https://a.example", "owner_may_change": ["limits"]}}})
    >>> forbidden(config.agents["a"], ["visibility", "concurrency"])
    ['visibility']
    """
    needed = [kind for kind, settings in _SETTINGS.items() if any(name in settings for name in names)]
    return [kind for kind in needed if kind not in config.owner_may_change]


def check_overrides(config: AgentConfig, changes: Mapping[str, Any]) -> None:
    """Check new values against the file's.

    Args:
        config: The agent as the file has it.
        changes: The new values; None for the value of the file.

    Raises:
        BadConfiguration: If a limit is above the file's, or the agent cannot have the visibility.
    """
    values = {name: value for name, value in changes.items() if value is not None}
    limits = {name: getattr(config, name) for name in _SETTINGS["limits"]}
    check_limits(values, limits, at="", whose="the configuration file's")
    if "visibility" in values:
        # Only the schema knows which settings a visibility needs, and the settings as written are not kept.
        agent = {
            "protocol": "managed",
            "card": {},
            "access": config.access,
            "visibility": values["visibility"],
        }
        owner = {"owner": config.owner} if config.owner else {}
        backend = {"backend": {"url": "https://a.example"}} if config.connection is not None else {}
        check_agent(config.id, {**agent, **owner, **backend}, at="")


def overridden(config: AgentConfig, overrides: Mapping[str, Any]) -> tuple[AgentConfig, dict[str, str]]:
    """Return an agent of the file with changed settings, and why some are not applied: `{name: reason}`.

    The file may have changed since: limits are lowered to the file's, and what it no longer allows is left out.
    """
    applied: dict[str, Any] = {}
    ignored: dict[str, str] = {}
    for name, value in overrides.items():
        refused = forbidden(config, [name])
        if refused:
            ignored[name] = f"owner_may_change does not have {refused[0]!r}"
            continue
        if name in _SETTINGS["limits"]:
            applied[name] = min(value, getattr(config, name))
            continue
        try:
            check_overrides(config, {name: value})
        except BadConfiguration as error:
            ignored[name] = error.reason
        else:
            applied[name] = value
    return (config.model_copy(update=applied) if applied else config), ignored
