<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The event that the request caused. The order, beat or other object that it names exists, and is not deleted
 * afterwards.
 *
 * @property-read string      $type      The type of the event.
 * @property-read int|null    $orderId   The order that was placed.
 * @property-read string|null $licenseId The license that was upgraded, or whose usage was reported.
 * @property-read int|null    $beatId    The beat that was created, changed or sold.
 * @property-read string|null $uploadId  The upload whose analysis causes the event.
 * @property-read int|null    $payoutId  The payout to the account.
 * @property-read int|null    $userId    The account that was created or changed.
 */
final class TestEvent extends Model
{
    public const FIELDS = [
        'type' => ['type'],
        'orderId' => ['order_id'],
        'licenseId' => ['license_id'],
        'beatId' => ['beat_id'],
        'uploadId' => ['upload_id'],
        'payoutId' => ['payout_id'],
        'userId' => ['user_id'],
    ];
}
