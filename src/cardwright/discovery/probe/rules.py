"""What is looked at, as data: by id, what is expected, how to mend it, and where that is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SECTIONS: Final = (
    "card", "caching", "versions", "interfaces", "access", "extended card", "capabilities", "messages",
    "signatures", "run",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is looked at.

    Attributes:
        section: Under which heading it is told, one of `SECTIONS`.
        expected: What a good agent does.
        mend: What to do where it does not.
        spec: Where that is written.
    """

    section: str
    expected: str
    mend: str
    spec: str


RULES: Final[dict[str, Rule]] = {
    "probe/card-place": Rule(
        "card", "the card is at /.well-known/agent-card.json", "serve it there, too", "A2A 1.0 §8.2"
    ),
    "probe/card-place-older": Rule(
        "card",
        "clients of A2A 0.1 and 0.2 find it at /.well-known/agent.json",
        "serve the same card there, or redirect to it",
        "A2A 0.2 §5.3",
    ),
    "probe/card-same": Rule(
        "card",
        "both well-known places say the same card",
        "serve one card at both, or take the older place away",
        "A2A 1.0 §8.2",
    ),
    "probe/card-valid": Rule(
        "card",
        "the card keeps to its schema and its rules",
        "`cardwright check` lists it all",
        "A2A 1.0 §8.3",
    ),
    "probe/card-type": Rule(
        "card", "Content-Type is application/json", "send Content-Type: application/json", "RFC 8259 §11"
    ),
    "probe/card-stable": Rule(
        "card",
        "the same bytes come twice",
        "make the bytes once and send those, signatures too; no times, no random order",
        "RFC 9110 §8.8.1",
    ),
    "probe/cache-control": Rule(
        "caching",
        "Cache-Control has a max-age",
        "send Cache-Control: max-age=3600, or what suits the agent",
        "A2A 1.0 §8.6.1",
    ),
    "probe/etag": Rule(
        "caching",
        "the card has an ETag",
        "send an ETag, a hash of the bytes as they are sent",
        "A2A 1.0 §8.6.1",
    ),
    "probe/not-modified": Rule(
        "caching",
        "If-None-Match with the card's own tag gives 304 without a body",
        "compare If-None-Match with the ETag, and answer 304",
        "RFC 9110 §13.1.2",
    ),
    "probe/other-tag": Rule(
        "caching",
        "If-None-Match with another tag gives the card",
        "answer 304 only where the tag is that of the bytes",
        "RFC 9110 §13.1.2",
    ),
    "probe/head": Rule(
        "caching", "HEAD gives the header of GET", "answer HEAD as GET, without the body", "RFC 9110 §9.3.2"
    ),
    "probe/vary": Rule(
        "caching",
        "Vary names A2A-Version where the answer depends on it",
        "send Vary: A2A-Version, or caches give one client another's form",
        "RFC 9110 §12.5.5",
    ),
    "probe/card-version": Rule(
        "versions",
        "who asks for a version that the agent speaks gets a card that says so",
        "answer A2A-Version with that version's form of the card, or ignore it there",
        "A2A 1.0 §3.6",
    ),
    "probe/interface-address": Rule(
        "interfaces",
        "the URL is one that callers can reach",
        "write the agent's public URL into the card",
        "A2A 1.0 §4.4.6",
    ),
    "probe/interface-reachable": Rule(
        "interfaces", "something answers there", "start it, or take it out of the card", "A2A 1.0 §8.3.1"
    ),
    "probe/interface-tls": Rule(
        "interfaces",
        "HTTPS with a certificate that callers trust",
        "serve it by https with a certificate for its name that has not run out",
        "A2A 1.0 §7.1, §7.2",
    ),
    "probe/interface-binding": Rule(
        "interfaces",
        "the binding that the card names answers there",
        "name the binding that is spoken there, or the URL where the named one is",
        "A2A 1.0 §8.3.1",
    ),
    "probe/interface-version": Rule(
        "interfaces",
        "the version that the card names is spoken there: a task that cannot exist is TaskNotFound",
        "write the version that is spoken there, or speak the one that is written",
        "A2A 1.0 §3.6",
    ),
    "probe/version-form": Rule(
        "interfaces",
        "protocolVersion is Major.Minor",
        "write it without a patch number, such as 1.0",
        "A2A 1.0 §3.6",
    ),
    "probe/version-refused": Rule(
        "versions",
        "a version that nobody speaks is VersionNotSupported (-32009, HTTP 400)",
        "compare A2A-Version with the versions that are spoken, and refuse every other",
        "A2A 1.0 §3.6.2",
    ),
    "probe/version-empty": Rule(
        "versions",
        "who names no version means 0.3, not 1.0",
        "read a missing A2A-Version as 0.3, and refuse it where 0.3 is not spoken",
        "A2A 1.0 §3.6.2",
    ),
    "probe/error-details": Rule(
        "interfaces",
        "an error of A2A says its reason in a google.rpc.ErrorInfo",
        "put one into error.data (JSON-RPC) or error.details (HTTP+JSON), which are arrays",
        "A2A 1.0 §9.5, §11.6",
    ),
    "probe/auth-demanded": Rule(
        "access",
        "who does not say who is asking gets 401, as the card says",
        "ask for what the card declares, or take security out of the card",
        "A2A 1.0 §7.4",
    ),
    "probe/auth-undeclared": Rule(
        "access",
        "nobody has to say who is asking, as the card says",
        "declare what is asked for in securitySchemes and securityRequirements",
        "A2A 1.0 §7.3",
    ),
    "probe/auth-challenge": Rule(
        "access",
        "401 has a WWW-Authenticate of the scheme that the card declares",
        "send WWW-Authenticate with each 401, naming the declared scheme",
        "RFC 9110 §11.6.1, A2A 1.0 §7.4",
    ),
    "probe/auth-accepted": Rule(
        "access",
        "the header that was given lets the caller in",
        "look at the credential, and at what it may do",
        "A2A 1.0 §7.4",
    ),
    "probe/extended-card": Rule(
        "extended card",
        "the declared extended card is for those alone who say who is asking, and is valid",
        "ask for authentication there, and serve a valid card to those who have it",
        "A2A 1.0 §13.3",
    ),
    "probe/extended-undeclared": Rule(
        "extended card",
        "an extended card that is not declared is UnsupportedOperation (-32004; 0.3: -32007)",
        "declare it, or refuse it with that error",
        "A2A 1.0 §3.3.4",
    ),
    "probe/streaming": Rule(
        "capabilities",
        "streaming is as declared: if it is not, SubscribeToTask is UnsupportedOperation (-32004)",
        "declare capabilities.streaming as it is",
        "A2A 1.0 §3.3.4",
    ),
    "probe/push": Rule(
        "capabilities",
        "push is as declared: if it is not, its methods are PushNotificationNotSupported (-32003)",
        "declare capabilities.pushNotifications as it is",
        "A2A 1.0 §3.3.4",
    ),
    "probe/message": Rule(
        "messages", "a text is answered with a task or a message", "look into the agent", "A2A 1.0 §3.1.1"
    ),
    "probe/message-stream": Rule(
        "messages",
        "a streamed text is answered with events",
        "answer with text/event-stream, or do not declare streaming",
        "A2A 1.0 §3.1.2",
    ),
    "probe/signature": Rule(
        "signatures",
        "a signature holds by a key that the card's own origin publishes",
        "sign the bytes that are served, and publish the key by https at the jku of the card's origin",
        "A2A 1.0 §8.4.3",
    ),
    "probe/key-set": Rule(
        "signatures",
        "the key set that a signature names can be had",
        "publish the key set at its jku, by https",
        "A2A 1.0 §8.4.2",
    ),
    "probe/run": Rule(
        "run", "everything could be looked at", "give a longer --timeout, or ask later", "ours"
    ),
}
