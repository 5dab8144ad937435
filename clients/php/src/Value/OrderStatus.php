<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class OrderStatus
{
    public const COMPLETED = 'completed';
    public const PENDING = 'pending';
    public const FAILED = 'failed';
}
