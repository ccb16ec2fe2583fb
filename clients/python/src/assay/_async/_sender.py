from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx

from .._models import ResponseInfo
from .._request import Request, body_of, headers_of, is_retryable, url_of, wait_before
from .._settings import RequestOptions, Settings
from ..errors import APIConnectionError, APITimeoutError, AssayError, InvalidResponseError, status_error
from ._runtime import HttpClient, Sleep, Transport
from ._upload import AsyncUpload

log = logging.getLogger("assay")


def _explain(error: httpx.HTTPError, timeout: float) -> AssayError:
    """Returns the error that the caller gets for a failure to send or to read."""
    if isinstance(error, httpx.TimeoutException):
        message = f"There was no response within {timeout:g} seconds. Is the service busy? See timeout."
        return APITimeoutError(message, code="timeout")
    reason = str(error) or type(error).__name__
    return APIConnectionError(f"The connection failed: {reason}", code="connection_error")


class AsyncSender:
    """Sends requests with their token, retries and time limits."""

    def __init__(self, settings: Settings, sleep: Sleep, transport: Transport | None) -> None:
        self.settings = settings
        self.sleep = sleep
        # A redirect would send the token to an unconfigured address.
        self.http = HttpClient(transport=transport, follow_redirects=False)

    async def json(
        self, request: Request, options: RequestOptions | None = None, upload: AsyncUpload | None = None
    ) -> tuple[Any, ResponseInfo]:
        """Sends a request and returns its parsed JSON (None for 204), and the response's metadata."""
        received: tuple[Any, ResponseInfo] = await self._retry(request, options or {}, upload, stream=False)
        return received

    async def stream(self, request: Request, options: RequestOptions | None = None) -> httpx.Response:
        """Sends a request and returns its response with the body unread. The caller closes it."""
        response: httpx.Response = await self._retry(request, options or {}, None, stream=True)
        return response

    async def chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """Yields the bytes of a body as they arrive."""
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except httpx.HTTPError as error:
            raise _explain(error, response.request.extensions["timeout"]["read"]) from error
        finally:
            await response.aclose()

    async def _retry(self, request: Request, options: RequestOptions, upload: AsyncUpload | None, stream: bool) -> Any:
        url, headers, body = (
            url_of(self.settings, request),
            headers_of(self.settings, request, options),
            body_of(request),
        )
        if upload is not None:
            headers["content-type"] = "application/octet-stream"
            if upload.total_bytes is not None:
                headers["content-length"] = str(upload.total_bytes)
        timeout = options.get("timeout", self.settings.timeout)
        max_retries = options.get("max_retries", self.settings.max_retries)
        retry = 0
        while True:
            content = upload.chunks() if upload else body
            sent = self.http.build_request(request.method, url, headers=headers, content=content, timeout=timeout)
            try:
                return await self._attempt(sent, timeout, stream, retry + 1)
            except AssayError as error:
                if retry >= max_retries or (upload and not upload.replayable) or not is_retryable(error, request):
                    raise
                wait = wait_before(retry, error, max_retries)
                if wait is None:
                    raise
                log.info("%s %s: attempt %d failed, again in %.2f s: %s", request.method, url, retry + 1, wait, error)
            await self.sleep(wait)
            retry += 1

    async def _attempt(self, sent: httpx.Request, timeout: float, stream: bool, number: int) -> Any:
        started = time.monotonic()
        try:
            response = await self.http.send(sent, stream=True)
            read = False
            try:
                log.debug(
                    "%s %s: %d in %.0f ms (attempt %d, request %s)",
                    sent.method,
                    sent.url,
                    response.status_code,
                    (time.monotonic() - started) * 1000,
                    number,
                    response.headers.get("x-request-id"),
                )
                if stream and response.is_success:
                    read = True
                    return response
                data = self._read_body(response, await self._read_text(response, started + timeout))
                return data, ResponseInfo(response.status_code, response.headers, response.headers.get("x-request-id"))
            finally:
                if not read:
                    await response.aclose()
        except httpx.HTTPError as error:
            explained = _explain(error, timeout)
            log.debug("%s %s: %s (attempt %d)", sent.method, sent.url, explained, number)
            raise explained from error

    async def _read_text(self, response: httpx.Response, end: float) -> bytes:
        chunks = []
        async for chunk in response.aiter_bytes():
            chunks.append(chunk)
            if time.monotonic() > end:
                raise httpx.ReadTimeout("The body took too long.", request=response.request)
        return b"".join(chunks)

    def _read_body(self, response: httpx.Response, body: bytes) -> Any:
        if not response.is_success:
            text = body.decode("utf-8", "replace").replace(self.settings.token, "[redacted]")
            raise status_error(response, text)
        if response.status_code == 204 or (response.status_code == 202 and not body):
            return None
        try:
            return json.loads(body)
        except ValueError:
            raise InvalidResponseError(
                "The response is not JSON. Is the base address that of Assay?",
                status=response.status_code,
                code="invalid_response",
                request_id=response.headers.get("x-request-id"),
            ) from None
