"""Call an agent of another platform with a2a-sdk's own client: `python client.py BASE KEY [TEXT]` (BeeOS seed §9)."""

import asyncio
import sys

import httpx
from a2a.client import A2ACardResolver, AuthInterceptor, CredentialService, create_client
from a2a.helpers import get_stream_response_text, new_text_message
from a2a.types import AgentCard, Role, SendMessageRequest, TaskState


class OwnersKey(CredentialService):
    """Credential service that sends the API key of the agent's owner for the API key schemes of the card."""

    def __init__(self, card: AgentCard, key: str) -> None:
        schemes = card.security_schemes.items()
        self.keys = {name: key for name, scheme in schemes if scheme.HasField("api_key_security_scheme")}

    async def get_credentials(self, security_scheme_name: str, context: object) -> str | None:
        """Return the key for an API key scheme, else None."""
        del context
        return self.keys.get(security_scheme_name)


async def main(base: str, key: str, text: str) -> None:
    """Discover the card, send a message, and print the streamed response."""
    async with httpx.AsyncClient() as http:  # 1. discover the card: it is public
        card = await A2ACardResolver(http, base).get_agent_card()
    print(f"{card.name}: {card.description} [{', '.join(card.security_schemes)}]")
    keys = OwnersKey(card, key)  # 2. create a client that sends the key as the card declares
    async with await create_client(card, interceptors=[AuthInterceptor(keys)]) as client:
        message = new_text_message(text, role=Role.ROLE_USER)  # 3. send a message and stream the response
        async for event in client.send_message(SendMessageRequest(message=message)):
            print(get_stream_response_text(event), end="", flush=True)
            if event.status_update.status.state == TaskState.TASK_STATE_COMPLETED:
                print(f"\n[task completed] {event.status_update.task_id}")


asyncio.run(main(sys.argv[1], sys.argv[2], " ".join(sys.argv[3:]) or "List the open pull requests"))
