"""Database calls in threads whose caller is cancelled."""

from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from cardwright_gateway.tasks.rows import completed


@pytest.mark.parametrize("fails", [False, True])
def test_a_call_ends_before_its_cancelled_caller_and_its_error_is_not_logged(
    caplog: pytest.LogCaptureFixture, *, fails: bool
) -> None:
    began, may, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        may.wait(10)
        ended.set()
        if fails:
            raise ValueError

    async def run() -> None:
        calling = asyncio.create_task(completed(work))
        await asyncio.to_thread(began.wait, 10)
        calling.cancel()
        await asyncio.sleep(0)
        assert not calling.done()
        may.set()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert ended.is_set()

    asyncio.run(run())
    gc.collect()
    assert not caplog.records
