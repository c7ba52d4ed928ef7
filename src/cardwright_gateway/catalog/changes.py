"""What a change of an agent is, and whether it is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeGuard

from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.settings.agents import AgentConfig

# What a changed configuration file did to an agent.
FileChange: TypeAlias = Literal["added", "changed", "removed"]

_FROM_FILE: Final = "the agent {!r} is in the configuration file; {} it there"


def nothing_to_check(_: Agent) -> None:
    """Allow the change."""


def check_submitted(agent: Agent | None, agent_id: str, verb: str) -> None:
    """Check that an agent is not in the configuration file.

    Raises:
        BadConfiguration: If it is.
    """
    if agent is not None and agent.config.from_file:
        raise BadConfiguration("", _FROM_FILE.format(agent_id, verb))


def differs_in_visibility_alone(agent: Agent | None, config: AgentConfig) -> TypeGuard[Agent]:
    """Return whether settings differ from an agent's in the visibility and in nothing else."""
    return (
        agent is not None
        and agent.config.visibility != config.visibility
        and same_but_visibility(agent, config)
    )


def same_but_visibility(agent: Agent, config: AgentConfig) -> bool:
    """Return whether settings differ from an agent's at most in the visibility."""
    names = ("visibility", "definition", "definition_bytes")
    return agent.config.model_copy(update={name: getattr(config, name) for name in names}) == config


def file_changes(
    before: Container[str], applied: Iterable[str], gone: Iterable[str]
) -> dict[str, FileChange]:
    """Return what a changed configuration file did: `{id: change}`."""
    changes: dict[str, FileChange] = {name: "changed" if name in before else "added" for name in applied}
    return {**changes, **dict.fromkeys(gone, "removed")}
