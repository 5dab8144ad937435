<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
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
