"""The errors of this library. `AssayError` is the base of all."""

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
    No error holds the token.
    """

    message: str
    """What was wrong, and what to do about it."""
    status: int | None
    """The status of the response; None when there was none."""
    code: str | None
    """What programs go by, such as `not_found`; None when the response has none, as an error page of a proxy."""
    details: list[ErrorDetail]
    """Each thing that was wrong."""
    request_id: str | None
    """The id under which the service logged the request."""
    retry_after: float | None
    """How many seconds the service asks to wait before the next attempt."""

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
        # Errors cross processes: multiprocessing and Celery pickle them.
        return (_restore, (type(self), self.message, {**self.__dict__}))


def _restore(class_: type[AssayError], message: str, fields: dict[str, Any]) -> AssayError:
    error = class_(message)
    error.__dict__.update(fields)
    return error


class APIConnectionError(AssayError):
    """There was no response, or it was cut short."""


class APITimeoutError(APIConnectionError):
    """There was no response in time."""


class InvalidResponseError(AssayError):
    """The response is a success, but not JSON: something else is at this address."""


class APIStatusError(AssayError):
    """The service refused the request: the base of one class for each status, and itself for a status without one."""

    status: int  # pyright: ignore[reportIncompatibleVariableOverride]


class BadRequestError(APIStatusError):
    """400: the shape or a value of the request is wrong."""


class AuthenticationError(APIStatusError):
    """401: there is no valid token."""


class PermissionDeniedError(APIStatusError):
    """403: the token may not do this."""


class NotFoundError(APIStatusError):
    """404: there is no such thing."""


class ConflictError(APIStatusError):
    """409: the state of things does not allow this."""


class PreconditionFailedError(APIStatusError):
    """412: it has changed since the ETag given as `if_match`."""


class PayloadTooLargeError(APIStatusError):
    """413: the body is too large."""


class UnsupportedMediaTypeError(APIStatusError):
    """415: the body is of a type that is not accepted."""


class RateLimitError(APIStatusError):
    """429: too many requests. `retry_after` seconds later there is room again."""


class InternalServerError(APIStatusError):
    """5xx: something went wrong in the service or before it."""


class ServiceUnavailableError(InternalServerError):
    """503: the service is away for a moment."""


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
    """Returns the seconds from now to when `Retry-After` says, by the clock of the server; None if it can't be read."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    at = _seconds_of_date(text)
    if at is None:
        return None
    now = _seconds_of_date(headers.get("date"))
    return max(0.0, at - (time() if now is None else now))


def status_error(response: httpx.Response, text: str) -> APIStatusError:
    """Returns the error that a response is. `text` is its body, without the token."""
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
        message if isinstance(message, str) else f"The server responded with status {status}.",
        status=status,
        code=code if isinstance(code, str) else None,
        details=build(list[ErrorDetail], details) if isinstance(details, list) else [],
        request_id=error.get("request_id") or response.headers.get("x-request-id"),
        retry_after=_read_retry_after(response.headers),
    )
