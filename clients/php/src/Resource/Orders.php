<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Order;
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
}
