<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Resource types to search. The API may add values. */
final class SearchType
{
    public const BEATS = 'beats';
    public const PRODUCERS = 'producers';
    public const ALL = 'all';
}
