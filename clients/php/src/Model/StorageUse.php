<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How much of the storage an account's files take, and may take.
 *
 * @property-read int      $usedBytes The size of all files of the account, in bytes: incomplete and ready uploads, the
 *                                    files of beats in every state, replaced files that buyers keep, and the profile
 *                                    picture.
 * @property-read int|null $maxBytes  The limit of the account's plan, in bytes. Null if there is none.
 */
final class StorageUse extends Model
{
    public const FIELDS = [
        'usedBytes' => ['used_bytes'],
        'maxBytes' => ['max_bytes'],
    ];
}
