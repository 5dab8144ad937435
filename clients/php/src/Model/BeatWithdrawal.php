<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A beat that only its producer still sees.
 *
 * @property-read int    $beatId
 * @property-read string $title
 * @property-read int    $producerId
 * @property-read string $producerName
 * @property-read string $withdrawnAt
 */
final class BeatWithdrawal extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'title' => ['title'],
        'producerId' => ['producer_id'],
        'producerName' => ['producer_name'],
        'withdrawnAt' => ['withdrawn_at'],
    ];
}
