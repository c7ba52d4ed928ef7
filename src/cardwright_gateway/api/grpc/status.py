"""JSON-RPC errors as the status of a gRPC call (A2A 1.0 §10.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import grpc
from google.protobuf import any_pb2  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.json_format import Error as JsonError  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.json_format import ParseDict

# Imported for `Any`, which finds the types of details among the imported ones.
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped] # it has no stubs

from cardwright.http import problem as http_problems
from cardwright.http.problem import A2A_DOMAIN, DOMAIN, ErrorCode
from cardwright_gateway.a2a import problems
from cardwright_gateway.a2a.problems import REASONS
from cardwright_gateway.a2a_server.grpc_methods import STATUSES, error_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright_gateway.a2a.calls import Version

# The trailing metadata with a google.rpc.Status (gRPC, Richer error model).
_DETAILS: Final = "grpc-status-details-bin"
# Clients accept 8 KiB of metadata, in which details are longer by a third (gRPC, Metadata; project decision).
_MAX_DETAILS_BYTES: Final = 4 * 1024
# The header fields of a response that its caller needs with the status.
_PASSED: Final = frozenset({b"retry-after", b"www-authenticate"})
_INFO: Final = f"type.googleapis.com/{error_details_pb2.ErrorInfo.DESCRIPTOR.full_name}"
_STATUSES: Final = {
    **{(A2A_DOMAIN, reason): status for reason, status in STATUSES.items()},
    **{
        (code.domain, code.reason): code.grpc_name
        for module in (http_problems, problems)
        for code in vars(module).values()
        if isinstance(code, ErrorCode)
    },
}

Metadata = tuple[tuple[str, str | bytes], ...]


def status_of(
    error: dict[str, Any], version: Version, headers: Iterable[tuple[bytes, bytes]] = ()
) -> tuple[Any, str, Metadata]:
    """Return the code, the message and the trailing metadata of a call for a JSON-RPC error.

    Args:
        error: The error, with a `google.rpc.ErrorInfo` in `data`, or with a code of A2A.
        version: The version of A2A. Clients of 0.3 read the kind of an error in its message, as a2a-sdk writes it.
        headers: The header fields of the response.
    """
    data = error.get("data")
    details = [detail for detail in data if isinstance(detail, dict)] if isinstance(data, list) else []
    info = next((detail for detail in details if detail.get("@type") == _INFO), None)
    if info is None:
        info = {"@type": _INFO, "reason": REASONS.get(error.get("code", 0), ""), "domain": A2A_DOMAIN}
        details = [info, *details]
    domain, reason = str(info.get("domain")), str(info.get("reason"))
    code: Any = getattr(grpc.StatusCode, _STATUSES.get((domain, reason), "INTERNAL"))
    message = str(error.get("message", ""))
    if version == "0.3" and domain != DOMAIN and (name := error_name(reason)):
        message = f"{name}: {message}"
    status = status_pb2.Status(code=code.value[0], message=message, details=_packed(details))
    passed = ((name.decode(), value.decode("latin-1")) for name, value in headers if name in _PASSED)
    return code, message, ((_DETAILS, status.SerializeToString()), *passed)


def _packed(details: list[dict[str, Any]]) -> list[Any]:
    """Return the details as `google.protobuf.Any`, without those that are too long or of an unknown type."""
    packed: list[Any] = []
    size = 0
    for detail in details:
        try:
            one = ParseDict(detail, any_pb2.Any(), ignore_unknown_fields=True)
        except (JsonError, TypeError, ValueError):
            continue
        size += one.ByteSize()
        if size > _MAX_DETAILS_BYTES:
            break
        packed.append(one)
    return packed
