<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class PayoutStatus
{
    public const PENDING = 'pending';
    public const SENT = 'sent';
    public const PAID = 'paid';
    public const FAILED = 'failed';
}
