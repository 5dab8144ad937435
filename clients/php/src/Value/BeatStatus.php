<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. You may pass an enum case or a string. Responses contain strings, because the API may add values
 * later: compare them with the constants (`BeatStatus::DRAFT`), or convert one with `BeatStatus::tryFrom($string)`.
 */
enum BeatStatus: string
{
    case Draft = 'draft';
    case Processing = 'processing';
    case Published = 'published';
    case Withdrawn = 'withdrawn';

    public const DRAFT = 'draft';
    public const PROCESSING = 'processing';
    public const PUBLISHED = 'published';
    public const WITHDRAWN = 'withdrawn';
}
