"""The settings of a client."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

import httpx

from .errors import invalid_argument

DEFAULT_TIMEOUT = 60.0
DEFAULT_MAX_RETRIES = 2


class RequestOptions(TypedDict, total=False):
    """Options of one call. They override those of the client."""

    timeout: float
    """Seconds for an attempt; for uploads, downloads and events, for each pause between bytes."""
    max_retries: int
    """The maximum number of retries of a failed request."""
    idempotency_key: str
    """The key of a POST or `findings.update_many`: the same key takes effect once. By default each call has its own."""
    if_match: str
    """The `ETag` of the resource to change. If it has changed since, the call raises PreconditionFailedError."""
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Settings:
    """The settings of a client. Their string form never contains the token."""

    token: str = field(repr=False)
    base_url: str
    timeout: float
    max_retries: int
    headers: Mapping[str, str] = field(repr=False)


def read_settings(
    token: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    headers: Mapping[str, str] | None,
) -> Settings:
    """Completes the settings from the environment; raises an AssayError for an invalid setting."""
    token = (token if token is not None else os.environ.get("ASSAY_TOKEN", "")).strip()
    if not token:
        raise invalid_argument("Give a token, or set ASSAY_TOKEN.")
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise invalid_argument("The token has characters that no token has.")
    base_url = (base_url if base_url is not None else os.environ.get("ASSAY_BASE_URL", "")).strip()
    if not re.match(r"https?://[^/]", base_url):
        raise invalid_argument("Give the base_url with https://, or set ASSAY_BASE_URL.")
    try:
        httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise invalid_argument(f"The base_url is not an address: {error}") from None
    base_url = f"{base_url.rstrip('/').removesuffix('/api/v1')}/api/v1"
    return Settings(token, base_url, timeout, max_retries, dict(headers or {}))
