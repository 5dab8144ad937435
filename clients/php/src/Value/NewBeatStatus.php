<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum NewBeatStatus: string
{
    case Draft = 'draft';
    case Published = 'published';

    public const DRAFT = 'draft';
    public const PUBLISHED = 'published';
}
