# Generated from _async/_poll.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..errors import APITimeoutError
from ._sender import Sender

T = TypeVar("T")

FIRST_WAIT = 0.5
MAX_WAIT = 5.0


def poll_until(sender: Sender, look: Callable[[], T], is_done: Callable[[T], bool], max_wait: float | None) -> T:
    """Polls until the work is done: after half a second, then after longer and longer waits of at most five seconds."""
    waited, wait = 0.0, FIRST_WAIT
    while True:
        value = look()
        if is_done(value):
            return value
        if max_wait is not None and waited + wait > max_wait:
            message = f"It was not done within {max_wait:g} seconds. The work continues: wait for it again."
            raise APITimeoutError(message, code="timeout")
        sender.sleep(wait)
        waited, wait = waited + wait, min(wait * 1.5, MAX_WAIT)
