<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Model\LicenseVerdict;

/** @internal */
trait LicensesMethods
{
    /**
     * Answers `yes`, `no` or `unknown` from the terms that the license was sold under, with the clause that decides and
     * what to buy for a yes. The id of a certificate is all that it takes.
     *
     * Needs no API key.
     *
     * @param string      $licenseId Identifier of the license: a UUID, which its certificate has.
     * @param string      $use       What is asked for, such as `streams` or `content_id`; the list of uses says what
     *                               each is.
     * @param int|null    $quantity  How many in total: streams, copies, videos. Default: 1.
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
            Operation::AskLicense,
            LicenseVerdict::class,
            'verdict',
            ids: ['license_id' => $licenseId],
            body: [
                'use' => $use,
                'quantity' => $quantity ?? Absent::Field,
                'territory' => $territory ?? Absent::Field,
                'on' => $on ?? Absent::Field,
            ],
        );
    }
}
