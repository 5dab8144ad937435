<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket;

/**
 * A page of a feed, in the order of commits.
 *
 * @property-read int $next the position to continue from
 */
abstract class FeedPage extends Model
{
    public readonly ?Response $response;

    /** @internal use fromArray() */
    public function __construct(array $wire, ?Response $response = null)
    {
        parent::__construct($wire, $response);
        $this->response = $response;
    }
}
