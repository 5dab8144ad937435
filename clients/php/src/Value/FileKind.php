<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class FileKind
{
    public const MP3 = 'mp3';
    public const WAV = 'wav';
    public const STEMS = 'stems';
    public const LICENSE = 'license';
}
