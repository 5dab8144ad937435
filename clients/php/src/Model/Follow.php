<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A producer whom an account follows.
 *
 * @property-read int         $userId    The id of the producer.
 * @property-read string|null $createdAt Since when the account follows the producer: ISO 8601, UTC, whole seconds. Null
 *                                       if it does not.
 */
final class Follow extends Model
{
    public const FIELDS = [
        'userId' => ['user_id'],
        'createdAt' => ['created_at'],
    ];
}
