<?php

declare(strict_types=1);

namespace BeatMarket;

use BeatMarket\Model\BeatDetail;

/** Beats by their ids, in that order. */
final class BeatBatch
{
    /**
     * @internal
     *
     * @param list<BeatDetail> $beats
     * @param list<int>        $missing ids that nobody has
     */
    public function __construct(public readonly array $beats, public readonly array $missing)
    {
    }
}
