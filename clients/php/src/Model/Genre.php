<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A genre of the catalogue.
 *
 * @property-read int    $id
 * @property-read string $name
 * @property-read string $slug
 * @property-read int    $beatsCount The number of beats on sale in this genre.
 */
final class Genre extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'name' => ['name'],
        'slug' => ['slug'],
        'beatsCount' => ['beats_count'],
    ];
}
