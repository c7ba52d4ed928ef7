"""The REST route of A2A 0.3 that a2a-sdk lacks; importing this module imports the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from a2a.compat.v0_3.context_builders import V03ServerCallContextBuilder
from a2a.types.a2a_pb2 import DeleteTaskPushNotificationConfigRequest
from a2a.utils.error_handlers import rest_error_handler
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from a2a.server.request_handlers.request_handler import RequestHandler
    from a2a.server.routes import ServerCallContextBuilder
    from starlette.requests import Request


def delete_push_config_route(handler: RequestHandler, contexts: ServerCallContextBuilder) -> Route:
    """Return the route that deletes a push configuration (A2A 0.3.0 §7.8); its response is an empty object."""
    older_contexts = V03ServerCallContextBuilder(contexts)

    @rest_error_handler
    async def delete(request: Request) -> Response:
        ids = request.path_params
        params = DeleteTaskPushNotificationConfigRequest(task_id=ids["id"], id=ids["push_id"])
        await handler.on_delete_task_push_notification_config(params, older_contexts.build(request))
        return JSONResponse({})

    return Route("/v1/tasks/{id}/pushNotificationConfigs/{push_id}", delete, methods=["DELETE"])
