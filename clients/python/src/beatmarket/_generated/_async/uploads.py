# Generated from contract/openapi.json by npm run contract; do not edit.
"""Files that become beats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...request import Query
from .. import operations
from ..models import Upload
from .pages import AsyncUploadListing, AsyncUploadPage

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncUploads:
    """Files that become beats."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def list(
        self, *, page: int | None = None, limit: int | None = None, max_items: int | None = None
    ) -> AsyncUploadListing:
        """List your uploads.

        The uploads of the key's account, newest first, one page at a time, and how much of the storage its files take.

        Args:
            page: Page number, from 1. Default: 1.
            limit: Results per page. From 1 to 100. Default: 20.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit}
        return AsyncUploadListing(
            self._client, operations.LIST_UPLOADS, AsyncUploadPage, {"uploads": Upload}, query, max_items
        )

    async def delete(self, upload_id: str) -> None:
        """Delete an upload.

        Deletes an upload in any state, unless a beat uses it.

        Args:
            upload_id: Identifier of the upload, such as `upl_` and 22 letters and digits.
        """
        await self._client._nothing(operations.DELETE_UPLOAD, path={"upload_id": upload_id})

    async def get(self, upload_id: str) -> Upload:
        """Get one of your uploads.

        The state of a file: how much of it has arrived and, once it is analysed, the results or the reason of its
        rejection. Uploads of other accounts are 404.

        Args:
            upload_id: Identifier of the upload, such as `upl_` and 22 letters and digits.
        """
        return await self._client._object(operations.GET_UPLOAD, Upload, "upload", path={"upload_id": upload_id})

    async def retry(self, upload_id: str) -> Upload:
        """Analyse an upload again.

        Analyses a file again that was rejected because of a fault of the service. An upload that was not rejected is
        returned unchanged.

        Args:
            upload_id: Identifier of the upload, such as `upl_` and 22 letters and digits.
        """
        return await self._client._object(operations.RETRY_UPLOAD, Upload, "upload", path={"upload_id": upload_id})
