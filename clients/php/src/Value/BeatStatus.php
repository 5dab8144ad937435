<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
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
