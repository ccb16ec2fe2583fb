# Generated from _async/imports.py by scripts/generate-clients.mjs. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._files import OnProgress
from .._request import Request
from .._settings import RequestOptions
from ._resource import Resource
from ._upload import Upload, UploadSource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p


class Imports(Resource):
    """Imports: results and SBOMs of other scanners."""

    def upload(
        self,
        id: str,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportParams],
    ) -> types.Scan:
        """
        Uploads a result file to a data source, as a stream, and returns the scan that imports it: wait for that.
        A text is the content of the file; give its place as a `Path`. A stream is sent once: what can be read again
        (bytes, a text, a path, an opened file) can be retried too.
        """
        request = Request("POST", ("data-sources", id, "imports"), query=params)
        upload = Upload(file, on_progress)
        return self._build(types.Scan, self._sender.json(request, options, upload))

    def preview(
        self,
        id: str,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportParams],
    ) -> types.ImportPreview:
        """Uploads a result file and returns what its import would do. Nothing is written."""
        request = Request("POST", ("data-sources", id, "imports"), query={**params, "dry_run": True})
        upload = Upload(file, on_progress)
        return self._build(types.ImportPreview, self._sender.json(request, options, upload))

    def upload_by_name(
        self,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportByNameParams],
    ) -> types.Scan:
        """
        Uploads a result file to the `upload` data source of a name, which the first import adds, and returns the scan
        that imports it.
        """
        request = Request("POST", ("imports",), query=params)
        upload = Upload(file, on_progress)
        return self._build(types.Scan, self._sender.json(request, options, upload))

    def preview_by_name(
        self,
        file: UploadSource,
        *,
        on_progress: OnProgress | None = None,
        options: RequestOptions | None = None,
        **params: Unpack[p.ImportByNameParams],
    ) -> types.ImportPreview:
        """Uploads a result file and returns what its import by name would do. Nothing is written."""
        request = Request("POST", ("imports",), query={**params, "dry_run": True})
        upload = Upload(file, on_progress)
        return self._build(types.ImportPreview, self._sender.json(request, options, upload))
