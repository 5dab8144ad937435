<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`ChangeType::PUBLISHED`), or convert one with `ChangeType::tryFrom($string)`.
 */
enum ChangeType: string
{
    case Published = 'published';
    case Updated = 'updated';
    case Sold = 'sold';
    case Withdrawn = 'withdrawn';

    public const PUBLISHED = 'published';
    public const UPDATED = 'updated';
    public const SOLD = 'sold';
    public const WITHDRAWN = 'withdrawn';
}
