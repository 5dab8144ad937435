<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A beat that the operator of the marketplace removed.
 *
 * @property-read int    $beatId
 * @property-read string $title
 * @property-read int    $producerId
 * @property-read string $producerName
 * @property-read string $takenDownAt
 */
final class BeatTakedown extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'title' => ['title'],
        'producerId' => ['producer_id'],
        'producerName' => ['producer_name'],
        'takenDownAt' => ['taken_down_at'],
    ];
}
