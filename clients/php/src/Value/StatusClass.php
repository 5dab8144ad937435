<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class StatusClass
{
    public const _2XX = '2xx';
    public const _3XX = '3xx';
    public const _4XX = '4xx';
    public const _5XX = '5xx';
}
