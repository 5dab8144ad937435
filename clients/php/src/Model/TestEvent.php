<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * An event that was caused, with what it is about.
 *
 * @property-read string $type    The type of the event.
 * @property-read int    $orderId The order that the event is about. It exists, and stays.
 */
final class TestEvent extends Model
{
    public const FIELDS = [
        'type' => ['type'],
        'orderId' => ['order_id'],
    ];
}
