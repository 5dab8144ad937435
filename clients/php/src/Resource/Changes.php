<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Page\ChangePage;

/** What changes in the catalogue, in the order of commits. */
final class Changes
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns every change of a listed beat, in the order of commits, without gaps and repetitions. With it a program
     * keeps a copy of the catalogue up to date. Begin with an export, then pass `next` as `after`; with `wait`, the
     * response is sent as soon as something changes. Changes are stored for 30 days.
     *
     * Needs the permission beats:read.
     *
     * @param int|null $after Only changes after this position: the `next` of the previous response, or the
     *                        `X-Change-Position` of an export. Default: from the oldest stored change.
     * @param int|null $limit The maximum number of changes in a response (1 to 1000; default: 100).
     * @param int|null $wait  The number of seconds to wait for a change if there is none yet (0 to 30). The response is
     *                        sent as soon as there is one.
     *
     * @throws BeatMarketException
     */
    public function list(?int $after = null, ?int $limit = null, ?int $wait = null): ChangePage
    {
        return $this->connection->object(
            new Call(Operation::ListChanges, query: ['after' => $after, 'limit' => $limit, 'wait' => $wait]),
            ChangePage::class,
            null,
            lists: ['changes'],
        );
    }

    /**
     * Follows the changes after a position, page by page and without end: store `next` together with the content of a
     * page.
     *
     * A page without changes says that there were none for $wait seconds, so a loop can end there. After the first
     * page, temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.
     *
     * Needs the permission beats:read.
     *
     * @param int|null $after Only changes after this position: the `next` of the previous response, or the
     *                        `X-Change-Position` of an export. Default: from the oldest stored change.
     * @param int      $limit The maximum number of changes in a response (1 to 1000; default: 1000).
     * @param int      $wait  The number of seconds to wait for a change if there is none yet (0 to 30; default: 30).
     *                        The response is sent as soon as there is one.
     *
     * @return \Generator<int, ChangePage, void, never>
     *
     * @throws GoneException if the entries after the position are no longer kept
     * @throws BeatMarketException
     */
    public function follow(?int $after = null, int $limit = 1000, int $wait = 30): \Generator
    {
        return $this->connection->follow(
            Operation::ListChanges,
            ChangePage::class,
            'changes',
            ['after' => $after, 'limit' => $limit, 'wait' => $wait],
        );
    }
}
