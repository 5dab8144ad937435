<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Orders of the list of beats. The service may know more one day: compare, do not enumerate. */
final class BeatSort
{
    public const NEWEST = 'newest';
    public const POPULAR = 'popular';
    public const PRICE_ASC = 'price_asc';
    public const PRICE_DESC = 'price_desc';
}
