<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Why a beat could not be published.
 *
 * @property-read int    $beatId
 * @property-read string $title
 * @property-read int    $producerId
 * @property-read bool   $isOnSale   Whether the beat is on sale. If false, it is a draft, is withdrawn, or its
 *                                   exclusive license is sold.
 * @property-read string $reason     The reason as a sentence, the same as `rejection` of the beat.
 */
final class PublishingFailure extends Model
{
    public const FIELDS = [
        'beatId' => ['beat_id'],
        'title' => ['title'],
        'producerId' => ['producer_id'],
        'isOnSale' => ['is_on_sale'],
        'reason' => ['reason'],
    ];
}
