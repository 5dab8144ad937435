<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Checkout;

/** Payments of one or more licenses, on a page of the service. */
final class Checkouts
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Opens one payment of one or more licenses and returns its page, on which a person pays. If one of the licenses is
     * not for sale, nothing is held or charged, and the error names the license. The payment creates the orders.
     *
     * Needs the permission orders:write.
     *
     * @param list<array{beat_id: int, license_type?: LicenseType|string, upgrades_license?: string}> $items
     *        The licenses to buy with one payment.
     * @param string|null $email          The e-mail address for the receipt. Default: the account's.
     * @param string|null $successUrl     The address to which the page sends the buyer after the payment.
     *                                    `{CHECKOUT_ID}` in it is replaced by the checkout's id. Default: the page
     *                                    itself, with the files.
     * @param string|null $cancelUrl      The address to which the page sends a buyer who does not pay. Default: the
     *                                    basket.
     * @param string|null $discountCode   A discount code. Upper and lower case are equal. A code that cannot be used is
     *                                    refused with 409.
     * @param string|null $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key within 24 hours are
     *                                    carried out once. Default: a random key, shared by the attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function create(
        array $items,
        ?string $email = null,
        ?string $successUrl = null,
        ?string $cancelUrl = null,
        ?string $discountCode = null,
        ?string $idempotencyKey = null,
    ): Checkout {
        return $this->connection->object(
            new Call(
                Operation::CreateCheckout,
                body: [
                    'items' => $items,
                    'email' => $email ?? Absent::Field,
                    'success_url' => $successUrl ?? Absent::Field,
                    'cancel_url' => $cancelUrl ?? Absent::Field,
                    'discount_code' => $discountCode ?? Absent::Field,
                ],
                idempotencyKey: $idempotencyKey,
            ),
            Checkout::class,
            'checkout',
        );
    }

    /**
     * Returns a checkout of the key's account, with its orders once it is paid. A checkout of another account is 404.
     *
     * Needs the permission orders:write.
     *
     * @param int|string $checkoutId Identifier of the checkout.
     *
     * @throws BeatMarketException
     */
    public function get(int|string $checkoutId): Checkout
    {
        return $this->connection->object(
            new Call(Operation::GetCheckout, ids: ['checkout_id' => $checkoutId]),
            Checkout::class,
            'checkout',
        );
    }
}
