from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from .._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from ._resources import AsyncClientResources
from ._runtime import Sleep, Transport, pause
from ._sender import AsyncSender


class AsyncAssay(AsyncClientResources):
    """
    A client of one Assay service with one token. Making one sends nothing; used with `with` (`async with`), or by
    `close()`, it closes its connections. `assay.resources` has its resources.
    """

    def __init__(
        self,
        *,
        token: str | None = None,
        base_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        transport: Transport | None = None,
        sleep: Sleep = pause,
    ) -> None:
        """
        `token`: an API token; by default `ASSAY_TOKEN` of the environment.
        `base_url`: the address of Assay, with or without `/api/v1`; by default `ASSAY_BASE_URL` of the environment.
        `timeout`: seconds for an attempt; of uploads, downloads and events, for each pause between bytes.
        `max_retries`: how often a failed request is repeated.
        `headers`: sent with every request.
        `transport`: sends the requests, as `httpx.HTTPTransport(verify=…)` or `httpx.MockTransport(…)`.
        `sleep`: waits that many seconds between attempts and looks; for tests.
        """
        settings = read_settings(token, base_url, timeout, max_retries, headers)
        super().__init__(AsyncSender(settings, sleep, transport))

    async def close(self) -> None:
        """Closes the connections. Call it when the client is no longer needed."""
        await self._sender.http.aclose()

    async def __aenter__(self) -> AsyncAssay:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._sender.settings.base_url}>"
