<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class EventType
{
    public const BEAT_CREATED = 'beat.created';
    public const BEAT_UPDATED = 'beat.updated';
    public const BEAT_WITHDRAWN = 'beat.withdrawn';
    public const BEAT_TAKEN_DOWN = 'beat.taken_down';
    public const BEAT_SOLD_EXCLUSIVELY = 'beat.sold_exclusively';
    public const BEAT_PURCHASED = 'beat.purchased';
    public const ORDER_REFUNDED = 'order.refunded';
    public const ORDER_FAILED = 'order.failed';
    public const LICENSE_UPGRADED = 'license.upgraded';
    public const LICENSE_USAGE = 'license.usage';
    public const UPLOAD_READY = 'upload.ready';
    public const UPLOAD_REJECTED = 'upload.rejected';
    public const BEAT_PUBLISHING_FAILED = 'beat.publishing_failed';
    public const PAYOUT_SENT = 'payout.sent';
    public const PAYOUT_PAID = 'payout.paid';
    public const PAYOUT_FAILED = 'payout.failed';
    public const USER_REGISTERED = 'user.registered';
    public const USER_UPDATED = 'user.updated';
}
