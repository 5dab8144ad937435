<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Delivery\Delivery;
use BeatMarket\DownloadedFile;
use BeatMarket\DownloadProgress;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Order;
use BeatMarket\Model\OrderFiles;
use BeatMarket\Operation;
use BeatMarket\Page;

final class Orders
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists your own orders, newest first.
     *
     * @param int|null    $page     from 1
     * @param int|null    $limit    orders on a page, 1 to 100; 20 by default
     * @param string|null $status   only orders with this status, one of Value\OrderStatus
     * @param int|null    $maxItems maximum number of orders in a foreach
     *
     * @return Page<Order>
     *
     * @throws BeatMarketException
     */
    public function list(?int $page = null, ?int $limit = null, ?string $status = null, ?int $maxItems = null): Page
    {
        return Page::at(
            $this->connection->url(Operation::ListOrders, query: ['page' => $page, 'limit' => $limit, 'status' => $status]),
            $this->connection,
            static fn (Fields $data): array => $data->models('orders', Order::class),
            $maxItems,
        );
    }

    /**
     * Gets one of your own orders.
     *
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function get(int|string $orderId): Order
    {
        $url = $this->connection->url(Operation::GetOrder, ['order_id' => $orderId]);

        return $this->connection->readOne($this->connection->get($url), 'order', Order::class);
    }

    /**
     * Buys a license of a beat. Check the order's status: a declined payment returns a failed order, not an exception.
     *
     * @param int         $beatId         the beat to buy
     * @param string      $paymentMethod  the payment provider's identifier of a payment method; never a card number
     * @param string|null $licenseType    one of Value\LicenseType; basic by default
     * @param string|null $idempotencyKey 1 to 255 visible ASCII characters. Calls with the same key within 24 hours place
     *                                    one order. Default: a random key, shared by the attempts of this call. Pass your
     *                                    own key to retry the call later.
     *
     * @throws InvalidArgumentException if the key is invalid; nothing is sent
     * @throws InvalidRequestException  if the beat is sold, being bought or your own, or the key belongs to another order
     * @throws NotFoundException        if the beat does not exist
     * @throws BeatMarketException
     */
    public function create(
        int $beatId,
        string $paymentMethod,
        ?string $licenseType = null,
        ?string $idempotencyKey = null,
    ): Order {
        $fields = ['beat_id' => $beatId, 'payment_method' => $paymentMethod];
        if ($licenseType !== null) {
            $fields['license_type'] = $licenseType;
        }

        return $this->connection->readOne(
            $this->connection->call(Operation::CreateOrder, $fields, Connection::idempotency($idempotencyKey)),
            'order',
            Order::class,
        );
    }

    /**
     * Gets the files of a completed order as signed links, which live for 15 minutes, and its license. While files are being
     * made the service waits for ten seconds itself; these extend the timeout.
     *
     * @throws InvalidRequestException 409 if the order is not completed
     * @throws NotFoundException
     * @throws ServerException         503 if the files are still being made, after all retries
     * @throws BeatMarketException
     */
    public function files(int|string $orderId): OrderFiles
    {
        return (new Delivery($this->connection, $orderId))->files();
    }

    /**
     * Downloads a file of an order. Its bytes go to "{$destination}.part"; once all have come and their SHA-256 is that of the
     * listing, they get their name. Goes on where a connection breaks, with a new link where one expires, and, in a later call,
     * with the .part of one that threw. A file that is there already is not fetched. The client's timeout is how long it waits
     * for the next bytes. The key is not sent to the link, which may lead to another host.
     *
     * @param string                                 $kind        one of Value\FileKind
     * @param string                                 $destination the file; one that is there is replaced in the end
     * @param \Closure(DownloadProgress): mixed|null $progress    called once it is known where to go on from, and as bytes come
     *
     * @throws ChecksumException        if other bytes came than the service lists; they are deleted
     * @throws InvalidArgumentException if the order has no such file, or the destination cannot be written
     * @throws InvalidRequestException  409 if the order is not completed
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function download(int|string $orderId, string $kind, string $destination, ?\Closure $progress = null): DownloadedFile
    {
        return (new Delivery($this->connection, $orderId, $progress))->download($kind, $destination);
    }

    /**
     * Downloads all files of an order, as download() does, under the names that the service gives them, without what a file
     * system refuses or what leads out of the folder.
     *
     * @param string                                 $folder   made if it is not there
     * @param \Closure(DownloadProgress): mixed|null $progress as for download()
     *
     * @return list<DownloadedFile>
     *
     * @throws ChecksumException        as download()
     * @throws InvalidArgumentException if the order has no files, since it was refunded, or the folder cannot be written
     * @throws BeatMarketException
     */
    public function downloadAll(int|string $orderId, string $folder, ?\Closure $progress = null): array
    {
        return (new Delivery($this->connection, $orderId, $progress))->downloadAll($folder);
    }
}
