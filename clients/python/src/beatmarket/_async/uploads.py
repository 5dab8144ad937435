"""The files that beats are made of."""

from __future__ import annotations

import time

from .._generated._async import uploads as generated
from .._generated.enums import UploadKind
from .._generated.models import ReadyUpload, Upload
from ..errors import APIConnectionError, APIStatusError, APITimeoutError, NotFoundError, UploadRejectedError
from ..request import Request, build_request, path_segment
from ..settings import check_count, check_seconds
from ..transfer import (
    PART_BYTES,
    TUS,
    Progress,
    Transfer,
    Uploadable,
    created_id,
    creation_headers,
    for_part,
    offset_in,
    open_source,
    part_headers,
)
from ..tries import Tries

_FIRST_POLL_S = 1.0
_LONGEST_POLL_S = 8.0


class AsyncUploads(generated.AsyncUploads):
    """Files that become beats: audio, stems and covers."""

    async def upload(
        self,
        file: Uploadable,
        *,
        kind: UploadKind,
        filename: str | None = None,
        progress: Progress | None = None,
        part_bytes: int = PART_BYTES,
    ) -> Upload:
        """Uploads a file, in parts and by tus 1.0: a part that fails is sent again from where the service has it.

        The service analyses the file from then on; `wait` waits for that. When this raises, `resume` goes on with the
        id that `progress` got.

        Args:
            file: a path, a file opened in binary mode, or bytes.
            kind: audio, stems or cover.
            filename: the name of the file by default.
            progress: called with an UploadProgress once the upload's id is known, and after each part.
            part_bytes: the size of a part, which is held in memory; a smaller file is one request.

        Raises:
            BeatMarketError: the file cannot be read.
            InvalidRequestError: the file is too large for its kind, or (409) the account has too many uploads.
        """
        check_count("part_bytes", part_bytes, least=1)
        with open_source(file) as source:
            first = source.read(0, source.size) if source.size <= part_bytes else b""
            headers = creation_headers(source.size, kind, filename or source.name or kind)
            request = self._request("POST", "/uploads", headers, first)
            created = await self._client._send(request, for_part(self._client._settings, first))
            transfer = Transfer(created_id(created), source, part_bytes, progress)
            return await self._transfer(transfer, len(first))

    async def resume(
        self,
        upload_id: str,
        file: Uploadable,
        *,
        progress: Progress | None = None,
        part_bytes: int = PART_BYTES,
    ) -> Upload:
        """Sends the rest of a file whose upload was begun, also by another process.

        Args:
            upload_id: of the upload.
            file: as for `upload`: the same file.
            progress: as for `upload`.
            part_bytes: as for `upload`.

        Raises:
            BeatMarketError: the file has another size.
            NotFoundError: the upload has expired, or belongs to another account.
        """
        check_count("part_bytes", part_bytes, least=1)
        with open_source(file) as source:
            return await self._transfer(Transfer(upload_id, source, part_bytes, progress), None)

    async def wait(self, upload_id: str, *, timeout: float = 600.0) -> ReadyUpload:
        """Waits until an upload is ready.

        Args:
            upload_id: of the upload.
            timeout: seconds.

        Raises:
            UploadRejectedError: the file was rejected; the message is the reason.
            APITimeoutError: it is not ready in time.
        """
        if timeout != 0:
            check_seconds("timeout", timeout)
        end = time.monotonic() + timeout
        poll_s = _FIRST_POLL_S
        while True:
            upload = await self.get(upload_id)
            if upload.status == "ready":
                return ReadyUpload._of(upload.to_dict(), upload.response)
            if upload.status == "rejected":
                raise UploadRejectedError(upload)
            left_s = end - time.monotonic()
            if left_s <= 0:
                raise APITimeoutError(f"The upload {upload_id} is {upload.status} after {timeout:g} s.")
            await self._client._sleep(min(poll_s, left_s))
            poll_s = min(poll_s * 2, _LONGEST_POLL_S)

    async def _transfer(self, transfer: Transfer, offset: int | None) -> Upload:
        """Sends what the service does not have. After a failure it asks for the offset, and continues from there."""
        head = self._request("HEAD", f"/uploads/{path_segment('upload_id', transfer.upload_id)}", TUS)
        tries = Tries(self._client._settings.patient(), head, transfer)
        while True:
            try:
                await self._send_rest(transfer, head, offset)
                break
            except (APIConnectionError, APIStatusError) as error:
                offset = None
                await self._client._sleep(tries.failed(error))
        return await self.get(transfer.upload_id)

    async def _send_rest(self, transfer: Transfer, head: Request, offset: int | None) -> None:
        settings = self._client._settings.once()
        if offset is None:
            offset = await self._offset(transfer, head)
        transfer.report(offset)
        while offset < transfer.source.size:
            part = transfer.source.read(offset, transfer.part_bytes)
            path = f"/uploads/{path_segment('upload_id', transfer.upload_id)}"
            request = self._request("PATCH", path, {"upload-offset": str(offset)}, part)
            offset = offset_in(await self._client._send(request, for_part(settings, part)))
            transfer.report(offset)

    async def _offset(self, transfer: Transfer, head: Request) -> int:
        try:
            return transfer.checked_offset(await self._client._send(head, self._client._settings.once()))
        except NotFoundError:
            await self.get(transfer.upload_id)  # says why, which the response to HEAD cannot
            raise

    def _request(self, method: str, path: str, headers: dict[str, str], part: bytes = b"") -> Request:
        return build_request(
            self._client._settings,
            method,
            path,
            headers={**headers, **part_headers(part)} if part else headers,
            content=part or None,
            has_envelope=False,
        )
