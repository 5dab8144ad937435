<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The genre of a beat or producer.
 *
 * @property-read int    $id
 * @property-read string $name
 */
final class GenreName extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'name' => ['name'],
    ];
}
