# Generated from contract/openapi.json by npm run contract; do not edit.
"""Files that become beats."""

from __future__ import annotations

from ..._sync.uploads import UploadsTransfers
from ...request import Query
from ...transfer import PART_BYTES, Progress, Uploadable
from .. import operations
from ..enums import UploadKind
from ..models import ReadyUpload, Upload
from .pages import UploadListing, UploadPage


class Uploads(UploadsTransfers):
    """Files that become beats."""

    def list(self, *, page: int | None = None, limit: int | None = None, max_items: int | None = None) -> UploadListing:
        """List your uploads.

        Returns the uploads of the key's account, newest first, one page at a time, and how much of the storage its
        files take.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit}
        return UploadListing(self._client, operations.LIST_UPLOADS, UploadPage, {"uploads": Upload}, query, max_items)

    def delete(self, upload_id: str) -> None:
        """Delete an upload.

        Deletes an upload in any state, unless a beat uses it.

        Args:
            upload_id: Identifier of the upload, such as `upl_` and 22 letters and digits.
        """
        self._client._nothing(operations.DELETE_UPLOAD, path={"upload_id": upload_id})

    def get(self, upload_id: str) -> Upload:
        """Get one of your uploads.

        Returns the state of an upload: how much of it has arrived and, after the analysis, the results or the reason of
        its rejection. An upload of another account is 404.

        Args:
            upload_id: Identifier of the upload, such as `upl_` and 22 letters and digits.
        """
        return self._client._object(operations.GET_UPLOAD, Upload, "upload", path={"upload_id": upload_id})

    def retry(self, upload_id: str) -> Upload:
        """Analyse an upload again.

        Analyses a file again that was rejected because of a fault of the service. An upload that was not rejected is
        returned unchanged.

        Args:
            upload_id: Identifier of the upload, such as `upl_` and 22 letters and digits.
        """
        return self._client._object(operations.RETRY_UPLOAD, Upload, "upload", path={"upload_id": upload_id})

    def upload(
        self,
        file: Uploadable,
        *,
        kind: UploadKind,
        filename: str | None = None,
        progress: Progress | None = None,
        part_bytes: int = PART_BYTES,
    ) -> Upload:
        """Uploads a file in parts, by tus 1.0.

        After a failed part, continues at the offset that the service has. Then the service analyses the file: `wait`
        waits for that. The timeout applies to each part, and grows by a second for each 64 kB of the part. After an
        error, `resume` continues with the id that `progress` got.

        Args:
            file: The content of the upload. A path, a file opened in binary mode, or bytes.
            kind: audio, stems or cover.
            filename: The name that people see. By default the file's own name, or the kind if it has no name.
            progress: Called when the upload's id is known, and after each part.
            part_bytes: The size of a part, which is held in memory. A file that fits into one part is sent in one
                request.

        Raises:
            BeatMarketError: if the file cannot be read.
            InvalidRequestError: if the file is too large, or the account has too many uploads that no beat uses.
        """
        return self._transfer_upload(file, kind, filename, progress, part_bytes)

    def resume(
        self, upload_id: str, file: Uploadable, *, progress: Progress | None = None, part_bytes: int = PART_BYTES
    ) -> Upload:
        """Sends the rest of a file whose upload was begun by this process or another one.

        Args:
            upload_id: The upload.
            file: The same file. A path, a file opened in binary mode, or bytes.
            progress: As for `upload`.
            part_bytes: As for `upload`.

        Raises:
            BeatMarketError: if the file cannot be read, or has another size than the upload.
            NotFoundError: if the account has no such upload, or the upload was deleted.
        """
        return self._transfer_resume(upload_id, file, progress, part_bytes)

    def wait(self, upload_id: str, *, timeout: float = 600.0) -> ReadyUpload:
        """Waits until an upload is ready, for at most ten minutes by default.

        Args:
            upload_id: The upload.
            timeout: Seconds.

        Raises:
            UploadRejectedError: if its file was rejected.
            APITimeoutError: if the upload is neither ready nor rejected in time.
            NotFoundError: if the account has no such upload, or the upload was deleted.
        """
        return self._transfer_wait(upload_id, timeout)
