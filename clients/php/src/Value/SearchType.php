<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum SearchType: string
{
    case Beats = 'beats';
    case Producers = 'producers';
    case All = 'all';

    public const BEATS = 'beats';
    public const PRODUCERS = 'producers';
    public const ALL = 'all';
}
