<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Model\Change;

/** A page of changes, in the order of commits. */
final class ChangePage implements \JsonSerializable
{
    /**
     * @internal
     *
     * @param list<Change> $changes
     * @param int          $next    the position to go on from
     */
    public function __construct(
        public readonly array $changes,
        public readonly int $next,
        public readonly Response $response,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return ['changes' => $this->changes, 'next' => $this->next];
    }
}
