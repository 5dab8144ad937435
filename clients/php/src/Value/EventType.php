<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. You may pass an enum case or a string. Responses contain strings, because the API may add values
 * later: compare them with the constants (`EventType::BEAT_CREATED`), or convert one with
 * `EventType::tryFrom($string)`.
 */
enum EventType: string
{
    case BeatCreated = 'beat.created';
    case BeatUpdated = 'beat.updated';
    case BeatWithdrawn = 'beat.withdrawn';
    case BeatTakenDown = 'beat.taken_down';
    case BeatSoldExclusively = 'beat.sold_exclusively';
    case BeatPurchased = 'beat.purchased';
    case OrderRefunded = 'order.refunded';
    case OrderFailed = 'order.failed';
    case LicenseUpgraded = 'license.upgraded';
    case LicenseUsage = 'license.usage';
    case UploadReady = 'upload.ready';
    case UploadRejected = 'upload.rejected';
    case BeatPublishingFailed = 'beat.publishing_failed';
    case PayoutSent = 'payout.sent';
    case PayoutPaid = 'payout.paid';
    case PayoutFailed = 'payout.failed';
    case UserRegistered = 'user.registered';
    case UserUpdated = 'user.updated';

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
