<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\LicenseUsage;
use BeatMarket\Model\LicenseVerdict;
use BeatMarket\Model\Order;
use BeatMarket\Value\CountedUse;
use BeatMarket\Value\LicenseType;

/** What licenses allow, and reports of their use. */
final class Licenses
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Answers `yes`, `no` or `unknown` by the terms under which the license was sold, with the clause that decides and
     * the purchase that would allow the use. The id of a certificate is enough.
     *
     * Needs no API key.
     *
     * @param string      $licenseId Identifier of the license: the UUID in its certificate.
     * @param string      $use       The use, such as `streams` or `content_id`: a word from the list of uses at
     *                               /portal/docs/clauses#uses.
     * @param int|null    $quantity  The total number of streams, copies or videos. Default: 1.
     * @param string|null $territory The country of the use, by ISO 3166-1, such as `DE`.
     * @param string|null $on        The day of the use, in UTC. Default: today.
     *
     * @throws BeatMarketException
     */
    public function may(
        string $licenseId,
        string $use,
        ?int $quantity = null,
        ?string $territory = null,
        ?string $on = null,
    ): LicenseVerdict {
        return $this->connection->object(
            new Call(
                Operation::AskLicense,
                ids: ['license_id' => $licenseId],
                body: [
                    'use' => $use,
                    'quantity' => $quantity ?? Absent::Field,
                    'territory' => $territory ?? Absent::Field,
                    'on' => $on ?? Absent::Field,
                ],
            ),
            LicenseVerdict::class,
            'verdict',
        );
    }

    /**
     * Returns the usage reports of one of the account's licenses, and their sums with the limits of the license.
     *
     * Needs the permission orders:read.
     *
     * @param string $licenseId Identifier of the license: the UUID in its certificate.
     *
     * @throws BeatMarketException
     */
    public function usage(string $licenseId): LicenseUsage
    {
        return $this->connection->object(
            new Call(Operation::ListLicenseUsage, ids: ['license_id' => $licenseId]),
            LicenseUsage::class,
            'usage',
        );
    }

    /**
     * Stores how many streams, copies or videos a source counted in a month. A report of the same use, period and
     * source replaces the former quantity, so it can be repeated and corrected. Returns the report and the sums. At 80
     * and 100 percent of a limit the holder gets the event `license.usage` and a mail.
     *
     * Needs the permission orders:write.
     *
     * @param string            $licenseId Identifier of the license: the UUID in its certificate.
     * @param CountedUse|string $use       What is counted: streams, copies or videos. One of Value\CountedUse.
     * @param int               $quantity  The number of streams, copies or videos in the period.
     * @param string            $period    A month, such as `2027-01`.
     * @param string            $source    The source of the number, such as the distributor.
     *
     * @throws BeatMarketException
     */
    public function reportUsage(
        string $licenseId,
        CountedUse|string $use,
        int $quantity,
        string $period,
        string $source,
    ): LicenseUsage {
        return $this->connection->object(
            new Call(
                Operation::ReportLicenseUsage,
                ids: ['license_id' => $licenseId],
                body: ['use' => $use, 'quantity' => $quantity, 'period' => $period, 'source' => $source],
            ),
            LicenseUsage::class,
            'usage',
        );
    }

    /**
     * Buys a higher license for the difference: the price of the higher license today, less the payments for the
     * present license and those before it. With the same type it renews the license at today's price; this is possible
     * from 90 days before its last day. Returns the order, whose license replaces the present one as soon as it is
     * completed. With `expectedAmount` and `currency`, it buys only at the amount that the buyer agreed to. A declined
     * payment is an order, too. A repeated request with the same `Idempotency-Key` within 24 hours does not buy again.
     *
     * Needs the permission orders:write.
     *
     * @param string             $licenseId      Identifier of the license: the UUID in its certificate.
     * @param LicenseType|string $licenseType    A license higher than the present one; or the same one, to renew it.
     *                                           One of Value\LicenseType.
     * @param string             $paymentMethod  How to pay: the payment provider's identifier of a payment method,
     *                                           never a card number. With Stripe, the id of a payment method made with
     *                                           Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit,
     *                                           pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex,
     *                                           pm_card_discover, pm_card_diners, pm_card_jcb, pm_card_unionpay,
     *                                           pm_card_authenticationRequired, pm_card_threeDSecure2Required,
     *                                           pm_card_visa_chargeDeclined,
     *                                           pm_card_visa_chargeDeclinedInsufficientFunds,
     *                                           pm_card_chargeDeclinedExpiredCard, pm_card_chargeDeclinedIncorrectCvc,
     *                                           pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
     *                                           pm_card_refundFail.
     * @param int|float|null     $expectedAmount The price that the buyer agreed to, in the currency's main unit. If the
     *                                           license has another price today, the order is 409 and nothing is
     *                                           charged.
     * @param string|null        $currency       The currency that the buyer agreed to, by ISO 4217. If prices are in
     *                                           another currency, the order is 409.
     * @param string|null        $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key within 24
     *                                           hours are carried out once. Default: a random key, shared by the
     *                                           attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function upgrade(
        string $licenseId,
        LicenseType|string $licenseType,
        string $paymentMethod,
        int|float|null $expectedAmount = null,
        ?string $currency = null,
        ?string $idempotencyKey = null,
    ): Order {
        return $this->connection->object(
            new Call(
                Operation::UpgradeLicense,
                ids: ['license_id' => $licenseId],
                body: [
                    'license_type' => $licenseType,
                    'payment_method' => $paymentMethod,
                    'expected_amount' => $expectedAmount ?? Absent::Field,
                    'currency' => $currency ?? Absent::Field,
                ],
                idempotencyKey: $idempotencyKey,
            ),
            Order::class,
            'order',
        );
    }
}
