<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A new sandbox with its key.
 *
 * @property-read string      $apiKey        A key with all permissions, which is shown only once.
 * @property-read string|null $webhookSecret The secret that verifies the deliveries to `webhookUrl`. Null without a
 *                                           `webhookUrl`, and for a copy, which keeps the secret of the original.
 */
final class CreatedSandbox extends Sandbox
{
    public const FIELDS = [
        ...parent::FIELDS,
        'apiKey' => ['api_key'],
        'webhookSecret' => ['webhook_secret'],
    ];
}
