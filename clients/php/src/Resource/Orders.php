<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Collection;
use BeatMarket\Delivery\Delivery;
use BeatMarket\DownloadProgress;
use BeatMarket\DownloadedFile;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Invoice;
use BeatMarket\Model\Order;
use BeatMarket\Model\OrderFiles;
use BeatMarket\OrderArchive;
use BeatMarket\Page;
use BeatMarket\Value\FileKind;
use BeatMarket\Value\LicenseType;
use BeatMarket\Value\OrderStatus;

/** The purchases of the key's account. */
final class Orders
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the orders of the key's account, newest first, one page at a time.
     *
     * Needs the permission orders:read.
     *
     * @param int|null                $page     The number of the page, from 1.
     * @param int|null                $limit    The number of results on a page (1 to 100; default: 20).
     * @param OrderStatus|string|null $status   Only orders in this state. One of Value\OrderStatus.
     * @param int|null                $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<Order>
     *
     * @throws BeatMarketException
     */
    public function list(
        ?int $page = null,
        ?int $limit = null,
        OrderStatus|string|null $status = null,
        ?int $maxItems = null,
    ): Page {
        return new Page(
            $this->connection,
            new Call(Operation::ListOrders, query: ['page' => $page, 'limit' => $limit, 'status' => $status]),
            ['orders' => Order::class],
            $maxItems,
        );
    }

    /**
     * Buys a license of a beat and returns the order. With `expectedAmount` and `currency`, it buys only at the price
     * that the buyer agreed to. A declined payment is an order, too: `failed`, with its `failureReason`. A repeated
     * request with the same `Idempotency-Key` within 24 hours does not buy again.
     *
     * Needs the permission orders:write.
     *
     * @param int                     $beatId         The beat to buy.
     * @param string                  $paymentMethod  How to pay: the payment provider's identifier of a payment method,
     *                                                never a card number. With Stripe, the id of a payment method made
     *                                                with Stripe's own scripts. In the sandbox: pm_card_visa,
     *                                                pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit,
     *                                                pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb,
     *                                                pm_card_unionpay, pm_card_authenticationRequired,
     *                                                pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined,
     *                                                pm_card_visa_chargeDeclinedInsufficientFunds,
     *                                                pm_card_chargeDeclinedExpiredCard,
     *                                                pm_card_chargeDeclinedIncorrectCvc,
     *                                                pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
     *                                                pm_card_refundFail.
     * @param LicenseType|string|null $licenseType    The license to buy. An exclusive one sells once, and takes the
     *                                                beat out of the catalogue. Default: basic. One of
     *                                                Value\LicenseType.
     * @param int|float|null          $expectedAmount The price that the buyer agreed to, in the currency's main unit.
     *                                                If the license has another price today, the order is 409 and
     *                                                nothing is charged.
     * @param string|null             $currency       The currency that the buyer agreed to, by ISO 4217. If prices are
     *                                                in another currency, the order is 409.
     * @param string|null             $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key within
     *                                                24 hours are carried out once. Default: a random key, shared by
     *                                                the attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function create(
        int $beatId,
        string $paymentMethod,
        LicenseType|string|null $licenseType = null,
        int|float|null $expectedAmount = null,
        ?string $currency = null,
        ?string $idempotencyKey = null,
    ): Order {
        return $this->connection->object(
            new Call(
                Operation::CreateOrder,
                body: [
                    'beat_id' => $beatId,
                    'payment_method' => $paymentMethod,
                    'license_type' => $licenseType ?? Absent::Field,
                    'expected_amount' => $expectedAmount ?? Absent::Field,
                    'currency' => $currency ?? Absent::Field,
                ],
                idempotencyKey: $idempotencyKey,
            ),
            Order::class,
            'order',
        );
    }

    /**
     * Returns an order of the key's account. An order of another account is 404.
     *
     * Needs the permission orders:read.
     *
     * @param int|string $orderId Identifier of the order.
     *
     * @throws BeatMarketException
     */
    public function get(int|string $orderId): Order
    {
        return $this->connection->object(
            new Call(Operation::GetOrder, ids: ['order_id' => $orderId]),
            Order::class,
            'order',
        );
    }

    /**
     * Returns the files of a completed order, as they were at the purchase, and the license. Links to files are signed
     * and valid for 15 minutes; another request gets new ones. The response waits up to ten seconds for files that are
     * not ready. After that it is 503 with `Retry-After`.
     *
     * Needs the permission orders:read.
     *
     * @param int|string $orderId Identifier of the order.
     *
     * @throws BeatMarketException
     */
    public function files(int|string $orderId): OrderFiles
    {
        return $this->connection->object(
            new Call(Operation::ListOrderFiles, ids: ['order_id' => $orderId]),
            OrderFiles::class,
            null,
        );
    }

    /**
     * Returns the invoice of the sale and its corrections, the oldest first: a credit note for each refund and lost
     * dispute, and an invoice for money that came back. Each has a link to its PDF (Factur-X), valid for 15 minutes. An
     * order has no invoice if it was free, is not completed, or was sold while no seller was set. Only for the buyer; a
     * key with `sales:read` also gets those of its account's sales, as copies without the buyer's address and VAT
     * number.
     *
     * Needs the permission orders:read.
     *
     * @param int|string $orderId Identifier of the order.
     *
     * @return Collection<Invoice>
     *
     * @throws BeatMarketException
     */
    public function invoices(int|string $orderId): Collection
    {
        return $this->connection->collection(
            new Call(Operation::ListOrderInvoices, ids: ['order_id' => $orderId]),
            Invoice::class,
            'invoices',
        );
    }

    /**
     * Returns the files of a completed order and its license certificate in one ZIP, uncompressed, with the same bytes
     * every time. Resume an interrupted download with Range(), and with the ETag in `If-Range`. The response waits up
     * to ten seconds for files that are not ready. After that it is 503 with `Retry-After`. It is 410 once the order is
     * refunded in full.
     *
     * Writes into a file. Resumes after a lost connection. The timeout is the longest wait for the next bytes.
     *
     * Needs the permission orders:read.
     *
     * @param int|string $orderId The order.
     * @param string     $path    The file. An existing file is replaced.
     *
     * @throws InvalidRequestException with status 409, if the order is not completed
     * @throws NotFoundException if the account has no such order
     * @throws InvalidArgumentException if the file cannot be written
     * @throws BeatMarketException
     */
    public function archive(int|string $orderId, string $path): OrderArchive
    {
        $call = new Call(Operation::DownloadOrderArchive, ids: ['order_id' => $orderId]);

        return new OrderArchive($path, $this->connection->save($call, $path));
    }

    /**
     * Downloads a file of an order. Writes to the destination with .part after its name, and renames that file when it
     * is complete. A later call resumes the .part file.
     *
     * Resumes after a lost connection, and requests a new link when the old one has expired. The timeout is the longest
     * wait for the next bytes. A complete file is not downloaded again. The key is not sent to the link, which may lead
     * to another host.
     *
     * Needs the permission orders:read.
     *
     * @param int|string                             $orderId
     *        The order.
     * @param FileKind|string                        $kind
     *        mp3, wav, stems or license.
     * @param string                                 $destination
     *        The file. An existing file is replaced at the end.
     * @param \Closure(DownloadProgress): mixed|null $progress
     *        Called when it is known where the download starts, and after each chunk.
     *
     * @throws ChecksumException if the checksum of the file is wrong; the file is deleted
     * @throws InvalidArgumentException if the order has no such file, or the destination cannot be written
     * @throws InvalidRequestException with status 409, if the order is not completed
     * @throws NotFoundException if the account has no such order
     * @throws BeatMarketException
     */
    public function download(
        int|string $orderId,
        FileKind|string $kind,
        string $destination,
        ?\Closure $progress = null,
    ): DownloadedFile {
        $delivery = new Delivery($this->connection, $orderId, $progress);

        return $delivery->download($kind instanceof FileKind ? $kind->value : $kind, $destination);
    }

    /**
     * Downloads all files of an order into a folder, one after the other as download() does.
     *
     * Uses the service's names, without characters that a file system refuses or that lead out of the folder.
     *
     * Needs the permission orders:read.
     *
     * @param int|string                             $orderId  The order.
     * @param string                                 $folder   Created if it does not exist.
     * @param \Closure(DownloadProgress): mixed|null $progress As for download().
     *
     * @return list<DownloadedFile>
     *
     * @throws ChecksumException if the checksum of the file is wrong; the file is deleted
     * @throws InvalidArgumentException if the order was refunded and has no files, or the folder cannot be written
     * @throws NotFoundException if the account has no such order
     * @throws BeatMarketException
     */
    public function downloadAll(int|string $orderId, string $folder, ?\Closure $progress = null): array
    {
        return (new Delivery($this->connection, $orderId, $progress))->downloadAll($folder);
    }
}
