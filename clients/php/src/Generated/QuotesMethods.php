<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Model\Quote;

/** @internal */
trait QuotesMethods
{
    /**
     * What a checkout of the items charges, with discounts, and every discount that was tried with why it applied or
     * not. Nothing is held, charged or stored.
     *
     * Needs the permission orders:write.
     *
     * @param list<array{beat_id: int, license_type?: string}> $items
     *        What is bought, by one payment.
     * @param string|null $discountCode A discount code, in any case. Why it does not apply is in `rules`.
     * @param string|null $email        Who buys: limits of discounts for each buyer count by it. Default: the account's
     *                                  address.
     *
     * @throws BeatMarketException
     */
    public function create(array $items, ?string $discountCode = null, ?string $email = null): Quote
    {
        return $this->connection->object(
            Operation::CreateQuote,
            Quote::class,
            'quote',
            body: [
                'items' => $items,
                'discount_code' => $discountCode ?? Absent::Field,
                'email' => $email ?? Absent::Field,
            ],
        );
    }
}
