<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A public profile.
 *
 * @property-read int         $id
 * @property-read string      $username
 * @property-read string      $displayName
 * @property-read string|null $bio
 * @property-read string|null $location
 * @property-read string|null $website
 * @property-read string|null $avatarUrl
 * @property-read bool        $isProducer
 * @property-read int         $beatsCount  The number of beats on sale.
 * @property-read string      $createdAt   A time in ISO 8601, UTC, whole seconds.
 */
class User extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'username' => ['username'],
        'displayName' => ['display_name'],
        'bio' => ['bio'],
        'location' => ['location'],
        'website' => ['website'],
        'avatarUrl' => ['avatar_url'],
        'isProducer' => ['is_producer'],
        'beatsCount' => ['beats_count'],
        'createdAt' => ['created_at'],
    ];
}
