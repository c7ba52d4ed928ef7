"""The function behind the agent of `gateway.yml`."""


def answer(message: str) -> str:
    """Return a reply to a message."""
    return f"Nothing is open for: {message}"
