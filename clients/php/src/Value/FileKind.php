<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`FileKind::MP3`), or convert one with `FileKind::tryFrom($string)`.
 */
enum FileKind: string
{
    case Mp3 = 'mp3';
    case Wav = 'wav';
    case Stems = 'stems';
    case License = 'license';

    public const MP3 = 'mp3';
    public const WAV = 'wav';
    public const STEMS = 'stems';
    public const LICENSE = 'license';
}
