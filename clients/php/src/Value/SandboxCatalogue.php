<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum SandboxCatalogue: string
{
    case Demo = 'demo';
    case Empty = 'empty';

    public const DEMO = 'demo';
    public const EMPTY = 'empty';
}
