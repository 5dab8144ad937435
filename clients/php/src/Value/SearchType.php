<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** What to search among. The service may know more one day: compare, do not enumerate. */
final class SearchType
{
    public const BEATS = 'beats';
    public const PRODUCERS = 'producers';
    public const ALL = 'all';
}
