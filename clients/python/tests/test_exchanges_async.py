"""Every exchange with the asynchronous client. A call is cancelled by cancelling its task."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from exchange_runner import CASES, TLS, Runner, case_name, pieces

from assay import AsyncAssay


async def perform(runner: Runner) -> None:
    async def sleep(seconds: float) -> None:
        if runner.count_wait(seconds):
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        await asyncio.sleep(0)

    async with runner.make_client(AsyncAssay, httpx.AsyncHTTPTransport(verify=TLS), sleep) as runner.client:
        positional, named = runner.arguments()
        for _ in range(runner.call.get("times", 1)):
            result = runner.method()(*positional, **named)
            if not runner.iterates:
                result = await result
        if not runner.iterates:
            runner.result = result
            if runner.call["method"] == "export":
                runner.check_content(result, await result.bytes())
            return
        async for item in result:
            runner.items.append(item)
            if runner.took_all():
                break
        del result
        # The event loop soon closes an iterator that was left early.
        await asyncio.sleep(0)


async def run(runner: Runner) -> None:
    task = asyncio.ensure_future(perform(runner))
    after = runner.cancel.get("after_ms")
    if after == 0:
        task.cancel()
    cancelling = asyncio.ensure_future(cancel_later(runner, task, after / 1000)) if after else None
    try:
        await task
    except (Exception, asyncio.CancelledError) as error:
        runner.error = error
    if cancelling is not None:
        await cancelling


async def cancel_later(runner: Runner, task: asyncio.Future[None], seconds: float) -> None:
    await asyncio.get_running_loop().run_in_executor(None, runner.await_last_request)
    await asyncio.sleep(seconds)
    task.cancel()


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Makes a first request: loading its modules may take longer than a case waits before it cancels."""
    runner = Runner(next(case for case in CASES if case["name"] == "204 returns nothing"))
    asyncio.run(run(runner))
    runner.end()


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_exchange(case: dict[str, Any]) -> None:
    runner = Runner(case)
    try:
        asyncio.run(run(runner))
    finally:
        runner.end()
    if case["expect"].get("cancelled"):
        assert isinstance(runner.error, asyncio.CancelledError), f"It was not cancelled: {runner.error!r}"
    runner.check()


def test_an_asynchronous_stream_is_uploaded() -> None:
    case = next(case for case in CASES if case["call"]["method"] == "upload" and "progress" in case["expect"])
    runner = Runner(case)
    size = case["expect"]["progress"]["total_bytes"]

    async def upload() -> None:
        async def stream() -> Any:
            for piece in pieces(b"0123456789abcdef" * (size // 16)):
                yield piece

        async with runner.make_client(AsyncAssay, httpx.AsyncHTTPTransport(verify=TLS), asyncio.sleep) as runner.client:
            await runner.client.imports.upload(case["call"]["arguments"][0], stream())

    try:
        asyncio.run(upload())
    finally:
        runner.end()
    runner.check_verdict()
