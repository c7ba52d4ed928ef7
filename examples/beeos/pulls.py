"""The function behind the agent of `gateway.yml`."""


def answer(message: str) -> str:
    """Return what was asked for."""
    return f"Nothing is open for: {message}"
