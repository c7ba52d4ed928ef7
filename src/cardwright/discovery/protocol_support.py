"""What a caller speaks, as text: `PROTOCOL[/VERSION][+BINDING]`, such as `a2a/1.0+HTTP+JSON` or `mcp`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from cardwright.conversion.interfaces import major_minor
from cardwright.discovery.interfaces import binding_of, transport_of
from cardwright.errors import BadArgument
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.discovery.interfaces import Interface

_FORM: Final = "PROTOCOL[/VERSION][+BINDING], such as 'a2a/1.0+JSONRPC', 'a2a/0.3', 'mcp' or 'smtp'"


@dataclass(frozen=True, slots=True)
class ProtocolSupport:
    """One thing that a caller speaks; `str()` gives the text that it is read from.

    Attributes:
        protocol: `a2a`, `mcp`, or another name of a Beach transport.
        version: The version, A2A's as Major.Minor; "" for any.
        binding: A2A's binding, or how MCP's messages travel; "" for any.
    """

    protocol: str
    version: str = ""
    binding: str = ""

    def __str__(self) -> str:
        version = f"/{self.version}" if self.version else ""
        return f"{self.protocol}{version}{f'+{self.binding}' if self.binding else ''}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what a text such as `a2a/1.0+JSONRPC` says.

        >>> ProtocolSupport.from_text("a2a/1.0.1+rest")
        ProtocolSupport(protocol='a2a', version='1.0', binding='HTTP+JSON')

        Raises:
            BadArgument: If it has another form; the message shows the right one.
        """
        if not isinstance(text, str):
            raise BadArgument("supported", f"{quote(text)} is no text of the form {_FORM}")
        # A binding may be a URI, and so hold any number of either sign.
        head, plus, binding = text.strip().partition("+")
        protocol, slash, version = head.partition("/")
        protocol = protocol.lower()
        if not protocol or (slash and not version) or (plus and not binding) or " " in head:
            raise BadArgument("supported", f"{quote(text)} has not the form {_FORM}")
        if protocol == "a2a" and version:
            spoken = major_minor(version)
            if spoken is None:
                raise BadArgument("supported", f"{quote(text)}: A2A's versions are Major.Minor, such as 1.0")
            version = spoken
        if binding and protocol == "a2a":
            binding = binding_of(binding, "binding")[0]
        elif binding and protocol == "mcp":
            binding = transport_of(binding)[0]
        return cls(protocol, version, binding)

    def covers(self, other: ProtocolSupport) -> bool:
        """Whether whoever speaks this speaks the other, too."""
        return (
            self.protocol == other.protocol
            and self.version in ("", other.version)
            and self.binding in ("", other.binding)
        )

    def fits(self, interface: Interface) -> bool:
        """Whether an interface is of this protocol, version and binding."""
        how = interface.binding or interface.transport
        return (
            self.protocol == interface.protocol
            and self.version in ("", interface.version)
            and self.binding in ("", how)
        )


# What `call_agent` speaks. A2A 0.2 sends the same messages as 0.3 (`message/send`, parts by `kind`).
CALLED: Final = tuple(
    ProtocolSupport.from_text(text)
    for text in (
        "a2a/1.0+JSONRPC",
        "a2a/1.0+HTTP+JSON",
        "a2a/0.3+JSONRPC",
        "a2a/0.3+HTTP+JSON",
        "a2a/0.2+JSONRPC",
        "mcp+http",
    )
)


def all_spoken(supported: Iterable[ProtocolSupport | str] | None) -> tuple[ProtocolSupport, ...]:
    """Return what a caller says it speaks; what `call_agent` does where it says nothing.

    Raises:
        BadArgument: If it is no list of such texts, or an empty one.
    """
    if supported is None:
        return CALLED
    if isinstance(supported, str):
        raise BadArgument("supported", f"must be a list, such as [{supported!r}], not one text")
    spoken = tuple(
        one if isinstance(one, ProtocolSupport) else ProtocolSupport.from_text(one) for one in supported
    )
    if not spoken:
        raise BadArgument("supported", f"must name at least one of the form {_FORM}")
    return spoken
