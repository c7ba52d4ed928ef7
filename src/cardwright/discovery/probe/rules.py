"""Probe rules as data: section, expected behaviour, fix and specification for each rule id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SECTIONS: Final = (
    "card", "caching", "versions", "interfaces", "access", "extended card", "capabilities", "messages",
    "signatures", "run",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One check of the probe.

    Attributes:
        section: The heading in the report, one of `SECTIONS`.
        expected: The correct behaviour of an agent.
        fix: How to fix a violation.
        spec: The specification of the rule.
    """

    section: str
    expected: str
    fix: str
    spec: str


RULES: Final[dict[str, Rule]] = {
    "probe/card-place": Rule(
        "card",
        "the card is served at /.well-known/agent-card.json",
        "serve the card at /.well-known/agent-card.json",
        "A2A 1.0 §8.2",
    ),
    "probe/card-place-older": Rule(
        "card",
        "the card is also served at /.well-known/agent.json, for clients of A2A 0.1 and 0.2",
        "serve the same card at /.well-known/agent.json, or redirect to it",
        "A2A 0.2 §5.3",
    ),
    "probe/card-same": Rule(
        "card",
        "both well-known paths serve the same card",
        "serve the same card at both paths, or remove the older path",
        "A2A 1.0 §8.2",
    ),
    "probe/card-valid": Rule(
        "card",
        "the card is valid for its schema and rules",
        "run `cardwright check` for all findings and fix them",
        "A2A 1.0 §8.3",
    ),
    "probe/card-type": Rule(
        "card", "Content-Type is application/json", "send Content-Type: application/json", "RFC 8259 §11"
    ),
    "probe/card-stable": Rule(
        "card",
        "two requests return the same bytes",
        "generate and sign the card once, and serve those bytes; no timestamps, no random order of fields",
        "RFC 9110 §8.8.1",
    ),
    "probe/cache-control": Rule(
        "caching",
        "Cache-Control has a max-age directive",
        "send Cache-Control with a max-age that suits the agent, such as max-age=3600",
        "A2A 1.0 §8.6.1",
    ),
    "probe/etag": Rule(
        "caching",
        "the response has an ETag",
        "send an ETag header, for example a hash of the response body",
        "A2A 1.0 §8.6.1",
    ),
    "probe/not-modified": Rule(
        "caching",
        "If-None-Match with the current ETag gives 304 without a body",
        "compare If-None-Match with the ETag and respond with 304 if they match",
        "RFC 9110 §13.1.2",
    ),
    "probe/other-tag": Rule(
        "caching",
        "If-None-Match with another ETag gives 200 and the card",
        "respond with 304 only if If-None-Match contains the current ETag",
        "RFC 9110 §13.1.2",
    ),
    "probe/head": Rule(
        "caching",
        "HEAD returns the same header fields as GET",
        "respond to HEAD as to GET, without the body",
        "RFC 9110 §9.3.2",
    ),
    "probe/vary": Rule(
        "caching",
        "Vary contains A2A-Version if the response depends on that header",
        "send Vary: A2A-Version; without it caches may return the card of another version",
        "RFC 9110 §12.5.5",
    ),
    "probe/card-version": Rule(
        "versions",
        "a request for the card is answered for every A2A version, with a card that declares it if the agent supports it",
        "return the card for the version in A2A-Version, or ignore A2A-Version for the card",
        "A2A 1.0 §3.6.1; §14.3",
    ),
    "probe/interface-address": Rule(
        "interfaces",
        "callers can reach the interface URL",
        "write the agent's public URL into the card",
        "A2A 1.0 §4.4.6",
    ),
    "probe/interface-reachable": Rule(
        "interfaces",
        "the interface responds to requests",
        "start the interface, or remove it from the card",
        "A2A 1.0 §8.3.1",
    ),
    "probe/interface-tls": Rule(
        "interfaces",
        "the interface uses HTTPS with a trusted certificate",
        "use https and a valid, unexpired certificate for the host name",
        "A2A 1.0 §7.1, §7.2",
    ),
    "probe/interface-binding": Rule(
        "interfaces",
        "the interface supports the binding that the card declares",
        "declare the binding that the URL supports, or the URL of the declared binding",
        "A2A 1.0 §8.3.1",
    ),
    "probe/interface-version": Rule(
        "interfaces",
        "the interface supports the declared A2A version: a request for an unknown task gives TaskNotFound",
        "declare the A2A version that the interface supports, or implement the declared one",
        "A2A 1.0 §3.6",
    ),
    "probe/version-form": Rule(
        "interfaces",
        "protocolVersion has the form Major.Minor",
        "write protocolVersion without a patch number, such as 1.0",
        "A2A 1.0 §3.6",
    ),
    "probe/version-refused": Rule(
        "versions",
        "an unsupported A2A-Version gives VersionNotSupported (-32009, HTTP 400)",
        "compare A2A-Version with the supported versions, and reject all others with that error",
        "A2A 1.0 §3.6.2",
    ),
    "probe/version-empty": Rule(
        "versions",
        "a request without A2A-Version counts as 0.3, not as 1.0",
        "treat a missing A2A-Version as 0.3, and reject the request if 0.3 is not supported",
        "A2A 1.0 §3.6.2",
    ),
    "probe/error-details": Rule(
        "interfaces",
        "an A2A error contains its reason as a google.rpc.ErrorInfo",
        "add an ErrorInfo to the array error.data (JSON-RPC) or error.details (HTTP+JSON)",
        "A2A 1.0 §9.5, §11.6",
    ),
    "probe/auth-demanded": Rule(
        "access",
        "a request without credentials gives 401, as the card declares",
        "require the declared credentials, or remove the security requirement from the card",
        "A2A 1.0 §7.4",
    ),
    "probe/auth-undeclared": Rule(
        "access",
        "a request without credentials is accepted, as the card declares",
        "declare the required credentials in securitySchemes and securityRequirements",
        "A2A 1.0 §7.3",
    ),
    "probe/auth-challenge": Rule(
        "access",
        "each 401 response has a WWW-Authenticate header with the declared scheme",
        "send WWW-Authenticate with the declared scheme in each 401 response",
        "RFC 9110 §11.6.1, A2A 1.0 §7.4",
    ),
    "probe/auth-accepted": Rule(
        "access",
        "the agent accepts the header given with --header",
        "check that the credential is valid, and what it permits",
        "A2A 1.0 §7.4",
    ),
    "probe/extended-card": Rule(
        "extended card",
        "the declared extended card requires authentication and is valid",
        "require authentication for the extended card, and serve a valid card",
        "A2A 1.0 §13.3",
    ),
    "probe/extended-undeclared": Rule(
        "extended card",
        "a request for an undeclared extended card gives UnsupportedOperation (-32004; A2A 0.3: -32007)",
        "declare the extended card, or reject the request with that error",
        "A2A 1.0 §3.3.4",
    ),
    "probe/streaming": Rule(
        "capabilities",
        "streaming works as declared; if undeclared, SubscribeToTask gives UnsupportedOperation (-32004)",
        "set capabilities.streaming to true only if the agent streams",
        "A2A 1.0 §3.3.4",
    ),
    "probe/push": Rule(
        "capabilities",
        "push notifications work as declared; if undeclared, they give PushNotificationNotSupported (-32003)",
        "set capabilities.pushNotifications to true only if the agent supports them",
        "A2A 1.0 §3.3.4",
    ),
    "probe/message": Rule(
        "messages",
        "a text message gives a task or a message",
        "check the agent's log for the cause, and return a task or a message",
        "A2A 1.0 §3.1.1",
    ),
    "probe/message-stream": Rule(
        "messages",
        "a streamed text message gives a stream of events",
        "respond with text/event-stream, or do not declare streaming",
        "A2A 1.0 §3.1.2",
    ),
    "probe/signature": Rule(
        "signatures",
        "a signature verifies with a key that the card's origin publishes",
        "sign the served card, and publish the key over https at a jku of the card's origin",
        "A2A 1.0 §8.4.3",
    ),
    "probe/key-set": Rule(
        "signatures",
        "the key set of a signature is available",
        "publish the key set over https at the jku of the signature",
        "A2A 1.0 §8.4.2",
    ),
    "probe/run": Rule(
        "run",
        "the probe ran all checks",
        "use a longer --timeout, or run the probe again later",
        "project decision",
    ),
}
