<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Quote;

/** What purchases would cost, with discounts. */
final class Quotes
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the amount that a checkout of the items would charge, and every discount that was considered, with the
     * reason why it applies or not. Nothing is held, charged or stored.
     *
     * Needs the permission orders:write.
     *
     * @param list<array{beat_id: int, license_type?: LicenseType|string, upgrades_license?: string}> $items
     *        The licenses to buy with one payment.
     * @param string|null $discountCode A discount code. Upper and lower case are equal. If it does not apply, `rules`
     *                                  says why.
     * @param string|null $email        The buyer's e-mail address, for discounts with a limit for each buyer. Default:
     *                                  the account's.
     *
     * @throws BeatMarketException
     */
    public function create(array $items, ?string $discountCode = null, ?string $email = null): Quote
    {
        return $this->connection->object(
            new Call(
                Operation::CreateQuote,
                body: [
                    'items' => $items,
                    'discount_code' => $discountCode ?? Absent::Field,
                    'email' => $email ?? Absent::Field,
                ],
            ),
            Quote::class,
            'quote',
        );
    }
}
