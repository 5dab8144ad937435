<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The beat of an order, as it was when it was bought.
 *
 * @property-read int    $id
 * @property-read string $title
 * @property-read int    $producerId
 * @property-read string $producerName
 */
final class OrderBeat extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'title' => ['title'],
        'producerId' => ['producer_id'],
        'producerName' => ['producer_name'],
    ];
}
