"""The page on which a visitor sends messages to an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.outline import outline
from cardwright.outline.fields import prose, words
from cardwright.page.credentials import credentials_of
from cardwright.page.render import header_policy, rendered, text_file

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.page import Home

_PACKAGE: Final = "cardwright_gateway.pages"
_SCRIPT: Final = text_file("try.js", _PACKAGE)
# The `Content-Security-Policy` of the page.
TRY_SECURITY_POLICY: Final = header_policy(_SCRIPT)
# The versions of A2A whose JSON-RPC binding the script can use, the preferred one first.
_VERSIONS: Final = ("1.0", "0.3")
_MAX_EXAMPLES: Final = 6
# The fields of the form for credentials (project decision: a card that needs more secrets has no form).
CREDENTIAL_FIELDS: Final = ("credential0", "credential1")


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that the form sent without a script, and its reply.

    Attributes:
        text: The message.
        reply: The text of the reply; "" if absent.
        state: The state in which the turn ended, such as `completed` or `failed`.
        problem: The message of the error; "" if there was none.
        context_id: The conversation; "" if none began.
    """

    text: str
    reply: str = ""
    state: str = "completed"
    problem: str = ""
    context_id: str = ""


def obstacle(card: Card, *, called: bool) -> str:
    """Return why the page cannot send messages to an agent; "" if it can.

    Args:
        card: The served card.
        called: Whether the gateway can call the agent.
    """
    if not called:
        return "This agent has no backend at the gateway: its card has the URL at which it is called."
    credentials = credentials_of(card)
    if credentials is None or len(credentials) > len(CREDENTIAL_FIELDS):
        return (
            "This agent needs credentials that a page cannot hold, such as a token of OAuth 2 or a certificate."
            " Its card says how a program gets them."
        )
    return ""


def try_page(
    card: Card, *, home: Home, agent_id: str, path: str, called: bool, plain: bool, sent: Sent | None = None
) -> bytes:
    """Return the page; send it with `TRY_SECURITY_POLICY` and `Referrer-Policy: same-origin`.

    Args:
        card: The served card.
        home: The list of agents.
        agent_id: The id of the agent.
        path: The path of the agent at the gateway.
        called: Whether the gateway can call the agent.
        plain: Whether the form works without a script.
        sent: The message that was sent without a script; None for an empty page.
    """
    summary = outline(card)
    versions = [
        ".".join(one.version.split(".")[:2]) for one in summary.interfaces if one.binding == "JSONRPC"
    ]
    version = next((one for one in _VERSIONS if one in versions), "")
    examples = dict.fromkeys(example for skill in summary.skills for example in skill.examples)
    return rendered(
        "try.html.jinja",
        package=_PACKAGE,
        script=_SCRIPT,
        # The browser names the page's origin when it sends the form, which the gateway checks.
        referrer="same-origin",
        home=home,
        agent_id=words(agent_id),
        outline=summary,
        path=path,
        # Absolute, since a request may have a slash at its end.
        below=path.rstrip("/"),
        version=version,
        streams=dict(summary.capabilities).get("streaming") == "yes",
        plain=plain,
        obstacle=obstacle(card, called=called),
        credentials=list(zip(CREDENTIAL_FIELDS, credentials_of(card) or (), strict=False)),
        examples=list(examples)[:_MAX_EXAMPLES],
        sent=None if sent is None else _printable(sent),
    )


def _printable(sent: Sent) -> Sent:
    return Sent(
        prose(sent.text), prose(sent.reply), words(sent.state), words(sent.problem), words(sent.context_id)
    )
