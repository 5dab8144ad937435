<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. You may pass an enum case or a string. Responses contain strings, because the API may add values
 * later: compare them with the constants (`CountedUse::STREAMS`), or convert one with `CountedUse::tryFrom($string)`.
 */
enum CountedUse: string
{
    case Streams = 'streams';
    case Copies = 'copies';
    case Videos = 'videos';

    public const STREAMS = 'streams';
    public const COPIES = 'copies';
    public const VIDEOS = 'videos';
}
