<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum ProducerSort: string
{
    case Popular = 'popular';
    case Newest = 'newest';
    case Name = 'name';

    public const POPULAR = 'popular';
    public const NEWEST = 'newest';
    public const NAME = 'name';
}
