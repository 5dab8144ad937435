<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A public profile with figures about its beats.
 *
 * @property-read int             $playCount The number of plays of all beats on sale.
 * @property-read list<GenreName> $genres    The most frequent comes first.
 */
final class Producer extends User
{
    public const FIELDS = [
        ...parent::FIELDS,
        'playCount' => ['play_count'],
        'genres' => ['genres', [GenreName::class]],
    ];
}
