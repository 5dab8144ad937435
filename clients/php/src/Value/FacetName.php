<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class FacetName
{
    public const GENRE = 'genre';
    public const KEY = 'key';
    public const BPM = 'bpm';
    public const PRICE = 'price';
    public const TAG = 'tag';
}
