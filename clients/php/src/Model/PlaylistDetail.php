<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A playlist with its beats.
 *
 * @property-read list<Beat> $beats
 */
final class PlaylistDetail extends Playlist
{
    public const FIELDS = [
        ...parent::FIELDS,
        'beats' => ['beats', [Beat::class]],
    ];
}
