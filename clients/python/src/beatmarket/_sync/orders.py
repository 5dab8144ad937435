# Generated from _async by npm run contract; edit that.
"""The orders of an account, and their files."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from .._generated import operations
from .._generated.enums import FileKind
from .._generated.models import OrderFile, OrderFiles
from ..body import Body, Target
from ..downloads import (
    DownloadedFile,
    DownloadedFiles,
    OnProgress,
    OrderArchive,
    create_folder,
    failed_check,
    file_of,
    is_there,
    move,
    report,
    safe_filename,
    saved,
    sha256_of,
    without_files,
)
from ..request import Request, link_request
from ..response import Response
from ..settings import Settings
from .stream import Stream

if TYPE_CHECKING:
    from .client import BeatMarket


class OrdersTransfers:
    """The hand-written methods of orders: downloads."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def _transfer_download(
        self, order_id: int | str, kind: FileKind, destination: str | os.PathLike[str], progress: OnProgress | None
    ) -> DownloadedFile:
        listed = self._listing(order_id, self._client._settings.patient())
        return self._download(order_id, file_of(listed, kind, order_id), Path(destination), progress)

    def _transfer_download_all(
        self, order_id: int | str, folder: str | os.PathLike[str], progress: OnProgress | None
    ) -> DownloadedFiles:
        listed = self._listing(order_id, self._client._settings.patient())
        if not listed.files:
            raise without_files(order_id)
        target = create_folder(folder)
        taken: set[str] = set()
        downloaded: DownloadedFiles = []
        for file in listed.files:
            name = safe_filename(file.filename, file.kind, taken)
            taken.add(name.lower())
            downloaded.append(self._download(order_id, file, target / name, progress))
        return downloaded

    def _transfer_archive(self, order_id: int | str, path: str | os.PathLike[str]) -> OrderArchive:
        operation = operations.DOWNLOAD_ORDER_ARCHIVE
        request = self._client._request(operation, path={"order_id": order_id}, has_envelope=False)
        stream = Stream(self._client, request, Body({}))
        with saved(path) as target:
            stream.save(target)
        return OrderArchive(path, Response(200, stream.body.received, b""))

    def _listing(self, order_id: int | str, settings: Settings) -> OrderFiles:
        """The files of an order. `settings` say how often to retry while the service creates them."""
        path = {"order_id": order_id}
        return self._client._object(operations.LIST_ORDER_FILES, OrderFiles, None, settings, path=path)

    def _download(
        self, order_id: int | str, file: OrderFile, destination: Path, progress: OnProgress | None
    ) -> DownloadedFile:
        downloaded = DownloadedFile(file.kind, file.filename, file.bytes, file.sha256, str(destination))
        if self._client._work(lambda: is_there(file, destination)):
            report(file, file.bytes, progress)
            return downloaded

        def renew() -> Request:
            listed = self._listing(order_id, self._client._settings.once())
            return link_request(file_of(listed, file.kind, order_id).url, self._client._settings.user_agent)

        path = destination.with_name(f"{destination.name}.part")
        resumes = True
        while True:
            link = link_request(file.url, self._client._settings.user_agent)
            with Target(path) as target:
                bytes_before = target.bytes if resumes and target.bytes <= file.bytes else 0
                body = Body({"accept-encoding": "identity"}, bytes_before, file.bytes)
                report(file, bytes_before, progress)
                with closing(Stream(self._client, link, body, renew).pieces()) as pieces:
                    for offset, chunk in pieces:
                        target.write(offset, chunk)
                        if body.bytes > file.bytes:
                            break  # Longer than listed: not this file.
                        report(file, body.bytes, progress)
            digest = self._client._work(lambda: sha256_of(path))
            if digest == file.sha256:
                move(path, destination)
                return downloaded
            path.unlink()
            if bytes_before == 0:
                raise failed_check(file, order_id, digest)
            resumes = False  # The .part file may belong to another file: start again.
