<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A list of beats in the order that its owner chose.
 *
 * @property-read string $id
 * @property-read string $title
 * @property-read string $description
 * @property-read string $visibility  `private`: only for the account. `public`: for everyone who has its id. One of
 *                                    Value\PlaylistVisibility, or a later value.
 * @property-read int    $userId      The id of its owner.
 * @property-read string $ownerName
 * @property-read string $url         The address of its page.
 * @property-read int    $beatsCount  Beats that are on sale.
 * @property-read string $createdAt   ISO 8601, UTC, whole seconds.
 * @property-read string $updatedAt   ISO 8601, UTC, whole seconds.
 */
class Playlist extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'title' => ['title'],
        'description' => ['description'],
        'visibility' => ['visibility'],
        'userId' => ['user_id'],
        'ownerName' => ['owner_name'],
        'url' => ['url'],
        'beatsCount' => ['beats_count'],
        'createdAt' => ['created_at'],
        'updatedAt' => ['updated_at'],
    ];
}
