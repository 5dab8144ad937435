<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Generated\Operation;
use BeatMarket\Generated\SalesMethods;
use BeatMarket\SalesExport;

/** What your account sold. */
final class Sales extends Resource
{
    use SalesMethods;

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
        return new SalesExport($path, $this->connection->save(Operation::ExportSales, ['month' => $month], $path));
    }
}
