<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What the buyer has to do to pay.
 *
 * @property-read string $type One of Value\NextActionType, or a later value.
 * @property-read string $url  The page on which the buyer completes the payment.
 */
final class NextAction extends Model
{
    public const FIELDS = [
        'type' => ['type'],
        'url' => ['url'],
    ];
}
