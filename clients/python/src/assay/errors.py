"""The errors of this library. `AssayError` is their base."""

from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

import httpx

from ._models import build
from .types import ErrorDetail


class AssayError(Exception):
    """
    The base of all errors of this library, and itself the error for arguments that are refused before anything is sent.
    No error contains the token.
    """

    message: str
    """Says what is wrong and what to do about it."""
    status: int | None
    """The status of the response; None without a response."""
    code: str | None
    """The error code for programs, such as `not_found`; None for other responses, such as the error page of a proxy."""
    details: list[ErrorDetail]
    """Each invalid field or parameter."""
    request_id: str | None
    """Identifies the request in the service's log."""
    retry_after: float | None
    """The seconds to wait before the next attempt, if the service sent them."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        details: list[ErrorDetail] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details = details or []
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        known = [str(self.status or ""), self.code or "", f"request {self.request_id}" if self.request_id else ""]
        facts = ", ".join(fact for fact in known if fact)
        return f"{self.message} ({facts})" if facts else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # multiprocessing and Celery pickle errors to pass them between processes.
        return (_restore, (type(self), self.message, {**self.__dict__}))


def _restore(class_: type[AssayError], message: str, fields: dict[str, Any]) -> AssayError:
    error = class_(message)
    error.__dict__.update(fields)
    return error


class APIConnectionError(AssayError):
    """There was no response, or it was incomplete."""


class APITimeoutError(APIConnectionError):
    """There was no response in time."""


class InvalidResponseError(AssayError):
    """The response is a success but not JSON: the address is not that of Assay."""


class APIStatusError(AssayError):
    """The service refused the request. It has a subclass for each known status, and is raised itself for others."""

    status: int  # pyright: ignore[reportIncompatibleVariableOverride]


class BadRequestError(APIStatusError):
    """400: the shape or a value of the request is wrong."""


class AuthenticationError(APIStatusError):
    """401: there is no valid token."""


class PermissionDeniedError(APIStatusError):
    """403: the token does not permit this."""


class NotFoundError(APIStatusError):
    """404: there is no such resource."""


class ConflictError(APIStatusError):
    """409: the current state does not allow this."""


class PreconditionFailedError(APIStatusError):
    """412: the resource has changed since the ETag that was passed as `if_match`."""


class PayloadTooLargeError(APIStatusError):
    """413: the body is too large."""


class UnsupportedMediaTypeError(APIStatusError):
    """415: the body is of a type that is not accepted."""


class RateLimitError(APIStatusError):
    """429: too many requests. Try again after `retry_after` seconds."""


class InternalServerError(APIStatusError):
    """5xx: the service, or a proxy in front of it, failed."""


class ServiceUnavailableError(InternalServerError):
    """503: the service is temporarily unavailable."""


_classes: dict[int, type[APIStatusError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    429: RateLimitError,
    503: ServiceUnavailableError,
}


def invalid_argument(message: str) -> AssayError:
    return AssayError(message, code="invalid_argument")


def _seconds_of_date(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (TypeError, ValueError):
        return None


def _read_retry_after(headers: httpx.Headers) -> float | None:
    """Returns the seconds until the time in `Retry-After`, by the server's clock; None if it is missing or invalid."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    at = _seconds_of_date(text)
    if at is None:
        return None
    now = _seconds_of_date(headers.get("date"))
    return max(0.0, at - (time() if now is None else now))


def _message_without_body(status: int) -> str:
    """The message for a response that is not Assay's own but a proxy's."""
    if status == 413:
        return (
            "A proxy in front of Assay refused the request (413): its limit for the size of a body is too low. "
            "Send less at a time, or ask the operator to raise the limit, as docs/reverse-proxies.md says."
        )
    return f"The server responded with status {status}."


def status_error(response: httpx.Response, text: str) -> APIStatusError:
    """Returns the error for a response. `text` is its body, without the token."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None  # an error page of something between the client and the service
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        error = {}
    status = response.status_code
    message, code, details = error.get("message"), error.get("code"), error.get("details")
    class_ = _classes.get(status, InternalServerError if status >= 500 else APIStatusError)
    return class_(
        message if isinstance(message, str) else _message_without_body(status),
        status=status,
        code=code if isinstance(code, str) else None,
        details=build(list[ErrorDetail], details) if isinstance(details, list) else [],
        request_id=error.get("request_id") or response.headers.get("x-request-id"),
        retry_after=_read_retry_after(response.headers),
    )
