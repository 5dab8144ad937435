<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Page;

use BeatMarket\FeedPage;
use BeatMarket\Model\Change;

/**
 * A page of changes, in the order of commits.
 *
 * @property-read list<Change> $changes
 * @property-read int          $next    The position to continue from.
 */
final class ChangePage extends FeedPage
{
    public const FIELDS = [
        'changes' => ['changes', [Change::class]],
        'next' => ['next'],
    ];
}
