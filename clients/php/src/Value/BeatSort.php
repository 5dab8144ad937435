<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class BeatSort
{
    public const NEWEST = 'newest';
    public const POPULAR = 'popular';
    public const PRICE_ASC = 'price_asc';
    public const PRICE_DESC = 'price_desc';
    public const BPM_ASC = 'bpm_asc';
    public const BPM_DESC = 'bpm_desc';
}
