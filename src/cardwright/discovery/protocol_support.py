"""Protocols that a caller supports, as text: `PROTOCOL[/VERSION][+BINDING]`, such as `a2a/1.0+HTTP+JSON` or `mcp`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from cardwright.errors import BadArgument
from cardwright.extras import is_installed
from cardwright.view.interfaces import binding_of, major_minor, transport_of
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.view.interfaces import Interface

_FORM: Final = "PROTOCOL[/VERSION][+BINDING], such as 'a2a/1.0+JSONRPC', 'a2a/0.3', 'mcp' or 'smtp'"


@dataclass(frozen=True, slots=True)
class ProtocolSupport:
    """One protocol that a caller supports; `str()` gives its text form.

    Attributes:
        protocol: `a2a`, `mcp`, or another name of a Beach transport.
        version: The version, A2A's as Major.Minor; "" for any.
        binding: A2A's binding, or the MCP transport; "" for any.
    """

    protocol: str
    version: str = ""
    binding: str = ""

    def __str__(self) -> str:
        version = f"/{self.version}" if self.version else ""
        return f"{self.protocol}{version}{f'+{self.binding}' if self.binding else ''}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse a text such as `a2a/1.0+JSONRPC`.

        >>> ProtocolSupport.from_text("a2a/1.0.1+rest")
        ProtocolSupport(protocol='a2a', version='1.0', binding='HTTP+JSON')

        Raises:
            BadArgument: If the form is wrong; the message shows the right one.
        """
        if not isinstance(text, str):
            raise BadArgument("supported", f"expected a text of the form {_FORM}, found {quote(text)}")
        # A binding may be a URI with any number of `+` and `/`.
        head, plus, binding = text.strip().partition("+")
        protocol, slash, version = head.partition("/")
        protocol = protocol.lower()
        if not protocol or (slash and not version) or (plus and not binding) or " " in head:
            raise BadArgument("supported", f"{quote(text)} does not have the form {_FORM}")
        if protocol == "a2a" and version:
            normalized = major_minor(version)
            if normalized is None:
                raise BadArgument(
                    "supported", f"{quote(text)}: A2A versions have the form Major.Minor, such as 1.0"
                )
            version = normalized
        if binding and protocol == "a2a":
            binding = binding_of(binding, "binding")[0]
        elif binding and protocol == "mcp":
            binding = transport_of(binding)[0]
        return cls(protocol, version, binding)

    def covers(self, other: ProtocolSupport) -> bool:
        """Whether this support includes the other."""
        return (
            self.protocol == other.protocol
            and self.version in ("", other.version)
            and self.binding in ("", other.binding)
        )

    def fits(self, interface: Interface) -> bool:
        """Whether an interface has this protocol, version and binding."""
        binding = interface.binding or interface.transport
        return (
            self.protocol == interface.protocol
            and self.version in ("", interface.version)
            and self.binding in ("", binding)
        )


# The protocols of `call_agent` over HTTP. A2A 0.2 sends the same messages as 0.3 (`message/send`, parts by `kind`).
CALLED: Final = tuple(
    ProtocolSupport.from_text(text)
    for text in (
        "a2a/1.0+JSONRPC",
        "a2a/1.0+HTTP+JSON",
        "a2a/0.3+JSONRPC",
        "a2a/0.3+HTTP+JSON",
        "a2a/0.2+JSONRPC",
        "a2a/0.1+JSONRPC",
        "mcp+http",
    )
)


# Those over gRPC, which an extra installs.
OVER_GRPC: Final = tuple(map(ProtocolSupport.from_text, ("a2a/1.0+GRPC", "a2a/0.3+GRPC")))


def called() -> tuple[ProtocolSupport, ...]:
    """Return the protocols of `call_agent` with the installed extras."""
    return (*CALLED, *OVER_GRPC) if is_installed("grpc") else CALLED


def supported_protocols(supported: Iterable[ProtocolSupport | str] | None) -> tuple[ProtocolSupport, ...]:
    """Return the protocols that a caller supports; by default those of `call_agent`.

    Raises:
        BadArgument: If it is not a list of such texts, or empty.
    """
    if supported is None:
        return called()
    if isinstance(supported, str):
        raise BadArgument("supported", f"expected a list, such as [{supported!r}], found a text")
    protocols = tuple(
        entry if isinstance(entry, ProtocolSupport) else ProtocolSupport.from_text(entry)
        for entry in supported
    )
    if not protocols:
        raise BadArgument("supported", f"expected at least one entry of the form {_FORM}")
    return protocols
