<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Sale;
use BeatMarket\Page;
use BeatMarket\SalesExport;

/** What the key's account sold. */
final class Sales
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the completed orders of beats that the key's account sold, newest first, one page at a time. Sales of
     * imported producers that the account has claimed are included.
     *
     * Needs the permission sales:read.
     *
     * @param int|null                       $page     The number of the page, from 1.
     * @param int|null                       $limit    The number of results on a page (1 to 100; default: 20).
     * @param \DateTimeInterface|string|null $from     Only sales completed at this time or later, ISO 8601. A date
     *                                                 alone is its first moment in UTC.
     * @param \DateTimeInterface|string|null $to       Only sales completed before this time, ISO 8601. A date alone is
     *                                                 its first moment in UTC.
     * @param int|null                       $beat     Only sales of this beat.
     * @param int|null                       $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<Sale>
     *
     * @throws BeatMarketException
     */
    public function list(
        ?int $page = null,
        ?int $limit = null,
        \DateTimeInterface|string|null $from = null,
        \DateTimeInterface|string|null $to = null,
        ?int $beat = null,
        ?int $maxItems = null,
    ): Page {
        return new Page(
            $this->connection,
            new Call(
                Operation::ListSales,
                query: ['page' => $page, 'limit' => $limit, 'from' => $from, 'to' => $to, 'beat' => $beat],
            ),
            ['sales' => Sale::class],
            $maxItems,
        );
    }

    /**
     * Returns the sales of a month (UTC), the oldest first, as CSV in UTF-8 with a byte order mark and a header line.
     * Amounts have two decimals. A name that a spreadsheet would take for a formula begins with an apostrophe.
     *
     * Writes into a file. Starts again after a lost connection. The timeout is the longest wait for the next bytes.
     *
     * Needs the permission sales:read.
     *
     * @param string $month Year and month, such as "2026-11".
     * @param string $path  The file. An existing file is replaced.
     *
     * @throws InvalidRequestException if the month is invalid
     * @throws InvalidArgumentException if the file cannot be written
     * @throws BeatMarketException
     */
    public function export(string $month, string $path): SalesExport
    {
        $call = new Call(Operation::ExportSales, query: ['month' => $month]);

        return new SalesExport($path, $this->connection->save($call, $path));
    }
}
