<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Sort orders of beats. The API may add values. */
final class BeatSort
{
    public const NEWEST = 'newest';
    public const POPULAR = 'popular';
    public const PRICE_ASC = 'price_asc';
    public const PRICE_DESC = 'price_desc';
    public const BPM_ASC = 'bpm_asc';
    public const BPM_DESC = 'bpm_desc';
}
