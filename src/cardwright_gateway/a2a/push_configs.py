"""Push configurations in the parameters of a call, wherever a version has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# A2A 1.0 §4.3.1, 0.3.0 §6.8; the last one is that of 0.3 over HTTP+JSON, from its proto. Clients write both spellings.
_NAMES: Final = (
    "taskPushNotificationConfig", "pushNotificationConfig", "pushNotification",
    "task_push_notification_config", "push_notification_config", "push_notification",
)  # fmt: skip


def push_configs(params: Any) -> Iterator[dict[str, Any]]:
    """Yield each object in the parameters of a call that may be a push configuration.

    The parameters themselves are one in A2A 1.0, where `CreateTaskPushNotificationConfig` is flat.

    >>> [config["url"] for config in push_configs({"configuration": {"pushNotificationConfig": {"url": "u"}}})
    ...  if "url" in config]
    ['u']
    """
    if type(params) is not dict:
        return
    yield params
    for holder in (params, params.get("configuration"), params.get("config")):
        if type(holder) is dict:
            yield from (config for name in _NAMES if type(config := holder.get(name)) is dict)


def drop_empty_authentication(params: Any) -> bool:
    """Remove an `authentication` without content from each push configuration; return whether there was one.

    Clients send one for a receiver that needs none, although its scheme is required (A2A 1.0 §4.3.2).

    >>> params = {"config": {"push_notification_config": {"url": "u", "authentication": {"schemes": []}}}}
    >>> drop_empty_authentication(params), params
    (True, {'config': {'push_notification_config': {'url': 'u'}}})
    """
    holders = [config for config in push_configs(params) if _is_empty(config.get("authentication"))]
    for config in holders:
        del config["authentication"]
    return bool(holders)


def _is_empty(authentication: Any) -> bool:
    return type(authentication) is dict and all(
        value in (None, "", [], [""]) for value in authentication.values()
    )
