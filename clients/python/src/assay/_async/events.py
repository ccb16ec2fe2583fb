from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from .._settings import RequestOptions
from .._sse import ServerEvent
from ._events import follow_events
from ._resource import AsyncResource


class AsyncEvents(AsyncResource):
    """What happens in the organization."""

    def follow(self, *, options: RequestOptions | None = None) -> AsyncIterator[ServerEvent[dict[str, Any]]]:
        """
        Gives the events of the organization without end: `scan`, `report`, `bulk_operation`, `findings` and `reset`.
        After an interruption it resumes behind the last event. Leaving the loop ends it.
        """
        return follow_events(self._sender, ("events",), dict[str, Any], None, options)
