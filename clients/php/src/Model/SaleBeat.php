<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The beat of a sale, with its title when it was bought.
 *
 * @property-read int    $id
 * @property-read string $title
 */
final class SaleBeat extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'title' => ['title'],
    ];
}
