<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Requests, newest first, and the position after them.
 *
 * @property-read list<LoggedRequest> $requests
 * @property-read string|null         $next       The position to continue from, as `after` of the next call; null when
 *                                                the whole log was searched.
 * @property-read string|null         $searchedTo The time of the oldest request that was searched; null when the whole
 *                                                log was.
 */
final class RequestPage extends Model
{
    public const FIELDS = [
        'requests' => ['requests', [LoggedRequest::class]],
        'next' => ['next'],
        'searchedTo' => ['searched_to'],
    ];
}
