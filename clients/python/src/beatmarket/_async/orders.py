"""The orders of an account, and their files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from .. import operations
from ..downloads import (
    DownloadedFile,
    DownloadedFiles,
    OnProgress,
    PartFile,
    failed_check,
    file_of,
    is_there,
    made_folder,
    move,
    report,
    safe_filename,
    sha256_of,
    without_files,
)
from ..errors import APIConnectionError, APIStatusError, ChecksumError, GoneError
from ..models import LicenseType, Order, OrderFile, OrderFileKind, OrderFiles, OrderStatus
from ..request import Request, link_request
from ..transfer import once, patient
from ..tries import Tries

if TYPE_CHECKING:
    from ..listings import AsyncListing
    from .client import AsyncBeatMarket


class AsyncOrders:
    """Orders of your account."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: OrderStatus | None = None,
        max_items: int | None = None,
    ) -> AsyncListing[Order]:
        """Lists the orders of the key's account, newest first.

        Args:
            page: the first page, from 1.
            limit: orders per page, 1 to 100; 20 by default.
            status: only orders with this status: completed, pending or failed.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "status": status}
        return self._client._list(operations.LIST_ORDERS, query, max_items)

    async def get(self, order_id: int | str) -> Order:
        """Gets an order of the key's account. Raises NotFoundError if the account has none with this id."""
        return await self._client._call(operations.GET_ORDER, ids={"order_id": order_id})

    async def create(
        self,
        *,
        beat_id: int,
        payment_method: str,
        license_type: LicenseType | None = None,
        idempotency_key: str | None = None,
    ) -> Order:
        """Buys a license of a beat. A declined payment returns an order with the status failed.

        Args:
            beat_id: the beat to buy.
            payment_method: the payment provider's identifier, such as `pm_card_visa`; never a card number.
            license_type: basic (default), premium, unlimited or exclusive.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours place one
                order. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of
                the error if all of them fail.

        Raises:
            InvalidRequestError: with status 409, the beat is sold, being bought or your own, or the key belongs to
                another order.
            NotFoundError: the beat does not exist.
        """
        body: dict[str, int | str] = {"beat_id": beat_id, "payment_method": payment_method}
        if license_type is not None:
            body["license_type"] = license_type
        headers = None if idempotency_key is None else {"idempotency-key": idempotency_key}
        return await self._client._call(operations.CREATE_ORDER, body=body, headers=headers)

    async def files(self, order_id: int | str) -> OrderFiles:
        """Gets what a completed order brings: its files, under links that live for 15 minutes, and its license.

        Files that are still being made are waited for.

        Raises:
            InvalidRequestError: with status 409, the order is not completed.
            NotFoundError: the account has no order with this id.
        """
        return await self._client._call(operations.LIST_ORDER_FILES, ids={"order_id": order_id})

    async def download(
        self,
        order_id: int | str,
        kind: OrderFileKind,
        destination: str | os.PathLike[str],
        *,
        progress: OnProgress | None = None,
    ) -> DownloadedFile:
        """Downloads a file of an order to a path, which has it complete or not at all.

        Until then it is `<destination>.part`, which a later call goes on with. Goes on where a connection breaks, and
        asks for a new link when the old one expires. The client's timeout is how long it waits for the next bytes. A
        file that is there already is not downloaded again.

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
        listed = await self._listing(order_id)
        return await self._download(order_id, file_of(listed, kind, order_id), Path(destination), progress)

    async def download_all(
        self, order_id: int | str, folder: str | os.PathLike[str], *, progress: OnProgress | None = None
    ) -> DownloadedFiles:
        """Downloads all files of an order into a folder, one after the other as `download` does.

        Their names are those of the service, without what could lead out of the folder.

        Args:
            order_id: of the order.
            folder: is made if there is none.
            progress: as for `download`.

        Raises:
            ChecksumError: a file has other bytes than the service lists; it is deleted.
            BeatMarketError: the license is refunded, or a file cannot be written.
        """
        listed = await self._listing(order_id)
        if not listed.files:
            raise without_files(order_id)
        target = made_folder(folder)
        taken: set[str] = set()
        downloaded: DownloadedFiles = []
        for file in listed.files:
            name = safe_filename(file.filename, file.kind, taken)
            taken.add(name.lower())
            downloaded.append(await self._download(order_id, file, target / name, progress))
        return downloaded

    async def _listing(self, order_id: int | str) -> OrderFiles:
        """The files of an order. Those that are being made are waited for as long as a download may fail."""
        settings = patient(self._client._settings)
        return await self._client._call(operations.LIST_ORDER_FILES, ids={"order_id": order_id}, settings=settings)

    async def _download(
        self, order_id: int | str, file: OrderFile, destination: Path, progress: OnProgress | None
    ) -> DownloadedFile:
        downloaded = DownloadedFile(file.kind, file.filename, file.bytes, file.sha256, str(destination))
        if await self._client._work(lambda: is_there(file, destination)):
            report(file, file.bytes, progress)
            return downloaded
        path = destination.with_name(f"{destination.name}.part")
        keeps = True
        while True:
            bytes_before = await self._receive(order_id, file, path, keeps, progress)
            digest = await self._client._work(lambda: sha256_of(path))
            if digest == file.sha256:
                move(path, destination)
                return downloaded
            path.unlink()
            if bytes_before == 0:
                raise failed_check(file, order_id, digest)
            keeps = False  # What was there may have been of another file.

    async def _receive(
        self, order_id: int | str, file: OrderFile, path: Path, keeps: bool, progress: OnProgress | None
    ) -> int:
        """Brings the file to its full length. Returns how many bytes there were before."""
        link = link_request(file.url)
        with PartFile(path, file, keeps, progress) as part:
            bytes_before = part.bytes
            tries = Tries(patient(self._client._settings), link, part)
            while part.bytes < file.bytes:
                try:
                    try:
                        await self._client._fetch(link, part)
                    except GoneError:
                        link = await self._renewed(order_id, file)
                        await self._client._fetch(link, part)
                    part.check_end()
                except ChecksumError:
                    break  # The caller compares what came.
                except (APIConnectionError, APIStatusError) as error:
                    await self._client._sleep(tries.failed(error))
        return bytes_before

    async def _renewed(self, order_id: int | str, file: OrderFile) -> Request:
        """The new link of a file whose old one has expired."""
        settings = once(self._client._settings)
        listed = await self._client._call(operations.LIST_ORDER_FILES, ids={"order_id": order_id}, settings=settings)
        return link_request(file_of(listed, file.kind, order_id).url)
