<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Download;
use BeatMarket\Model\Fields;
use BeatMarket\Model\Sale;
use BeatMarket\Operation;
use BeatMarket\Page;
use BeatMarket\SalesExport;

/** What your account sold. */
final class Sales
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Lists your sales, newest first by the time of their completion.
     *
     * @param int|null                       $page     from 1
     * @param int|null                       $limit    sales on a page, 1 to 100; 20 by default
     * @param \DateTimeInterface|string|null $from     only sales completed at this time or later; a date is its first moment, UTC
     * @param \DateTimeInterface|string|null $to       only sales completed before this time
     * @param int|null                       $beat     only sales of the beat with this id
     * @param int|null                       $maxItems maximum number of sales in a foreach
     *
     * @return Page<Sale>
     *
     * @throws InvalidRequestException if from is not before to
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
        $query = ['page' => $page, 'limit' => $limit, 'from' => $from, 'to' => $to, 'beat' => $beat];

        return Page::at(
            $this->connection->url(Operation::ListSales, query: $query),
            $this->connection,
            static fn (Fields $data): array => $data->models('sales', Sale::class),
            $maxItems,
        );
    }

    /**
     * Downloads the sales of a month (UTC) into a file, as CSV with a header line, oldest first. Begins anew where a connection
     * breaks. The client's timeout is how long it waits for the next bytes.
     *
     * @param string $month such as "2026-11"
     *
     * @throws InvalidRequestException  if that is no month
     * @throws InvalidArgumentException if the file cannot be written
     * @throws BeatMarketException
     */
    public function export(string $month, string $path): SalesExport
    {
        $url = $this->connection->url(Operation::ExportSales, query: ['month' => $month]);
        $download = new Download($path);
        try {
            return new SalesExport($path, $this->connection->get($url, download: $download));
        } finally {
            $download->close();
        }
    }
}
