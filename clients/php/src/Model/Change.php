<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A change of the catalogue: a beat was published, updated, sold or withdrawn.
 *
 * @property-read int             $position The position of the change. Positions increase and can have gaps.
 * @property-read string          $type     One of Value\ChangeType, or a later value.
 * @property-read int             $beatId
 * @property-read BeatDetail|null $beat     The present state of the beat, in the form of `GET /beats/{beat_id}`. Null
 *                                          if it is withdrawn now, and in every change of type `withdrawn`.
 */
final class Change extends Model
{
    public const FIELDS = [
        'position' => ['position'],
        'type' => ['type'],
        'beatId' => ['beat_id'],
        'beat' => ['beat', BeatDetail::class],
    ];
}
