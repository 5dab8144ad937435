<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Types of webhook events. The API may add values. */
final class EventType
{
    public const BEAT_CREATED = 'beat.created';
    public const BEAT_UPDATED = 'beat.updated';
    public const BEAT_PURCHASED = 'beat.purchased';
    public const USER_REGISTERED = 'user.registered';
    public const USER_UPDATED = 'user.updated';
}
