# Generated from _async by npm run contract; edit that.
"""The files that beats are made of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .._generated import operations
from .._generated.enums import UploadKind
from .._generated.models import ReadyUpload, Upload
from ..errors import APIConnectionError, APIStatusError, APITimeoutError, NotFoundError, UploadRejectedError
from ..request import Request, build_request, path_segment
from ..settings import check_count, check_seconds
from ..transfer import (
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

if TYPE_CHECKING:
    from .client import BeatMarket

_FIRST_POLL_S = 1.0
_LONGEST_POLL_S = 8.0


class UploadsTransfers:
    """The hand-written methods of uploads."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def _transfer_upload(
        self, file: Uploadable, kind: UploadKind, filename: str | None, progress: Progress | None, part_bytes: int
    ) -> Upload:
        check_count("part_bytes", part_bytes, least=1)
        with open_source(file) as source:
            first = source.read(0, source.size) if source.size <= part_bytes else b""
            headers = creation_headers(source.size, kind, filename or source.name or kind)
            request = self._request("POST", "/uploads", headers, first)
            created = self._client._send(request, for_part(self._client._settings, first))
            transfer = Transfer(created_id(created), source, part_bytes, progress)
            return self._transfer(transfer, len(first))

    def _transfer_resume(
        self, upload_id: str, file: Uploadable, progress: Progress | None, part_bytes: int
    ) -> Upload:
        check_count("part_bytes", part_bytes, least=1)
        with open_source(file) as source:
            return self._transfer(Transfer(upload_id, source, part_bytes, progress), None)

    def _transfer_wait(self, upload_id: str, timeout: float) -> ReadyUpload:
        if timeout != 0:
            check_seconds("timeout", timeout)
        end = time.monotonic() + timeout
        poll_s = _FIRST_POLL_S
        while True:
            upload = self._upload(upload_id)
            if upload.status == "ready":
                return ReadyUpload._of(upload.to_dict(), upload.response)
            if upload.status == "rejected":
                raise UploadRejectedError(upload)
            left_s = end - time.monotonic()
            if left_s <= 0:
                raise APITimeoutError(f"The upload {upload_id} is {upload.status} after {timeout:g} s.")
            self._client._sleep(min(poll_s, left_s))
            poll_s = min(poll_s * 2, _LONGEST_POLL_S)

    def _upload(self, upload_id: str) -> Upload:
        return self._client._object(operations.GET_UPLOAD, Upload, "upload", path={"upload_id": upload_id})

    def _transfer(self, transfer: Transfer, offset: int | None) -> Upload:
        """Sends the bytes that the service lacks. After a failure it requests the offset, and continues from there."""
        head = self._request("HEAD", f"/uploads/{path_segment('upload_id', transfer.upload_id)}", TUS)
        tries = Tries(self._client._settings.patient(), head, transfer)
        while True:
            try:
                self._send_rest(transfer, head, offset)
                break
            except (APIConnectionError, APIStatusError) as error:
                offset = None
                self._client._sleep(tries.failed(error))
        return self._upload(transfer.upload_id)

    def _send_rest(self, transfer: Transfer, head: Request, offset: int | None) -> None:
        settings = self._client._settings.once()
        if offset is None:
            offset = self._offset(transfer, head)
        transfer.report(offset)
        while offset < transfer.source.size:
            part = transfer.source.read(offset, transfer.part_bytes)
            path = f"/uploads/{path_segment('upload_id', transfer.upload_id)}"
            request = self._request("PATCH", path, {"upload-offset": str(offset)}, part)
            offset = offset_in(self._client._send(request, for_part(settings, part)))
            transfer.report(offset)

    def _offset(self, transfer: Transfer, head: Request) -> int:
        try:
            return transfer.checked_offset(self._client._send(head, self._client._settings.once()))
        except NotFoundError:
            self._upload(transfer.upload_id)  # raises with the reason, which a response to HEAD cannot have
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
