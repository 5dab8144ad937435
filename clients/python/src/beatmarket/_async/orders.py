"""The orders of an account, and their files."""

from __future__ import annotations

import os
from contextlib import aclosing
from pathlib import Path

from .._generated import operations
from .._generated._async import orders as generated
from .._generated.enums import FileKind
from .._generated.models import OrderFile, OrderFiles
from ..body import Body, Target
from ..downloads import (
    DownloadedFile,
    OnProgress,
    OrderArchive,
    failed_check,
    file_of,
    is_there,
    made_folder,
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
from .stream import AsyncStream

_Downloaded = list[DownloadedFile]  # `list` is a method below.


class AsyncOrders(generated.AsyncOrders):
    """The purchases of the key's account, and their files."""

    async def download(
        self,
        order_id: int | str,
        kind: FileKind,
        destination: str | os.PathLike[str],
        *,
        progress: OnProgress | None = None,
    ) -> DownloadedFile:
        """Downloads a file of an order.

        The destination appears only when the file is complete; until then the bytes are in `<destination>.part`, which
        a later call resumes. Goes on where a connection breaks, and asks for a new link when the old one expires. The
        client's timeout is how long it waits for the next bytes. A file that is there already is not downloaded again.

        Args:
            order_id: of the order.
            kind: mp3, wav, stems or license.
            destination: the path of the file.
            progress: called with a DownloadProgress once it is known where the download begins, and after each chunk.

        Raises:
            ChecksumError: the file has other bytes than the service lists; it is deleted.
            BeatMarketError: the order has no such file, or the destination cannot be written.
            InvalidRequestError: with status 409, the order is not completed.
        """
        listed = await self._listing(order_id, self._client._settings.patient())
        return await self._download(order_id, file_of(listed, kind, order_id), Path(destination), progress)

    async def download_all(
        self, order_id: int | str, folder: str | os.PathLike[str], *, progress: OnProgress | None = None
    ) -> _Downloaded:
        """Downloads all files of an order into a folder, one after the other as `download` does.

        Uses the service's file names, with characters replaced that could lead outside the folder.

        Args:
            order_id: of the order.
            folder: is made if there is none.
            progress: as for `download`.

        Raises:
            ChecksumError: a file has other bytes than the service lists; it is deleted.
            BeatMarketError: the license is refunded, or a file cannot be written.
        """
        listed = await self._listing(order_id, self._client._settings.patient())
        if not listed.files:
            raise without_files(order_id)
        target = made_folder(folder)
        taken: set[str] = set()
        downloaded: _Downloaded = []
        for file in listed.files:
            name = safe_filename(file.filename, file.kind, taken)
            taken.add(name.lower())
            downloaded.append(await self._download(order_id, file, target / name, progress))
        return downloaded

    async def archive(self, order_id: int | str, path: str | os.PathLike[str]) -> OrderArchive:
        """Downloads all files of an order and its certificate into one ZIP.

        Goes on where a connection breaks. The client's timeout is how long it waits for the next bytes.

        Args:
            order_id: of the order.
            path: of the file.

        Raises:
            BeatMarketError: the file cannot be written.
            InvalidRequestError: with status 409, the order is not completed.
        """
        operation = operations.DOWNLOAD_ORDER_ARCHIVE
        request = self._client._request(operation, path={"order_id": order_id}, has_envelope=False)
        stream = AsyncStream(self._client, request, Body({}))
        with saved(path) as target:
            await stream.save(target)
        return OrderArchive(path, Response(200, stream.body.received, b""))

    async def _listing(self, order_id: int | str, settings: Settings) -> OrderFiles:
        """The files of an order. Those that are being made are waited for as long as a download may fail."""
        path = {"order_id": order_id}
        return await self._client._object(operations.LIST_ORDER_FILES, OrderFiles, None, settings, path=path)

    async def _download(
        self, order_id: int | str, file: OrderFile, destination: Path, progress: OnProgress | None
    ) -> DownloadedFile:
        downloaded = DownloadedFile(file.kind, file.filename, file.bytes, file.sha256, str(destination))
        if await self._client._work(lambda: is_there(file, destination)):
            report(file, file.bytes, progress)
            return downloaded

        async def renew() -> Request:
            listed = await self._listing(order_id, self._client._settings.once())
            return link_request(file_of(listed, file.kind, order_id).url, self._client._settings.user_agent)

        path = destination.with_name(f"{destination.name}.part")
        resumes = True
        while True:
            link = link_request(file.url, self._client._settings.user_agent)
            with Target(path) as target:
                bytes_before = target.bytes if resumes and target.bytes <= file.bytes else 0
                body = Body({"accept-encoding": "identity"}, bytes_before, file.bytes)
                report(file, bytes_before, progress)
                async with aclosing(AsyncStream(self._client, link, body, renew).pieces()) as pieces:
                    async for offset, chunk in pieces:
                        target.write(offset, chunk)
                        if body.bytes > file.bytes:
                            break  # Longer than listed: not this file.
                        report(file, body.bytes, progress)
            digest = await self._client._work(lambda: sha256_of(path))
            if digest == file.sha256:
                move(path, destination)
                return downloaded
            path.unlink()
            if bytes_before == 0:
                raise failed_check(file, order_id, digest)
            resumes = False  # The .part file may belong to another file: start again.
