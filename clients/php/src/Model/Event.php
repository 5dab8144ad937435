<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;
use BeatMarket\Value\EventType;

/**
 * An event of the account, with the same fields as a webhook.
 *
 * @property-read string $id      The event's identifier, the same as in a webhook delivery.
 * @property-read int    $created When it happened, in Unix seconds.
 * @property-read string $type    The type of the event. New types can be added. One of Value\EventType, or a later
 *                                value.
 * @property-read Model  $data    The data of the event: the `data` of the webhook of this type.
 */
final class Event extends Model
{
    /** The model of each type's data. The data of an unknown type is a Model itself. */
    public const MODELS = [
        EventType::BEAT_CREATED => Beat::class,
        EventType::BEAT_UPDATED => BeatUpdated::class,
        EventType::BEAT_WITHDRAWN => BeatWithdrawal::class,
        EventType::BEAT_TAKEN_DOWN => BeatTakedown::class,
        EventType::BEAT_SOLD_EXCLUSIVELY => ExclusiveSale::class,
        EventType::BEAT_PURCHASED => Purchase::class,
        EventType::ORDER_REFUNDED => OrderRefund::class,
        EventType::ORDER_FAILED => OrderFailure::class,
        EventType::LICENSE_UPGRADED => LicenseUpgrade::class,
        EventType::LICENSE_USAGE => LicenseUsageReached::class,
        EventType::UPLOAD_READY => Upload::class,
        EventType::UPLOAD_REJECTED => Upload::class,
        EventType::BEAT_PUBLISHING_FAILED => PublishingFailure::class,
        EventType::PAYOUT_SENT => Payout::class,
        EventType::PAYOUT_PAID => Payout::class,
        EventType::PAYOUT_FAILED => Payout::class,
        EventType::USER_REGISTERED => User::class,
        EventType::USER_UPDATED => UserUpdated::class,
    ];

    public const FIELDS = [
        'id' => ['id'],
        'created' => ['created'],
        'type' => ['type'],
        'data' => ['data'],
    ];

    /** @internal */
    protected static function readers(string $property, array $wire): array
    {
        return $property === 'data'
            ? [self::MODELS[is_string($wire['type'] ?? null) ? $wire['type'] : ''] ?? Model::class]
            : parent::readers($property, $wire);
    }
}
