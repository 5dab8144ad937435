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
 * @property-read bool   $isOnSale   Whether the beat is on sale as it was before; if not, it is a draft, or stays as it
 *                                   was sold.
 * @property-read string $reason     A sentence, as `rejection` of the beat.
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
