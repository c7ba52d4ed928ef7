"""Transport of a2a-sdk for A2A 0.1 over JSON-RPC: its transport for 1.0, with each call and result translated."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

from a2a.client.errors import A2AClientError
from a2a.client.transports.http_helpers import get_http_args, send_http_stream_request
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.types import StreamResponse
from a2a.utils.errors import UnsupportedOperationError
from a2a.utils.proto_utils import parse_lenient

from cardwright.canonical import decode
from cardwright.discovery.calling.a2a_v0_1 import OlderCall
from cardwright.errors import MalformedDocument
from cardwright.guard.message_limits import A2A_MESSAGES
from cardwright_rules.a2a_operations import ERRORS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from a2a.client.client import ClientCallContext

# Error codes that have another meaning in 0.1.
_OTHER_MEANING: Final = frozenset(error.code for error in ERRORS.values() if "0.1" not in error.names)


class OlderJsonRpcTransport(JsonRpcTransport):
    """JSON-RPC transport for A2A 0.1, with the interface of the transport for 1.0.

    As in the transports for the other versions, the id of a JSON-RPC response is not checked (fasta2a 0.2 sends another
    one): the HTTP response belongs to the request. The id of the task in it is.

    A message must have a task id: in A2A 0.1 the client chooses it. Lists of tasks and of push configurations, and
    extended cards, came later: they are `UnsupportedOperationError`.
    """

    async def _send_request(
        self, payload: dict[str, Any], context: ClientCallContext | None = None
    ) -> dict[str, Any]:
        call, older = _translated(payload)
        response = await super()._send_request(older, context)
        return {**response, "result": call.result(response["result"])}

    async def _send_stream_request(
        self, rpc_request_payload: dict[str, Any], context: ClientCallContext | None = None
    ) -> AsyncGenerator[StreamResponse]:
        call, older = _translated(rpc_request_payload)
        stream = send_http_stream_request(
            self.httpx_client,
            "POST",
            self.url,
            None,
            self._handle_sse_error,
            json=older,
            **get_http_args(context),
        )
        async with contextlib.aclosing(stream) as events:
            async for event in events:
                response: Any = None
                with contextlib.suppress(MalformedDocument):
                    response = decode(event.encode(), A2A_MESSAGES.decoding)
                if type(response) is not dict:
                    raise A2AClientError("an event is not an object")
                result = self._check_jsonrpc_response(response)["result"]
                yield parse_lenient(call.result(result), StreamResponse())
                if call.ends_with(result):
                    return

    def _create_jsonrpc_error(self, error_dict: dict[str, Any]) -> Exception:
        code = error_dict.get("code")
        if code in _OTHER_MEANING:
            return A2AClientError(f"JSON-RPC Error {code}: {error_dict.get('message', '')}")
        return super()._create_jsonrpc_error(error_dict)


def _translated(payload: dict[str, Any]) -> tuple[OlderCall, dict[str, Any]]:
    """Return the call of A2A 0.1 for a JSON-RPC request of 1.0, and its own request.

    Raises:
        UnsupportedOperationError: If A2A 0.1 does not have the operation.
    """
    call = OlderCall.of(payload["method"], payload["params"])
    if call is None:
        raise UnsupportedOperationError(f"A2A 0.1 does not have {payload['method']}")
    return call, {**payload, "method": call.method, "params": call.params}
