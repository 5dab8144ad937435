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
 * @property-read string $visibility  Who can read the playlist. `private`: only the account. `public`: everyone who has
 *                                    its id. One of Value\PlaylistVisibility, or a later value.
 * @property-read int    $userId      The id of the owner.
 * @property-read string $ownerName
 * @property-read string $url         The address of the playlist's page.
 * @property-read int    $beatsCount  The number of beats that are on sale.
 * @property-read string $createdAt   A time in ISO 8601, UTC, whole seconds.
 * @property-read string $updatedAt   A time in ISO 8601, UTC, whole seconds.
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
