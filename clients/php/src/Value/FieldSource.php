<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`FieldSource::PRODUCER`), or convert one with `FieldSource::tryFrom($string)`.
 */
enum FieldSource: string
{
    case Producer = 'producer';
    case Analysis = 'analysis';

    public const PRODUCER = 'producer';
    public const ANALYSIS = 'analysis';
}
