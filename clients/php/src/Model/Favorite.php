<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A beat among the favorites of an account.
 *
 * @property-read int         $beatId
 * @property-read string|null $createdAt When the beat was added: ISO 8601, UTC, whole seconds. Null for a beat that is
 *                                       not a favorite.
 */
final class Favorite extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'createdAt' => ['created_at'],
    ];
}
