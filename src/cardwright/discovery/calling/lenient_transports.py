"""JSON-RPC transports of a2a-sdk that read times without a zone as UTC: fasta2a sends such times, and a2a-sdk fails.

A2A 0.3 only requires ISO 8601 (0.3.0 §6.2); 1.0 requires the `Z` of ProtoJSON. Events of 0.3 are not changed: fasta2a
has no streams with 0.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.compat.v0_3.jsonrpc_transport import CompatJsonRpcTransport

from cardwright.dates import rfc3339_time

if TYPE_CHECKING:
    from a2a.client.client import ClientCallContext


class LenientJsonRpcTransport(JsonRpcTransport):
    """JSON-RPC transport for A2A 1.0."""

    def _check_jsonrpc_response(self, response_data: Any) -> dict[str, Any]:
        return _with_zones(super()._check_jsonrpc_response(response_data))


class LenientCompatJsonRpcTransport(CompatJsonRpcTransport):
    """JSON-RPC transport for A2A 0.3 and 0.2."""

    async def _send_request(
        self, json_data: dict[str, Any], context: ClientCallContext | None = None
    ) -> dict[str, Any]:
        return _with_zones(await super()._send_request(json_data, context))


def _with_zones(response: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON-RPC response whose task or status update has a time with a zone; other values stay."""
    result = response.get("result")
    if type(result) is not dict:
        return response
    if "status" in result:
        return {**response, "result": _with_zone(result)}
    changed = {name: _with_zone(result[name]) for name in ("task", "statusUpdate") if name in result}
    return {**response, "result": {**result, **changed}} if changed else response


def _with_zone(holder: Any) -> Any:
    status: Any = holder.get("status") if type(holder) is dict else None
    time = status.get("timestamp") if type(status) is dict else None
    if type(time) is not str or rfc3339_time(time) or not rfc3339_time(f"{time}Z"):
        return holder
    return {**holder, "status": {**status, "timestamp": f"{time}Z"}}
