<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A page of requests, the newest first.
 *
 * @property-read list<LoggedRequest> $requests
 * @property-read string|null         $next       The position to continue from: the `after` of the next request. Null
 *                                                when the whole log was searched.
 * @property-read string|null         $searchedTo The time of the oldest request that was searched. Null when the whole
 *                                                log was searched.
 */
final class RequestPage extends Model
{
    public const FIELDS = [
        'requests' => ['requests', [LoggedRequest::class]],
        'next' => ['next'],
        'searchedTo' => ['searched_to'],
    ];
}
