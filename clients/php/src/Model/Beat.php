<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A beat in a list.
 *
 * @property-read int       $id
 * @property-read string    $title
 * @property-read int       $userId        The user who produced the beat.
 * @property-read string    $producerName
 * @property-read GenreName $genre
 * @property-read float     $price         The price of the basic license, or of the next one if the basic one is not
 *                                         sold. At most two decimals.
 * @property-read int       $duration      The duration in whole seconds; 0 if it is unknown.
 * @property-read int       $bpm           The tempo in beats per minute.
 * @property-read string    $key           The musical key, such as "C# minor"; "" if it is unknown.
 * @property-read string    $audioUrl
 * @property-read string    $coverImage
 * @property-read string    $createdAt     A time in ISO 8601, UTC, whole seconds.
 * @property-read int       $playCount
 * @property-read int       $downloadCount
 */
class Beat extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'title' => ['title'],
        'userId' => ['user_id'],
        'producerName' => ['producer_name'],
        'genre' => ['genre', GenreName::class],
        'price' => ['price', 'float'],
        'duration' => ['duration'],
        'bpm' => ['bpm'],
        'key' => ['key'],
        'audioUrl' => ['audio_url'],
        'coverImage' => ['cover_image'],
        'createdAt' => ['created_at'],
        'playCount' => ['play_count'],
        'downloadCount' => ['download_count'],
    ];
}
