"""The async engine of a2a-sdk's stores."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import JSON, select, type_coerce

from cardwright_gateway.database.async_engine import async_engine


def test_a_whole_number_greater_than_64_bits_is_stored() -> None:
    """Protobuf has only doubles, and MessageToDict makes them int if they are whole."""

    async def run() -> Any:
        engine = async_engine(":memory:")
        try:
            async with engine.connect() as connection:
                return (
                    await connection.execute(select(type_coerce({"a": 10**300, "b": "\u00e9"}, JSON)))
                ).scalar_one()
        finally:
            await engine.dispose()

    assert asyncio.run(run()) == {"a": float(10**300), "b": "\u00e9"}
