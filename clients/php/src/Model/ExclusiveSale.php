<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A beat whose exclusive license was sold.
 *
 * @property-read int    $beatId
 * @property-read string $title
 * @property-read int    $producerId
 * @property-read string $producerName
 * @property-read string $soldAt
 */
final class ExclusiveSale extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'title' => ['title'],
        'producerId' => ['producer_id'],
        'producerName' => ['producer_name'],
        'soldAt' => ['sold_at'],
    ];
}
