<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`UploadKind::AUDIO`), or convert one with `UploadKind::tryFrom($string)`.
 */
enum UploadKind: string
{
    case Audio = 'audio';
    case Stems = 'stems';
    case Cover = 'cover';

    public const AUDIO = 'audio';
    public const STEMS = 'stems';
    public const COVER = 'cover';
}
