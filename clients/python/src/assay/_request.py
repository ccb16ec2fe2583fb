"""Requests before they are sent, and the rules for retrying them."""

from __future__ import annotations

import json
import random
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from ._settings import RequestOptions, Settings
from ._version import __version__
from .errors import APIConnectionError, APIStatusError, AssayError, invalid_argument

MAX_RETRY_AFTER = 60.0
MAX_BACKOFF = 8.0
CHUNK_SIZE = 64 * 1024
ENDLESS = sys.maxsize
"""The `max_retries` of streams that never end: they wait for as long as the service requests."""


@dataclass(frozen=True)
class Request:
    """A request below the base address."""

    method: Literal["GET", "POST", "PATCH", "PUT", "DELETE"]
    path: tuple[str, ...]
    """The segments of the path, not yet encoded."""
    query: Mapping[str, Any] | None = None
    json: Any = None
    accept: str = "application/json"
    repeatable: bool = True
    """Whether the request may be repeated if an earlier attempt may have taken effect."""
    takes_key: bool = False
    """Whether the service honours an idempotency key, as with every POST: a repetition then has no further effect."""


def time_text(moment: datetime) -> str:
    """Formats a time as the service does."""
    if moment.tzinfo is None:
        raise invalid_argument("The time has no zone. Give datetime.now(timezone.utc) rather than datetime.now().")
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _encode(text: str) -> str:
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise invalid_argument(f"{text!r} is not text that can be sent.") from None


def _segment(text: object) -> str:
    if not isinstance(text, str) or text in ("", ".", ".."):
        raise invalid_argument(f"{text!r} is not an id. Give the id of a resource, as the API returned it.")
    return _encode(text)


def _query_value(value: Any) -> str:
    if isinstance(value, datetime):
        return _encode(time_text(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_query_value(item) for item in value)
    return _encode(str(value))


def url_of(settings: Settings, request: Request) -> str:
    path = "/".join(_segment(segment) for segment in request.path)
    # `from` is a keyword of Python: the argument is `from_`.
    given = {name.removesuffix("_"): value for name, value in (request.query or {}).items() if value is not None}
    query = "&".join(f"{_encode(name)}={_query_value(value)}" for name, value in given.items())
    return f"{settings.base_url}/{path}{'?' if query else ''}{query}"


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise invalid_argument(f"{value!r} can't be written as JSON.")


def body_of(request: Request) -> bytes | None:
    return None if request.json is None else json.dumps(request.json, default=_json_value).encode()


def headers_of(settings: Settings, request: Request, options: RequestOptions) -> httpx.Headers:
    # The string form of `httpx.Headers` never shows the token.
    headers = httpx.Headers(
        {
            "accept": request.accept,
            "user-agent": f"assay-python/{__version__}",
            "authorization": f"Bearer {settings.token}",
        }
    )
    if request.json is not None:
        headers["content-type"] = "application/json"
    if request.method == "POST" or request.takes_key:
        headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
    if "if_match" in options:
        headers["if-match"] = options["if_match"]
    headers.update(settings.headers)
    headers.update(options.get("headers", {}))
    return headers


def is_retryable(error: AssayError, request: Request) -> bool:
    """Returns whether another attempt is allowed and may succeed."""
    if isinstance(error, APIConnectionError):
        return request.repeatable
    if not isinstance(error, APIStatusError):
        return False
    if error.status == 429 or error.code == "idempotency_in_progress":
        return True
    return request.repeatable and (error.status == 408 or error.status >= 500)


def backoff(retry: int) -> float:
    """Returns seconds: 0.5, doubled with each retry up to 8, and shortened by up to half at random."""
    return min(0.5 * 2.0 ** min(retry, 10), MAX_BACKOFF) * random.uniform(0.5, 1)


def wait_before(retry: int, error: AssayError, max_retries: int) -> float | None:
    """Returns the seconds to wait before a retry; None if the service requests a longer wait than a call allows."""
    if error.retry_after is None:
        return backoff(retry)
    return error.retry_after if error.retry_after <= MAX_RETRY_AFTER or max_retries == ENDLESS else None
