"""The client library of Assay, a self-hosted security findings platform."""

from . import enums, params, resources, types
from ._async._client import AsyncAssay
from ._async._content import AsyncContent
from ._files import UploadProgress
from ._models import Model, ResponseInfo
from ._organization_events import OrganizationEventData
from ._page import AsyncList, AsyncPage, Page
from ._settings import RequestOptions
from ._sse import ServerEvent
from ._sync._client import Assay
from ._sync._content import Content
from ._version import __version__
from .enums import *  # noqa: F403
from .errors import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AssayError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    InternalServerError,
    InvalidResponseError,
    NotFoundError,
    PayloadTooLargeError,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    ServiceUnavailableError,
    UnsupportedMediaTypeError,
)

__all__ = [
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "Assay",
    "AssayError",
    "AsyncAssay",
    "AsyncContent",
    "AsyncList",
    "AsyncPage",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "Content",
    "InternalServerError",
    "InvalidResponseError",
    "Model",
    "NotFoundError",
    "OrganizationEventData",
    "Page",
    "PayloadTooLargeError",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimitError",
    "RequestOptions",
    "ResponseInfo",
    "ServerEvent",
    "ServiceUnavailableError",
    "UnsupportedMediaTypeError",
    "UploadProgress",
    "__version__",
    "enums",
    "params",
    "resources",
    "types",
]
__all__ += enums.__all__
