"""Every exchange with the synchronous client. A call is cancelled by an interrupt, as by Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import httpx
import pytest
from exchange_runner import CASES, TLS, Cancelled, Runner, case_name

from assay import Assay


def interrupt(*_: Any) -> None:
    raise Cancelled


def interrupt_later(runner: Runner, thread: int, seconds: float) -> None:
    runner.await_last_request()
    time.sleep(seconds)
    if not runner.has_ended:
        signal.pthread_kill(thread, signal.SIGALRM)


def perform(runner: Runner) -> None:
    def sleep(seconds: float) -> None:
        if runner.count_wait(seconds):
            raise Cancelled

    with runner.make_client(Assay, httpx.HTTPTransport(verify=TLS), sleep) as runner.client:
        positional, named = runner.arguments()
        after = runner.cancel.get("after_ms")
        if after == 0:
            raise Cancelled
        if after:
            signal.signal(signal.SIGALRM, interrupt)
            main = threading.get_ident()
            threading.Thread(target=interrupt_later, args=(runner, main, after / 1000), daemon=True).start()
        for _ in range(runner.call.get("times", 1)):
            result = runner.method()(*positional, **named)
        if not runner.iterates:
            runner.result = result
            if runner.call["method"] == "export":
                runner.check_content(result, result.bytes())
            return
        for item in result:
            runner.items.append(item)
            if runner.took_all():
                break
        del result


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_exchange(case: dict[str, Any]) -> None:
    runner = Runner(case)
    try:
        perform(runner)
    except (Exception, Cancelled) as error:
        runner.error = error
    finally:
        runner.end()
    if case["expect"].get("cancelled"):
        assert isinstance(runner.error, Cancelled), f"It was not cancelled: {runner.error!r}"
    runner.check()
