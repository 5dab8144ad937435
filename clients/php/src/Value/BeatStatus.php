<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class BeatStatus
{
    public const DRAFT = 'draft';
    public const PROCESSING = 'processing';
    public const PUBLISHED = 'published';
    public const WITHDRAWN = 'withdrawn';
}
