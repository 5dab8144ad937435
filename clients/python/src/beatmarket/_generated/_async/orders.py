# Generated from contract/openapi.json by npm run contract; do not edit.
"""The purchases of the key's account."""

from __future__ import annotations

import os

from ..._async.lists import AsyncListing, AsyncPage
from ..._async.orders import AsyncOrdersTransfers
from ...downloads import DownloadedFile, DownloadedFiles, OnProgress, OrderArchive
from ...not_given import present
from ...operation import ItemList
from ...request import Query
from .. import operations
from ..enums import FileKind, LicenseType, OrderStatus
from ..models import Invoice, Order, OrderFiles


class AsyncOrders(AsyncOrdersTransfers):
    """The purchases of the key's account."""

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: OrderStatus | None = None,
        max_items: int | None = None,
    ) -> AsyncListing[Order]:
        """List your orders.

        Returns the orders of the key's account, newest first, one page at a time.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            status: Only orders in this state.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {"page": page, "limit": limit, "status": status}
        return AsyncListing(self._client, operations.LIST_ORDERS, AsyncPage[Order], {"orders": Order}, query, max_items)

    async def create(
        self,
        *,
        beat_id: int,
        payment_method: str,
        license_type: LicenseType | None = None,
        expected_amount: float | None = None,
        currency: str | None = None,
        idempotency_key: str | None = None,
    ) -> Order:
        """Buy a license.

        Buys a license of a beat and returns the order. With `expected_amount` and `currency`, it buys only at the price
        that the buyer agreed to. A declined payment is an order, too: `failed`, with its `failure_reason`. A repeated
        request with the same `Idempotency-Key` within 24 hours does not buy again.

        Args:
            beat_id: The beat to buy.
            payment_method: How to pay: the payment provider's identifier of a payment method, never a card number. With
                Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa,
                pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover,
                pm_card_diners, pm_card_jcb, pm_card_unionpay, pm_card_authenticationRequired,
                pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined,
                pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard,
                pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
                pm_card_refundFail.
            license_type: The license to buy. An exclusive one sells once, and takes the beat out of the catalogue.
                Default: basic.
            expected_amount: The price that the buyer agreed to, in the currency's main unit. If the license has another
                price today, the order is 409 and nothing is charged.
            currency: The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order
                is 409.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        body = present(
            beat_id=beat_id,
            payment_method=payment_method,
            license_type=license_type,
            expected_amount=expected_amount,
            currency=currency,
        )
        return await self._client._object(
            operations.CREATE_ORDER, Order, "order", body=body, headers={"idempotency-key": idempotency_key}
        )

    async def get(self, order_id: int | str) -> Order:
        """Get one of your orders.

        Returns an order of the key's account. An order of another account is 404.

        Args:
            order_id: Identifier of the order.
        """
        return await self._client._object(operations.GET_ORDER, Order, "order", path={"order_id": order_id})

    async def files(self, order_id: int | str) -> OrderFiles:
        """Get the files of an order.

        Returns the files of a completed order, as they were at the purchase, and the license. Links to files are signed
        and valid for 15 minutes; another request gets new ones. The response waits up to ten seconds for files that are
        not ready. After that it is 503 with `Retry-After`.

        Args:
            order_id: Identifier of the order.
        """
        return await self._client._object(operations.LIST_ORDER_FILES, OrderFiles, None, path={"order_id": order_id})

    async def invoices(self, order_id: int | str) -> ItemList[Invoice]:
        """List the invoices of an order.

        Returns the invoice of the sale and its corrections, the oldest first: a credit note for each refund and lost
        dispute, and an invoice for money that came back. Each has a link to its PDF (Factur-X), valid for 15 minutes.
        An order has no invoice if it was free, is not completed, or was sold while no seller was set. Only for the
        buyer; a key with `sales:read` also gets those of its account's sales, as copies without the buyer's address and
        VAT number.

        Args:
            order_id: Identifier of the order.
        """
        return await self._client._array(
            operations.LIST_ORDER_INVOICES, Invoice, "invoices", path={"order_id": order_id}
        )

    async def archive(self, order_id: int | str, path: str | os.PathLike[str]) -> OrderArchive:
        """Returns the files of a completed order and its license certificate in one ZIP, uncompressed, with the same
        bytes every time.

        Resume an interrupted download with `Range`, and with the ETag in `If-Range`. The response waits up to ten
        seconds for files that are not ready. After that it is 503 with `Retry-After`. It is 410 once the order is
        refunded in full. Writes into a file. Resumes after a lost connection. The timeout is the longest wait for the
        next bytes.

        Args:
            order_id: The order.
            path: The file. An existing file is replaced.

        Raises:
            InvalidRequestError: with status 409, if the order is not completed.
            NotFoundError: if the account has no such order.
            BeatMarketError: if the file cannot be written.
        """
        return await self._transfer_archive(order_id, path)

    async def download(
        self,
        order_id: int | str,
        kind: FileKind,
        destination: str | os.PathLike[str],
        *,
        progress: OnProgress | None = None,
    ) -> DownloadedFile:
        """Downloads a file of an order.

        Writes to the destination with .part after its name, and renames that file when it is complete. A later call
        resumes the .part file. Resumes after a lost connection, and requests a new link when the old one has expired.
        The timeout is the longest wait for the next bytes. A complete file is not downloaded again. The key is not sent
        to the link, which may lead to another host.

        Args:
            order_id: The order.
            kind: mp3, wav, stems or license.
            destination: The file. An existing file is replaced at the end.
            progress: Called when it is known where the download starts, and after each chunk.

        Raises:
            ChecksumError: if the checksum of the file is wrong; the file is deleted.
            BeatMarketError: if the order has no such file, or the destination cannot be written.
            InvalidRequestError: with status 409, if the order is not completed.
            NotFoundError: if the account has no such order.
        """
        return await self._transfer_download(order_id, kind, destination, progress)

    async def download_all(
        self, order_id: int | str, folder: str | os.PathLike[str], *, progress: OnProgress | None = None
    ) -> DownloadedFiles:
        """Downloads all files of an order into a folder, one after the other as `download` does.

        Uses the service's names, without characters that a file system refuses or that lead out of the folder.

        Args:
            order_id: The order.
            folder: Created if it does not exist.
            progress: As for `download`.

        Raises:
            ChecksumError: if the checksum of the file is wrong; the file is deleted.
            BeatMarketError: if the order was refunded and has no files, or the folder cannot be written.
            NotFoundError: if the account has no such order.
        """
        return await self._transfer_download_all(order_id, folder, progress)
