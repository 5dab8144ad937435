<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How much of the storage an account's files take, and may take.
 *
 * @property-read int      $usedBytes Uploads that are incomplete or ready, and the files of beats in every state.
 * @property-read int|null $maxBytes  What the account's plan allows; null without a bound.
 */
final class StorageUse extends Model
{
    public const FIELDS = [
        'usedBytes' => ['used_bytes'],
        'maxBytes' => ['max_bytes'],
    ];
}
