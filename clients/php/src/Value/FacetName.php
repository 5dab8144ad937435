<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum FacetName: string
{
    case Genre = 'genre';
    case Key = 'key';
    case Bpm = 'bpm';
    case Price = 'price';
    case Tag = 'tag';

    public const GENRE = 'genre';
    public const KEY = 'key';
    public const BPM = 'bpm';
    public const PRICE = 'price';
    public const TAG = 'tag';
}
