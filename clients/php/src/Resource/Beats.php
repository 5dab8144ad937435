<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\BeatBatch;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\BeatsMethods;

/** The beats on sale, and your own. */
final class Beats extends Resource
{
    use BeatsMethods;

    /**
     * Gets beats by their ids, in that order and with their licenses, with a request for every 100.
     * One that is given twice is returned once.
     *
     * @param list<int> $beatIds
     *
     * @throws BeatMarketException
     */
    public function getMany(array $beatIds): BeatBatch
    {
        $beats = [];
        $missing = [];
        foreach (array_chunk(array_unique($beatIds), 100) as $ids) {
            $page = $this->list(ids: $ids);
            array_push($beats, ...$page->data);
            array_push($missing, ...(is_array($page->missing) ? $page->missing : []));
        }

        return new BeatBatch($beats, $missing);
    }
}
