<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum StatusClass: string
{
    case _2xx = '2xx';
    case _3xx = '3xx';
    case _4xx = '4xx';
    case _5xx = '5xx';

    public const _2XX = '2xx';
    public const _3XX = '3xx';
    public const _4XX = '4xx';
    public const _5XX = '5xx';
}
