<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class EventType
{
    public const BEAT_CREATED = 'beat.created';
    public const BEAT_UPDATED = 'beat.updated';
    public const BEAT_PURCHASED = 'beat.purchased';
    public const USER_REGISTERED = 'user.registered';
    public const USER_UPDATED = 'user.updated';
}
